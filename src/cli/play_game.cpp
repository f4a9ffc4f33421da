#include "cli/play_game.hpp"

#include <csignal>
#include <iostream>

namespace zermelo::cli {

namespace {

template <game::Game G>
class Session {
public:
    Session(const Subject& subject, G& game, const PlayGame& options)
        : subject_(subject), game_(game), options_(options), states_{game.initial()} {
        game_.look(states_.front());
        while (person_ < game.players() && !options.role.empty() && game.player_name(person_) != options.role)
            ++person_;
        if (person_ < game.players()) return;
        std::string names;
        for (std::size_t p = 0; p < game.players(); ++p)
            names += (p == 0 ? "" : ", ") + game.player_name(static_cast<game::Player>(p));
        throw Error({subject.file()}, fmt::format("nobody is called {}", options.role),
                    "choose from " + names);
    }

    int run() {
        program_ = make_adviser(game_, subject_.gdl(), options_.adviser);
        std::signal(SIGINT, SIG_DFL);  // nothing is lost by leaving a game at once
        look();
        std::cout << fmt::format("You play {}. The program {}.\n", game_.player_name(person_),
                                 program_->about())
                  << "Give the number or the text of a move; hint, undo and quit do what they say.\n";
        while (!game_.turn().over()) {
            require_turns_in_terminal(game_.turn().kind);
            if (game_.turn().player != person_) {
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

    void show() const {
        if (subject_.gdl() != nullptr) {
            if constexpr (std::same_as<G, game::GdlGame>)
                std::cout << '\n' << board(subject_.gdl()->facts(states_.back()));
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
            std::cout << fmt::format("{} ? ", game_.player_name(person_)) << std::flush;
            std::string text;
            if (!std::getline(std::cin, text)) return false;
            text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
            if (const auto move = chosen(text)) {
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

    [[nodiscard]] std::optional<std::size_t> chosen(const std::string& text) const {
        if (const auto move = find_move(game_, text)) return move;
        constexpr std::size_t longest = 9;  // digits
        if (text.empty() || text.size() > longest ||
            text.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        const std::size_t number = std::stoul(text);
        return number >= 1 && number <= game_.moves() ? std::optional(number - 1) : std::nullopt;
    }

    // Back to the person's last turn, if there was one.
    bool undo() {
        for (std::size_t back = states_.size() - 1; back-- > 0;) {
            game_.look(states_[back]);
            if (game_.turn().player != person_) continue;
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
            helper_ = make_adviser(game_, subject_.gdl(), better);
            look();
        }
        const std::size_t move = advice(helper_ ? *helper_ : *program_);
        std::cout << fmt::format("Try {}.\n", game_.move_name(move));
    }

    void finish() const {
        show();
        std::string payoffs;
        int others = -1;
        for (std::size_t p = 0; p < game_.players(); ++p) {
            const auto player = static_cast<game::Player>(p);
            if (player != person_) others = std::max(others, game_.payoff(player));
            payoffs +=
                fmt::format("{}{} {}", p == 0 ? "" : ", ", game_.player_name(player), game_.payoff(player));
        }
        const int own = game_.payoff(person_);
        const char* result = others < 0      ? "The game is over"
                             : own > others  ? "You win"
                             : own == others ? "A draw"
                                             : "The program wins";
        std::cout << fmt::format("{}: {}\n", result, payoffs);
    }

    const Subject& subject_;
    G& game_;
    const PlayGame& options_;
    std::vector<typename G::State> states_;  // from the start to now
    std::vector<std::size_t> line_;
    game::Player person_ = 0;
    std::unique_ptr<Adviser<G>> program_;
    std::unique_ptr<Adviser<G>> helper_;  // gives hints where the program knows nothing
};

}  // namespace

int PlayGame::run(ModelOptions& source) const {
    const Subject subject(source, {});
    if (subject.gdl() != nullptr) {
        game::GdlGame game(*subject.gdl());
        return Session(subject, game, *this).run();
    }
    game::GraphGame game(*subject.graph());
    return Session(subject, game, *this).run();
}

}  // namespace zermelo::cli
