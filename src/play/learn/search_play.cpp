#include "play/learn/search_play.hpp"

#include <algorithm>
#include <cmath>

#include "play/mcts/mcts.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t searched_leaves = 8;
constexpr double warm = 1;    // temperature at first
constexpr double cool = 0.3;  // later
constexpr std::size_t warm_moves = 16;
constexpr double blunder = 0.02;  // moves that are drawn at random, so that much is seen
constexpr std::size_t most_opening_moves = 4;

class SearchPlay {
public:
    SearchPlay(const GameContext& rules, std::shared_ptr<const learn::Judgement> judgement,
               const gdl::Machine* filter, const SearchPlayOptions& options, std::uint64_t seed)
        : rules_(rules),
          judgement_(std::move(judgement)),
          options_(options),
          random_(seed),
          info_(rules),
          tree_(rules, tree_options()) {
        if (filter != nullptr) tree_.use(*filter);
    }

    std::vector<Lesson> run() {
        State state = rules_.machine().initial();
        JointMove joint;
        const std::size_t random_at_first = random_.below(most_opening_moves + 1);
        for (std::size_t moves = 0;; ++moves) {
            if (moves == options_.most_moves || options_.deadline.passed()) return {};
            info_.load(state);
            if (info_.terminal()) break;
            random_moves(info_, random_, joint);
            if (seat_has_choice() && moves >= random_at_first) consider(state, moves, joint);
            info_.load(state);
            info_.play(joint, state);
        }
        settle();
        return std::move(lessons_);
    }

private:
    MctsOptions tree_options() {
        MctsOptions options;
        options.judgement = judgement_;
        options.leaves = searched_leaves;
        options.each = 1;
        options.playouts_share = options_.playouts_share;
        options.memory = options_.memory;
        options.seed = random_.next();
        return options;
    }

    [[nodiscard]] bool seat_has_choice() {
        return std::ranges::any_of(rules_.seats(), [&](std::size_t r) { return info_.legal(r).size() > 1; });
    }

    void consider(const State& state, std::size_t moves, JointMove& joint) {
        const bool longer = random_.chance(options_.long_share);
        tree_.set_root_noise(longer && judgement_ ? options_.noise : 0);
        const std::size_t role =
            *std::ranges::find_if(rules_.seats(), [&](std::size_t r) { return info_.legal(r).size() > 1; });
        (void)tree_.search(state, role, {.playouts = longer ? options_.simulations : options_.brief});
        Deadline::begin_polling();  // that was no pause
        Lesson& lesson = lessons_.emplace_back();
        lesson.state = state;
        lesson.values.assign(rules_.seats().size(), not_told);
        const bool solved = tree_.solved();
        joint[role] = tree_.estimates().front().move;  // the filter may have left but one
        for (const Mcts::RootChoice& choice : tree_.root_choices()) {
            lesson.values[rules_.seat_of(choice.role)] = static_cast<float>(choice.mean);
            std::vector<double> shares(choice.visits.begin(), choice.visits.end());
            if (solved && choice.role == role) {
                const MoveId best = tree_.estimates().front().move;
                for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = choice.moves[i] == best ? 1 : 0;
            }
            if (longer) add_policy(lesson, choice, shares);
            joint[choice.role] = draw(choice.moves, shares, solved ? cool : moves < warm_moves ? warm : cool);
        }
        // What is proven needs no result.
        if (solved)
            proven_.emplace_back(lessons_.size() - 1, rules_.seat_of(role), 0.01 * tree_.bounds().first);
    }

    static void add_policy(Lesson& lesson, const Mcts::RootChoice& choice,
                           const std::vector<double>& shares) {
        double sum = 0;
        for (const double share : shares) sum += share;
        if (sum <= 0) return;
        learn::PolicyTarget& target = lesson.policies.emplace_back();
        target.role = static_cast<std::uint32_t>(choice.role);
        target.moves = choice.moves;
        for (const double share : shares) target.shares.push_back(static_cast<float>(share / sum));
    }

    MoveId draw(const std::vector<MoveId>& moves, const std::vector<double>& shares, double temperature) {
        if (random_.chance(blunder)) return moves[random_.below(moves.size())];
        std::vector<double> sums;
        double sum = 0;
        const double most = *std::ranges::max_element(shares);
        for (const double share : shares)
            sums.push_back(sum += most > 0 ? std::pow(share / most, 1 / temperature) : 1);
        const double drawn = random_.fraction() * sum;
        const auto at = std::ranges::upper_bound(sums, drawn) - sums.begin();
        return moves[std::min<std::size_t>(static_cast<std::size_t>(at), moves.size() - 1)];
    }

    // The result comes into all positions, and a proof into its own.
    void settle() {
        std::vector<float> result;
        for (const std::size_t r : rules_.seats())
            result.push_back(0.01F * static_cast<float>(std::clamp(info_.goal(r), 0, 100)));
        const auto share = static_cast<float>(options_.result_share);
        for (Lesson& lesson : lessons_) {
            // The search told what the movers get; of two opponents that tells about the other one.
            if (rules_.opposed() && lesson.values[0] == not_told && lesson.values[1] != not_told)
                lesson.values[0] = 1 - lesson.values[1];
            if (rules_.opposed() && lesson.values[1] == not_told && lesson.values[0] != not_told)
                lesson.values[1] = 1 - lesson.values[0];
            for (std::size_t s = 0; s < result.size(); ++s) {
                const bool known = lesson.values[s] != not_told;
                lesson.values[s] = known ? share * result[s] + (1 - share) * lesson.values[s] : result[s];
            }
        }
        for (const auto& [lesson, seat, value] : proven_) {
            lessons_[lesson].values[seat] = static_cast<float>(value);
            if (rules_.opposed()) lessons_[lesson].values[1 - seat] = static_cast<float>(1 - value);
        }
    }

    static constexpr float not_told = -1;

    const GameContext& rules_;
    std::shared_ptr<const learn::Judgement> judgement_;
    SearchPlayOptions options_;
    Random random_;
    InfoState info_;
    Mcts tree_;
    std::vector<Lesson> lessons_;
    std::vector<std::tuple<std::size_t, std::size_t, double>> proven_;  // lesson, seat, value
};

}  // namespace

std::vector<Lesson> search_play(const GameContext& rules,
                                const std::shared_ptr<const learn::Judgement>& judgement,
                                const gdl::Machine* filter, const SearchPlayOptions& options,
                                std::uint64_t seed) {
    return SearchPlay(rules, judgement, filter, options, seed).run();
}

}  // namespace zermelo::play
