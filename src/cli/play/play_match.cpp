#include "cli/play/play_match.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <utility>

#include "arena/referee.hpp"
#include "cli/play/board.hpp"

namespace zermelo::cli {

namespace {

using play::MoveId;

// Thrown when the person ends the game; it has to go through the referee.
struct Leaves {};

// Asks on the terminal. Where the role has no choice nobody is asked.
class Person : public play::Player {
public:
    // `seconds` are those of a hint.
    Person(const play::GameContext& the_rules, const play::Settings& the_settings, double seconds)
        : Player(the_rules, the_settings), seconds_(seconds), info_(the_rules), view_(the_rules.game()) {
        if (!the_rules.hidden()) shown_ = the_rules.game().facts(the_rules.machine().initial());
    }

    // What the person chose in the last step; nothing if there was no choice.
    [[nodiscard]] std::optional<MoveId> take_choice() { return std::exchange(choice_, std::nullopt); }

protected:
    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const play::TimeBudget&,
                               play::Thought&) override {
        std::vector<std::pair<std::string, MoveId>> moves;
        for (const MoveId move : legal) moves.emplace_back(rules().game().move_text(role(), move), move);
        std::sort(moves.begin(), moves.end());
        std::vector<std::string> names;
        for (const auto& [name, move] : moves) names.push_back(name);
        shown_before_ = std::exchange(shown_, known());
        show(names);
        while (true) {
            const auto text = ask_person(rules().role_name(role()));
            if (!text) throw Leaves{};
            if (const auto number = find_choice(names, *text)) {
                choice_ = moves[*number].second;
                return *choice_;
            }
            if (*text == "quit" || *text == "q") throw Leaves{};
            if (*text == "undo") {
                std::cout << "Nothing can be undone in this game.\n";
            } else if (*text == "hint") {
                hint();
            } else {
                if (!text->empty()) std::cout << fmt::format("{} is no move here.\n", *text);
                show(names);
            }
        }
    }
    void learn(const play::Observation& seen) override { past_.push_back(seen); }

private:
    void show(const std::vector<std::string>& names) {
        std::cout << '\n';
        if (rules().hidden()) {
            std::cout << (belief().exact() ? "You know:" : "You know, as far as a sample of positions tells:")
                      << (shown_.empty() ? " nothing\n" : "\n");
        }
        std::cout << view_.draw(shown_, shown_before_);
        for (std::size_t m = 0; m < names.size(); ++m)
            std::cout << fmt::format("  {}  {}\n", m + 1, names[m]);
    }

    // The facts that hold in all positions in which the person may be.
    [[nodiscard]] std::vector<std::string> known() {
        std::optional<play::State> common;
        for (const auto& possible : belief().positions()) {
            const play::State& state = possible.position.state;
            info_.load(state);
            if (info_.terminal()) continue;  // the person was asked, so it is not over
            if (!common) common = state;
            for (std::size_t i = 0; i < state.size(); ++i) (*common)[i] &= state[i];
        }
        return common ? rules().game().facts(*common) : std::vector<std::string>();
    }

    // By a player who has seen what the person has seen.
    void hint() {
        if (!helper_) helper_ = play::make_player(play::read_spec("zermelo"), rules(), settings(), shared_);
        for (; told_ < past_.size(); ++told_) helper_->see(past_[told_]);
        const MoveId move = helper_->choose({.deadline = play::Deadline::in(seconds_)});
        std::cout << fmt::format("Try {}.\n", rules().game().move_text(role(), move));
    }

    double seconds_;
    play::InfoState info_;
    BoardView view_;
    std::vector<std::string> shown_;
    std::vector<std::string> shown_before_;
    std::optional<MoveId> choice_;
    std::vector<play::Observation> past_;
    play::Shared shared_;
    std::unique_ptr<play::Player> helper_;
    std::size_t told_ = 0;  // of the past, to the helper
};

class MatchSession {
public:
    MatchSession(const play::GameContext& rules, const play::Spec& program, const PlayGame& options)
        : rules_(rules), info_(rules), state_(rules.machine().initial()) {
        for (const std::size_t role : rules.seats()) names_.push_back(rules.role_name(role));
        person_seat_ = find_person(names_, options.role, rules.game().description().file);
        const double seconds = options.adviser.seconds;
        Random seeds(options.adviser.seed);
        match_.seed = seeds.next();
        match_.start_seconds = seconds;
        match_.watch = [this](const play::State& next, const play::JointMove& joint, const arena::Faults&) {
            tell(next, joint);
        };
        for (std::size_t i = 0; i < names_.size(); ++i) {
            play::Settings settings;
            settings.role = rules.seats()[i];
            settings.seed = seeds.next();
            if (i == person_seat_) {
                person_ = std::make_unique<Person>(rules, settings, seconds);
                seats_.push_back({.player = person_.get(), .label = "you"});
                continue;
            }
            programs_.push_back(play::make_player(program, rules, settings, shared_));
            arena::Seat seat{.player = programs_.back().get(), .label = program.label, .seconds = seconds};
            if (program.playouts || program.seconds.value_or(0) > 0) {
                seat.seconds = program.seconds.value_or(0);
                seat.playouts = program.playouts.value_or(0);
            }
            seats_.push_back(seat);
        }
        introduce(program);
    }

