// Explainer: explain.hpp for any game.

#pragma once

#include <algorithm>
#include <map>
#include <unordered_set>

#include "game/explain/explain.hpp"
#include "game/explore/explore.hpp"

namespace zermelo::game {

// Who really moves where nobody has a choice, and what the move is called.
struct Mover {
    Player player;
    std::string move;
};

template <Game G, class Forced>
class Explainer {
public:
    using State = typename G::State;
    // `forced(state)`: nothing where somebody has a choice.
    Explainer(G& game, Forced forced, const ExplainOptions& options)
        : game_(game), forced_(forced), options_(options) {}

    // `solve(SolveOptions)`: the position after a line.
    template <class Solve>
    [[nodiscard]] Explanation explanation(Solve solve) {
        const LimitScope scope(options_.limits);
        for (std::size_t p = 0; p < game_.players(); ++p)
            result_.players.push_back(game_.player_name(static_cast<Player>(p)));
        follow_line();
        try {
            const bool all = options_.history && list_all_states();
            if (!all) list_states(states_.size() - 1, options_.most_states);
            continue_line(solve);
            if (options_.history) explain_history(solve);
        } catch (const LimitReached& limit) {
            result_.stop = limit.stop();
        }
        if (!options_.history) {
            result_.play.erase(result_.play.begin(),
                               result_.play.begin() + static_cast<std::ptrdiff_t>(result_.at));
            result_.at = 0;
        }
        return std::move(result_);
    }

private:
    void look(const State& state) {
        game_.look(state);
        require_turns(game_.turn(), "an explanation");
    }
    [[nodiscard]] State after(const State& state, std::size_t move) {
        look(state);
        State next = state;
        game_.successor(move, next);
        return next;
    }

    void follow_line() {
        states_.push_back(game_.initial());
        for (const std::string& move : options_.line) {
            look(states_.back());
            const std::size_t made = find(states_.back(), move);
            result_.play.emplace_back().made = name_of(states_.back(), made);
            names_.push_back(game_name(states_.back(), made));
            states_.push_back(after(states_.back(), made));
        }
        result_.play.emplace_back();
        result_.at = options_.line.size();
    }

    // By the name of the game, or by that of the forced move.
    [[nodiscard]] std::size_t find(const State& state, const std::string& move) {
        std::string all;
        for (std::size_t i = 0; i < game_.moves(); ++i) {
            const std::string own = game_.move_name(i);
            if (own == move || (game_.moves() == 1 && name_of(state, i) == move)) return i;
            look(state);
            all += (i == 0 ? "" : ", ") + own;
        }
        throw Error(move + " is no move here",
                    all.empty() ? "the game is over; leave it out" : "choose one of: " + all);
    }

    [[nodiscard]] std::string game_name(const State& state, std::size_t move) {
        look(state);
        return game_.move_name(move);
    }
    // As people call the move: the forced move of whoever really moves.
    [[nodiscard]] std::string name_of(const State& state, std::size_t move) {
        look(state);
        if (game_.moves() == 1) {
            if (const auto deed = forced_(state)) return deed->move;
        }
        return game_.move_name(move);
    }
    [[nodiscard]] Player mover_of(const State& state) {
        look(state);
        if (game_.moves() == 1) {
            if (const auto deed = forced_(state)) return deed->player;
        }
        return game_.turn().player;
    }

    // --- all states from a position on ---

    bool list_all_states() {
        if (options_.listing == nullptr) return list_states(0, options_.most_states);
        if (*options_.listing) {
            read_from(0, *options_.listing);
        } else if (list_states(0, options_.most_states)) {
            *options_.listing = known_;
        }
        return known_ != nullptr;
    }

