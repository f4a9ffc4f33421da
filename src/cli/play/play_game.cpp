#include "cli/play/play_game.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <utility>

#include "cli/play/board.hpp"
#include "cli/play/forced.hpp"
#include "cli/play/play_match.hpp"

namespace zermelo::cli {

namespace {

template <game::Game G>
class PlaySession {
public:
    PlaySession(const Problem& problem, G& game, const PlayGame& options)
        : problem_(problem), game_(game), options_(options), states_{game.initial()} {
        game_.look(states_.front());
        for (std::size_t p = 0; p < game.players(); ++p)
            names_.push_back(game.player_name(static_cast<game::Player>(p)));
        person_ = static_cast<game::Player>(find_person(names_, options.role, problem.file()));
        if constexpr (std::same_as<G, game::GdlGame>) {
            view_.emplace(*problem.gdl());
            shown_ = problem.gdl()->facts(states_.front());
        }
    }

    int run() {
        program_ = make_adviser(game_, problem_.gdl(), options_.adviser);
        std::signal(SIGINT, SIG_DFL);  // nothing is lost by leaving a game at once
        look();
        std::cout << fmt::format("You play {}. The program {}.\n", names_[person_], program_->about())
                  << "Give the number or the text of a move; hint, undo and quit do what they say.\n";
        while (!game_.turn().over()) {
            require_turns_in_terminal(game_.turn().kind);
            constexpr std::size_t most_forced = 1000;  // in a row: then the play is going round in circles
            forced_ = game_.moves() == 1 ? forced_ + 1 : 0;
            if (forced_ > most_forced) {
                std::cout << "\nNobody has a choice any more, and the play does not end.\n";
                return answered;
            }
            if (game_.moves() == 1) {
                tell_forced();
                make(0);
            } else if (game_.turn().player != person_) {
                const std::string mover = game_.player_name(game_.turn().player);
                const std::size_t move = advice(*program_);
                std::cout << fmt::format("{}: {}\n", mover, game_.move_name(move));
                make(move);
            } else if (!persons_turn()) {
                std::cout << "\nThe game is not finished.\n";
                return answered;
            }
        }
        finish();
        return answered;
    }

private:
    void look() { game_.look(states_.back()); }
    void make(std::size_t move) {
        typename G::State next = states_.back();
        game_.successor(move, next);
        states_.push_back(std::move(next));
        line_.push_back(move);
        look();
    }

    // The game looks at the position again when the adviser is done with it.
    std::size_t advice(Adviser<G>& adviser) {
        const Position<G> position{states_.back(), line_, game_.turn().player, game_.moves()};
        const std::size_t move = adviser.choose(position);
        look();
        return move;
    }

    // Nobody is asked for the only move.
    void tell_forced() const {
        std::string mover = game_.player_name(game_.turn().player);
        std::string move = game_.move_name(0);
        if constexpr (std::same_as<G, game::GdlGame>) {
            if (const auto deed = forced_deed(*problem_.gdl(), states_.back())) {
                mover = deed->role;
                move = deed->move;
            }
        }
        std::cout << fmt::format("{}: {}, the only move\n", mover, move);
    }

    // What has changed since the person was last asked is marked.
    void show() {
        if (problem_.gdl() != nullptr) {
            if constexpr (std::same_as<G, game::GdlGame>) {
                if (states_.size() != shown_at_) {
                    shown_before_ = std::exchange(shown_, problem_.gdl()->facts(states_.back()));
                    shown_at_ = states_.size();
                }
                std::cout << '\n' << view_->draw(shown_, shown_before_);
            }
        } else {
            std::cout << '\n' << game_.state_name(states_.back()) << '\n';
        }
        for (std::size_t m = 0; m < game_.moves(); ++m)
            std::cout << fmt::format("  {}  {}\n", m + 1, game_.move_name(m));
    }

    // False when the person ends the game.
    bool persons_turn() {
        show();
        while (true) {
            const auto answer = ask_person(names_[person_]);
            if (!answer) return false;
            const std::string& text = *answer;
            if (const auto move = find_choice(move_names(), text)) {
                make(*move);
                return true;
            }
            if (text == "quit" || text == "q") return false;
            if (text == "undo") {
                if (undo()) return true;
                std::cout << "There is nothing to undo.\n";
            } else if (text == "hint") {
                hint();
            } else {
                if (!text.empty()) std::cout << fmt::format("{} is no move here.\n", text);
                show();
            }
        }
    }

    [[nodiscard]] std::vector<std::string> move_names() const {
        std::vector<std::string> names;
        for (std::size_t m = 0; m < game_.moves(); ++m) names.push_back(game_.move_name(m));
        return names;
    }

    // Back to the person's last turn, if there was one.
    bool undo() {
        for (std::size_t back = states_.size() - 1; back-- > 0;) {
            game_.look(states_[back]);
            if (game_.turn().player != person_ || game_.moves() == 1) continue;
            states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(back) + 1, states_.end());
            line_.resize(back);
            look();
            return true;
        }
        look();
        return false;
    }

    void hint() {
        if (!helper_ && options_.adviser.engine == "random") {
            AdviserOptions better = options_.adviser;
            better.engine = "auto";
            helper_ = make_adviser(game_, problem_.gdl(), better);
            look();
        }
        const std::size_t move = advice(helper_ ? *helper_ : *program_);
        std::cout << fmt::format("Try {}.\n", game_.move_name(move));
    }