    int run() {
        std::signal(SIGINT, SIG_DFL);  // nothing is lost by leaving a game at once
        try {
            finish(arena::referee(rules_, seats_, match_));
        } catch (const Leaves&) {
            std::cout << "\nThe game is not finished.\n";
        }
        return answered;
    }

private:
    void introduce(const play::Spec& program) const {
        std::cout << fmt::format("You play {}", names_[person_seat_]);
        std::vector<std::string> others = names_;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(person_seat_));
        if (!others.empty()) {
            const arena::Seat& seat = seats_[person_seat_ == 0 ? 1 : 0];
            std::cout << fmt::format(". The program plays {}, by {}", fmt::join(others, ", "), program.label);
            if (seat.seconds > 0) std::cout << fmt::format(", {} a move", seconds_text(seat.seconds));
            if (seat.playouts > 0)
                std::cout << fmt::format(", {} a move", plural(count_text(seat.playouts), "playout"));
        }
        std::cout << ".\n";
        if (rules_.hidden())
            std::cout << "You are shown what you know, and at each step what you see of it.\n";
        std::cout << "Give the number or the text of a move; hint and quit do what they say.\n";
    }

    // A step was made from the state that we know to the next one.
    void tell(const play::State& next, const play::JointMove& joint) {
        const std::size_t own = rules_.seats()[person_seat_];
        const auto choice = person_->take_choice();
        if (choice && *choice != joint[own]) {
            std::cout << fmt::format("{} turns out to be illegal; {} is played for you.\n",
                                     rules_.game().move_text(own, *choice),
                                     rules_.game().move_text(own, joint[own]));
        }
        info_.load(state_);
        if (rules_.hidden()) {
            if (!choice) tell_move(own, joint[own]);
            info_.play(joint, state_);
            std::vector<std::string> seen;
            for (const gdl::TermId percept : info_.percepts(own)) seen.push_back(rules_.game().text(percept));
            std::sort(seen.begin(), seen.end());
            std::cout << (seen.empty() ? "You see nothing.\n"
                                       : fmt::format("You see: {}\n", fmt::join(seen, ", ")));
        } else {
            // Who has no choice is left out: most such moves only wait.
            std::vector<std::size_t> told;
            for (std::size_t r = 0; r < joint.size(); ++r) {
                if (info_.legal(r).size() > 1) told.push_back(r);
            }
            if (told.empty()) {
                for (std::size_t r = 0; r < joint.size(); ++r) told.push_back(r);
            }
            for (const std::size_t r : told) {
                if (r != own || !choice) tell_move(r, joint[r]);
            }
        }
        before_last_ = rules_.game().facts(std::exchange(state_, next));
    }

    void tell_move(std::size_t role, MoveId move) const {
        std::cout << fmt::format("{}: {}\n", rules_.chance(role) ? "chance" : rules_.role_name(role),
                                 rules_.game().move_text(role, move));
    }

    void finish(const arena::MatchResult& result) const {
        if (!result.error.empty()) {
            std::cout << fmt::format("\nThe game is not finished: {}.\n", result.error);
            return;
        }
        std::cout << '\n' << BoardView(rules_.game()).draw(rules_.game().facts(state_), before_last_);
        std::vector<int> goals;
        for (const arena::SeatResult& seat : result.seats) {
            goals.push_back(seat.goal);
            if (seat.late > 0) {
                std::cout << fmt::format("{} was late; {} played at random instead.\n", seat.role,
                                         plural(count_text(seat.late), "move"));
            }
        }
        std::cout << outcome(names_, goals, person_seat_) << '\n';
    }

    const play::GameContext& rules_;
    play::InfoState info_;
    play::State state_;
    std::vector<std::string> before_last_;  // facts
    std::vector<std::string> names_;        // by seat
    std::size_t person_seat_ = 0;
    play::Shared shared_;
    std::unique_ptr<Person> person_;
    std::vector<std::unique_ptr<play::Player>> programs_;
    std::vector<arena::Seat> seats_;
    arena::MatchOptions match_;
};

}  // namespace

int play_match(const play::GameContext& rules, const play::Spec& program, const PlayGame& options) {
    return MatchSession(rules, program, options).run();
}

}  // namespace zermelo::cli