    // Whether the states that can be reached from the one at this place of the play have been listed.
    bool list_states(std::size_t place, std::size_t most) {
        const State start = game_.initial();
        game_.start_at(states_[place]);
        ExploreOptions exploring;
        exploring.limits = options_.limits;
        exploring.most_states = most;
        exploring.threads = options_.threads;
        Exploration explored = explore(game_, exploring);
        game_.start_at(start);
        result_.states = std::max(result_.states, explored.counted.states);
        if (explored.stop != Stop::none)
            throw LimitReached(explored.stop, "while listing the states", "raise the time or memory limit");
        if (!explored.complete) return false;
        Values values = find_values(explored.graph, options_.limits, options_.threads);
        read_from(place, std::make_shared<const ListedStates>(
                             ListedStates{std::move(explored.graph), std::move(values)}));
        return true;
    }
    // The states from the one at this place of the play on.
    void read_from(std::size_t place, std::shared_ptr<const ListedStates> listing) {
        known_ = std::move(listing);
        first_known_ = place;
        result_.states = std::max(result_.states, known_->graph.states());
        ids_.assign(1, 0);
        for (std::size_t i = place; i + 1 < states_.size(); ++i) {
            look(states_[i]);
            ids_.push_back(known_->graph.successors(ids_.back())[place_of(i)]);
        }
    }
    [[nodiscard]] std::size_t place_of(std::size_t i) {
        for (std::size_t m = 0; m < game_.moves(); ++m) {
            if (game_.move_name(m) == names_[i]) return m;
        }
        return 0;
    }
    [[nodiscard]] bool knows(std::size_t place) const { return known_ && place >= first_known_; }

    // --- one position ---

    template <class Solve>
    void explain_at(std::size_t place, Solve& solve) {
        ExplainedPosition& position = result_.play[place];
        if (position.solved) return;
        look(states_[place]);
        if (game_.turn().over()) {
            position.solved = true;
            position.choice = Choice::over;
            position.left = 0;
            for (std::size_t p = 0; p < game_.players(); ++p)
                position.values.push_back(game_.payoff(static_cast<Player>(p)));
            return;
        }
        position.mover = mover_of(states_[place]);
        position.forced = forced_(states_[place]).has_value();
        if (knows(place)) {
            read_off(position, states_[place], ids_[place - first_known_]);
        } else if (!search(position, place, solve)) {
            return;
        }
        look_ahead(position, states_[place]);
        position.solved = true;
        if (position.forced || position.moves.size() == 1) {
            position.moves.front().move = name_of(states_[place], 0);
        }
        name_choice(position);
        sort(position);
    }

    void read_off(ExplainedPosition& position, const State& state, StateId id) {
        const Graph& graph = known_->graph;
        const Values& values = known_->values;
        const auto left_after = [&](StateId s) {
            return values.rank[s] == outside() ? std::nullopt : std::optional<Rank>(values.rank[s]);
        };
        position.values = values.payoffs(id);
        position.left = left_after(id);
        const auto best = best_moves(graph, values, id);
        const std::size_t chosen = choose(graph, values, id);
        for (std::size_t i = 0; i < graph.successors(id).size(); ++i) {
            const StateId to = graph.successors(id)[i];
            ExplainedMove& move = position.moves.emplace_back();
            move.move = game_name(state, i);
            move.values = values.payoffs(to);
            if (const auto left = left_after(to)) move.left = *left + 1;
            move.best = std::ranges::find(best, i) != best.end();
            move.chosen = i == chosen;
            move.ends = graph.over(to);
            if (!move.ends) move.answer = name_of(after(state, i), choose(graph, values, to));
        }
    }

    template <class Solve>
    bool search(ExplainedPosition& position, std::size_t place, Solve& solve) {
        SolveOptions asked;
        asked.limits = options_.limits;
        asked.threads = options_.threads;
        asked.table_bytes = options_.table_bytes;
        asked.plans = false;
        asked.every_move = true;
        asked.line.assign(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(place));
        const Solution solution = solve(asked);
        if (!solution.solved) {
            result_.stop = solution.stop;
            return false;
        }
        position.values = solution.values;
        position.left = solution.rank;
        look(states_[place]);
        bool chosen = false;
        for (std::size_t i = 0; i < game_.moves(); ++i) {
            const auto report = std::ranges::find(solution.moves, game_.move_name(i), &MoveReport::move);
            if (report == solution.moves.end()) return false;
            ExplainedMove& move = position.moves.emplace_back();
            move.move = report->move;
            move.values = report->values;
            if (report->rank) move.left = *report->rank + 1;
            move.best = report->best;
            move.chosen = report->best && !chosen;
            chosen = chosen || report->best;
        }
        return true;
    }

