// What was learned about a game: files of nets, and of trainings that are to go on.

#include <filesystem>

#include "checkpoint_contents.hpp"
#include "game/views/gdl_game.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/learn/training.hpp"

namespace zermelo::fuzz {

namespace {

// A training of a small game after a round, and its two files.
class Trained {
public:
    Trained()
        : game_(gdl::parse(small_rules, "small.kif")),
          rules_(game_),
          form_(symmetry::rules_form(game_)),
          training_(rules_, options()) {
        training_.round();
        std::string file = file_with("", ".net");
        learn::write_net(file, form_.fingerprint,
                         learn::net_of(*training_.judgement(), form_, training_.games()));
        net_ = contents_of(file, {"network", form_.fingerprint});
        file = file_with("", ".training");
        training_.save(file);
        work_ = contents_of(file, {"training", game::GdlGame(game_).fingerprint()});
    }

    [[nodiscard]] const Contents& net() const { return net_; }
    [[nodiscard]] const Contents& work() const { return work_; }

    // A net that is read can be asked, whatever its numbers are.
    void use_net(const std::string& file) const {
        const learn::NetFile net = learn::read_net(file, form_.fingerprint);
        judge(learn::judgement_of(net, game_.machine(), form_));
        learn::write_net(file, form_.fingerprint, net);
        promise(learn::read_net(file, form_.fingerprint).weights.rows == net.weights.rows, "the net changes");
    }
    // A training that goes on plays and learns; one that is refused is as it was before.
    void use_training(const std::string& file) {
        const std::uint64_t games = training_.games();
        try {
            training_.resume(file);
        } catch (const Error&) {
            promise(training_.games() == games, "a training that was refused has changed");
            throw;
        }
        judge(training_.judgement());
        training_.round(play::Deadline::in(small_limits_seconds));
    }

private:
    static constexpr double small_limits_seconds = 0.02;

    static play::TrainingOptions options() {
        play::TrainingOptions options;
        options.hidden = options.second = 32;
        options.gates = 4;
        options.plays = options.first_plays = 2;
        options.batch = 4;
        options.buffer = 8;
        options.play.simulations = options.play.brief = 8;
        return options;
    }
    void judge(std::shared_ptr<const learn::Judgement> judgement) const {
        learn::Judge judge(std::move(judgement));
        const gdl::State& state = game_.machine().initial();
        const gdl::State* const states[] = {&state};
        judge.look_at(states);
        const auto legal = game_.machine().network().moves[0].size();
        std::vector<gdl::MoveId> moves(legal);
        for (std::size_t m = 0; m < legal; ++m) moves[m] = static_cast<gdl::MoveId>(m);
        std::vector<float> policy(legal);
        judge.policy(0, 0, moves, policy);
        (void)judge.nearby(state);
    }

    gdl::Game game_;
    play::GameContext rules_;
    symmetry::RulesForm form_;
    play::Training training_;
    Contents net_;
    Contents work_;
};

}  // namespace

// The first letter says what comes: a whole net or training (N, T), or changes to what a true one contains (n, t).
void net(const std::string& text) {
    if (text.empty()) return;
    static Trained trained;
    const std::string rest = text.substr(1);
    try {
        const std::string file = file_with(rest, ".net");
        if (text.front() == 'n') write(file, trained.net(), rest);
        if (text.front() == 't') write(file, trained.work(), rest);
        if (text.front() == 't' || text.front() == 'T') {
            trained.use_training(file);
        } else {
            trained.use_net(file);
        }
    } catch (const Error&) {
        // what a damaged file deserves
    }
}

}  // namespace zermelo::fuzz