    void finish() {
        show();
        std::vector<int> payoffs;
        for (std::size_t p = 0; p < game_.players(); ++p)
            payoffs.push_back(game_.payoff(static_cast<game::Player>(p)));
        std::cout << outcome(names_, payoffs, person_) << '\n';
    }

    const Problem& problem_;
    G& game_;
    const PlayGame& options_;
    std::vector<typename G::State> states_;  // from the start to now
    std::vector<std::size_t> line_;
    std::vector<std::string> names_;  // by player
    game::Player person_ = 0;
    std::optional<BoardView> view_;  // of games in GDL
    std::vector<std::string> shown_;
    std::vector<std::string> shown_before_;
    std::size_t shown_at_ = 0;  // how many states there were
    std::size_t forced_ = 0;    // moves since somebody had a choice
    std::unique_ptr<Adviser<G>> program_;
    std::unique_ptr<Adviser<G>> helper_;  // gives hints where the program knows nothing
};

// The engines of the session with undo.
bool is_adviser(const std::string& engine) {
    return engine == "auto" || engine == "attractors" || engine == "alpha-beta" || engine == "random";
}

// The player that the engine names; nothing where it is an adviser and no player. Throws Error where it plays
// no game of this kind.
std::optional<play::Spec> find_player(const std::string& engine, Language language) {
    std::string choices = "auto, attractors, alpha-beta, random";
    if (language == Language::gdl) {
        if (auto found = play::find_spec(engine)) return found;
        choices = "auto, attractors";
        for (const auto& player : play::describe_players()) choices += ", " + player.name;
    }
    if (is_adviser(engine)) return std::nullopt;
    throw Error(fmt::format("--engine {}: this engine does not play{}", engine,
                            language == Language::gdl ? "" : " on graphs"),
                "choose from " + choices);
}

// Whom the program plays by, where advisers cannot: the player, or the usual one. Throws Error where options
// do not fit.
play::Spec find_program(const std::optional<play::Spec>& player, const AdviserOptions& options,
                        const NetOptions& net, const std::string& file) {
    if (options.engine == "attractors") {
        throw Error({file}, "--engine attractors is for games in which players take turns and see everything",
                    "choose another player, such as uct or perfect");
    }
    if (options.heuristic != AdviserOptions().heuristic) {
        throw Error({file},
                    "--heuristic is for --engine auto and alpha-beta in games in which players take turns",
                    "leave it out");
    }
    return play::read_spec(net.applied(player ? player->text : "zermelo"));
}

void refuse_net(const NetOptions& net, const std::string& file) {
    if (net.given())
        throw Error({file}, "--net and --no-net are for players that use nets", "add --engine zermelo");
}

}  // namespace

std::size_t find_person(const std::vector<std::string>& names, const std::string& role,
                        const std::string& file) {
    if (role.empty()) return 0;
    const auto at = std::find(names.begin(), names.end(), role);
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
    throw Error({file}, fmt::format("nobody is called {}", role),
                fmt::format("choose from {}", fmt::join(names, ", ")));
}

std::optional<std::string> ask_person(const std::string& name) {
    std::cout << fmt::format("{} ? ", name) << std::flush;
    std::string text;
    if (!std::getline(std::cin, text)) return std::nullopt;
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::optional<std::size_t> find_choice(const std::vector<std::string>& moves, const std::string& text) {
    const auto exact = std::find(moves.begin(), moves.end(), text);
    if (exact != moves.end()) return static_cast<std::size_t>(exact - moves.begin());
    std::optional<std::size_t> found;
    std::size_t how_many = 0;
    for (std::size_t m = 0; m < moves.size(); ++m) {
        if (plain(moves[m]) != plain(text)) continue;
        found = m;
        ++how_many;
    }
    if (how_many == 1) return found;
    constexpr std::size_t longest = 9;  // digits
    if (text.empty() || text.size() > longest || text.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const std::size_t number = std::stoul(text);
    return number >= 1 && number <= moves.size() ? std::optional(number - 1) : std::nullopt;
}

std::string outcome(const std::vector<std::string>& names, const std::vector<int>& payoffs,
                    std::size_t person) {
    std::string list;
    int others = -1;
    for (std::size_t p = 0; p < names.size(); ++p) {
        if (p != person) others = std::max(others, payoffs[p]);
        list += fmt::format("{}{} {}", p == 0 ? "" : ", ", names[p], payoffs[p]);
    }
    const char* result = others < 0                 ? "The game is over"
                         : payoffs[person] > others ? "You win"
                         : payoffs[person] < others ? "The program wins"
                                                    : "A draw";
    return fmt::format("{}: {}", result, list);
}

int PlayGame::run(ModelOptions& source) const {
    const auto player = find_player(adviser.engine, language_of(source.file));
    const Problem problem = source.read();
    if (problem.gdl() != nullptr) {
        const play::GameContext rules(*problem.gdl());
        if (!rules.turns() || !is_adviser(adviser.engine))
            return play_match(rules, find_program(player, adviser, net, problem.file()), *this);
        refuse_net(net, problem.file());
        game::GdlGame game(*problem.gdl());
        return PlaySession(problem, game, *this).run();
    }
    refuse_net(net, problem.file());
    game::GraphGame game(*problem.graph());
    return PlaySession(problem, game, *this).run();
}

}  // namespace zermelo::cli