    // Two moves ahead by the rules alone: ends, wins at once, threats.
    void look_ahead(ExplainedPosition& position, const State& state) {
        std::map<std::string, std::set<std::size_t>> wins;  // of the other, and after which replies
        look(state);
        const std::size_t replies = game_.moves();
        for (std::size_t i = 0; i < replies; ++i) {
            stay_within_limits("while looking for threats");
            ExplainedMove& move = position.moves[i];
            const State next = after(state, i);
            look(next);
            move.ends = game_.turn().over();
            if (move.ends) continue;
            const Player other = mover_of(next);
            if (other == *position.mover) continue;
            for (const std::string& winner : wins_at_once(next, other)) {
                wins[winner].insert(i);
                if (!move.loses_to) move.loses_to = winner;
            }
        }
        if (replies < 2) return;
        for (const auto& [move, after_replies] : wins) {
            if (2 * after_replies.size() < replies) continue;
            Threat& threat = position.threats.emplace_back(Threat{move, {}});
            for (std::size_t i = 0; i < replies; ++i) {
                if (!after_replies.contains(i)) threat.answers.push_back(position.moves[i].move);
            }
        }
    }

    [[nodiscard]] std::vector<std::string> wins_at_once(const State& state, Player player) {
        std::vector<std::string> wins;
        look(state);
        const std::size_t moves = game_.moves();
        for (std::size_t j = 0; j < moves; ++j) {
            const State end = after(state, j);
            look(end);
            if (!game_.turn().over()) continue;
            std::vector<int> values;
            for (std::size_t p = 0; p < game_.players(); ++p)
                values.push_back(game_.payoff(static_cast<Player>(p)));
            if (values.size() > 1 && std::string(verdict(player, values)) == "won")
                wins.push_back(name_of(state, j));
        }
        return wins;
    }

    static void name_choice(ExplainedPosition& position) {
        const auto& moves = position.moves;
        const auto holds = std::ranges::count_if(moves, [](const auto& move) { return !move.loses_to; });
        const auto best = std::ranges::count_if(moves, [](const auto& move) { return move.best; });
        position.choice = moves.size() == 1                ? Choice::only_move
                          : holds == 0                     ? Choice::none_holds
                          : holds == 1 && moves.size() > 2 ? Choice::only_answer
                          : best == 1                      ? Choice::only_good
                                                           : Choice::free;
    }

    // The chosen move, then by what they are worth to who moves; who wins likes it soon, who loses late.
    static void sort(ExplainedPosition& position) {
        const Player mover = *position.mover;
        const auto rank = [&](const ExplainedMove& move) {
            const std::string word = verdict(mover, move.values);
            const std::int64_t left = move.left.value_or(0);
            return std::tuple(!move.chosen, -move.values[mover], word == "lost" ? -left : left);
        };
        std::ranges::stable_sort(position.moves, {}, rank);
    }

    // --- the play ---

    template <class Solve>
    void continue_line(Solve& solve) {
        std::unordered_set<std::string> met;
        for (std::size_t place = states_.size() - 1;; ++place) {
            explain_at(place, solve);
            const ExplainedPosition& position = result_.play[place];
            if (!position.solved) return;
            result_.complete = position.choice == Choice::over;
            if (result_.complete || place - result_.at >= options_.most_moves) return;
            result_.repeats = !met.insert(hex(game_.key(states_[place]))).second;
            if (result_.repeats) {
                result_.complete = true;
                return;
            }
            make_chosen(place);
            if (!knows(place + 1)) list_states(place + 1, few_states);
        }
    }

    void make_chosen(std::size_t place) {
        ExplainedPosition& position = result_.play[place];
        const std::string chosen = position.moves.front().move;
        look(states_[place]);
        const std::size_t move = find(states_[place], chosen);
        position.made = chosen;
        names_.push_back(game_name(states_[place], move));
        states_.push_back(after(states_[place], move));
        if (knows(place)) ids_.push_back(known_->graph.successors(ids_.back())[move]);
        result_.play.emplace_back();
    }

    // The latest positions are the easiest; where one is too hard, those before it are, too.
    template <class Solve>
    void explain_history(Solve& solve) {
        for (std::size_t place = result_.at; place-- > 0;) {
            explain_at(place, solve);
            if (!result_.play[place].solved) return;
        }
    }

    static constexpr std::size_t few_states = 300'000;  // tried at every position of a line that is searched

    G& game_;
    Forced forced_;
    const ExplainOptions& options_;
    Explanation result_;
    std::vector<State> states_;       // of the play
    std::vector<std::string> names_;  // of its moves, by the game
    std::shared_ptr<const ListedStates> known_;
    std::size_t first_known_ = 0;
    std::vector<StateId> ids_;  // of the play, from the first known state on
};

}  // namespace zermelo::game
