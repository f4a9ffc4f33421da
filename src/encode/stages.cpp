#include "encode/stages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "encode/quantify.hpp"
#include "encode/shared_information.hpp"

namespace zermelo::encode {

using gdl::Network;
using gdl::Signal;

namespace {

using Mover = Unrolling::Mover;

class StageWriter {
public:
    StageWriter(std::ostream& out, const gdl::Game& game, const Unrolling& unrolling,
                const StagesOptions& options)
        : out_(out),
          game_(game),
          network_(game.machine().network()),
          options_(options),
          unrolling_(unrolling),
          steps_(unrolling.steps),
          circuit_(unrolling.circuit),
          numbers_(game),
          chance_(chance_of(game)) {
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (r != chance_) players_[r] = players_.size() + 1;
        }
    }

    void run() {
        if (const auto unseen = unseen_move()) share(*unseen);
        header();
        Signal ended = Network::never;
        for (std::size_t t = 0; t < steps_.size(); ++t) {
            const auto& step = steps_[t];
            first_end_.push_back(all({!ended, step.terminal}));
            ended = any({ended, step.terminal});
            stage(t, ended);
        }
        if (shared_) draw_hidden();
        utilities();
        out_ << "\nsolve satisfy;\n";
    }

private:
    [[nodiscard]] Place place() const { return {game_.description().file}; }
    [[nodiscard]] std::string role(std::size_t r) const { return game_.text(network_.roles[r]); }

    // What is wrong where a player may not see a move of another role. Without `sees`, everybody sees everything.
    [[nodiscard]] std::optional<std::string> unseen_move() const {
        const auto& rules = game_.description().rules;
        if (std::ranges::find(rules, gdl::kw_sees,
                              [](const gdl::Rule& rule) { return rule.head.relation; }) == rules.end())
            return std::nullopt;
        for (const auto& [player, number] : players_) {
            for (std::size_t r = 0; r < network_.roles.size(); ++r) {
                if (r == player || !chance_ || network_.moves[r].size() < 2) continue;
                for (const auto& move : network_.moves[r]) {
                    const Signal made(move.node, false);
                    if (std::ranges::find(network_.sees[player], made, &Network::Percept::seen) !=
                        network_.sees[player].end())
                        continue;
                    return fmt::format("{} may not see that {} does {}", role(player), role(r),
                                       game_.text(move.term));
                }
            }
        }
        return std::nullopt;
    }

    // Then the variables of chance have what is seen of its moves.
    void share(const std::string& unseen) {
        SharedInformationOptions how{.limits = options_.limits};
        how.most_plays = options_.most_rows;
        try {
            shared_ = share_information(game_, unrolling_, numbers_, *chance_, how);
        } catch (const gdl::TooLarge&) {
            throw Error(place(), unseen + ", and there are too many plays to tell what is known of it",
                        "give a smaller " + setting("horizon"));
        }
    }

    void header() {
        out_ << fmt::format(
            "% {}\n%\n% Which goals can be expected within {} moves, in hundredths? Read it with: zermelo "
            "solve --best\n",
            game_.description().file, steps_.size() - 1);
        for (const auto& [r, number] : players_) out_ << fmt::format("% Player {} is {}.\n", number, role(r));
        std::set<std::size_t> moving;
        for (const auto& step : steps_) {
            for (const Mover& mover : step.movers) moving.insert(mover.role);
        }
        for (const std::size_t r : moving) {
            out_ << fmt::format("%\n% The moves of {}:\n", role(r));
            for (std::size_t value = 1; value <= network_.moves[r].size(); ++value)
                out_ << fmt::format("%   {} = {}\n", value,
                                    numbers_.text(r, static_cast<model::Value>(value)));
        }
        out_ << "\ninclude \"zermelo.mzn\";\n";
    }

    // ---- a turn

    void stage(std::size_t t, Signal ended) {
        const auto& step = steps_[t];
        if (step.movers.empty()) {
            if (shared_) draw_seen(t);
            return;
        }
        out_ << fmt::format("\n% Stage {}\n", t + 1);
        require_one_player(step);
        for (const Mover& mover : step.movers) {
            if (mover.role != chance_) decide(t, mover, ended);
        }
        if (shared_) {
            draw_seen(t);
            return;
        }
        for (const Mover& mover : step.movers) {
            if (mover.role == chance_) draw(t, mover);
        }
    }

    // No two players have two moves each at the same time.
    void require_one_player(const Unrolling::Step& step) {
        std::vector<std::pair<std::size_t, Signal>> free;
        for (const Mover& mover : step.movers) {
            if (mover.role == chance_) continue;
            std::vector<Signal> pairs;
            for (std::size_t i = 0; i < mover.legal.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) pairs.push_back(all({mover.legal[i], mover.legal[j]}));
            }
            const Signal choosing = any(pairs);
            for (const auto& [other, others_choosing] : free) {
                if (all({choosing, others_choosing, !step.terminal}) == Network::never) continue;
                throw Error(place(),
                            fmt::format("{} and {} may have a choice at the same time", role(other),
                                        role(mover.role)),
                            "only games without simultaneous choices can be turned into models");
            }
            free.emplace_back(mover.role, choosing);
        }
    }

    [[nodiscard]] model::Value value(const Mover& mover, std::size_t option) const {
        return numbers_.value(mover.role, mover.options[option]);
    }
    [[nodiscard]] std::vector<model::Value> values(const Mover& mover) const {
        std::vector<model::Value> result;
        for (std::size_t i = 0; i < mover.options.size(); ++i) result.push_back(value(mover, i));
        std::ranges::sort(result);
        return result;
    }

    std::string declare(std::size_t t, const Mover& mover) {
        std::string name = fmt::format("move_{}_{}", t + 1, mover.role + 1);
        out_ << fmt::format("var {{{}}}: {};\n", fmt::join(values(mover), ", "), name);
        if (choices_.size() <= mover.choice) choices_.resize(mover.choice + 1);
        choices_[mover.choice] = {name, &mover};
        ++level_;
        if (shared_) {
            Known& known = known_variables_.emplace_back(Known{name, values(mover), {}});
            for (const model::Value one : known.values) {
                for (std::uint32_t i = 0; i < mover.options.size(); ++i) {
                    if (value(mover, i) == one) known.numbers.push_back(i);
                }
            }
        }
        return name;
    }

    void decide(std::size_t t, const Mover& mover, Signal ended) {
        const std::string name = declare(t, mover);
        const auto domain = values(mover);
        out_ << fmt::format("constraint choose({}, {}, {}, {{{}}});  % {}\n", level_, players_.at(mover.role),
                            name, fmt::join(domain, ", "), role(mover.role));
        std::vector<Signal> obeyed;
        std::uint32_t least = 0;
        for (std::uint32_t i = 0; i < mover.options.size(); ++i) {
            if (value(mover, i) == domain.front()) least = i;
            obeyed.push_back(any({mover.legal[i], ended, !circuit_.chosen(mover.choice, {i})}));
        }
        obeyed.push_back(any({!ended, circuit_.chosen(mover.choice, {least})}));
        const Signal rule = all(std::move(obeyed));
        if (rule != Network::always) {
            const std::string condition = text(rule);
            out_ << fmt::format("constraint hard({});\n", condition);
        }
    }

    // Equally likely among what is legal; the first value where nothing is, because the play has ended.
    void draw(std::size_t t, const Mover& mover) {
        std::vector<std::size_t> scope = choices_of(mover.legal);
        std::size_t rows = 1;
        for (const std::size_t choice : scope) rows *= choices_[choice].mover->options.size();
        if (rows > options_.most_rows) {
            throw Error(place(),
                        fmt::format("what chance may do at step {} depends on more than {} plays", t + 1,
                                    options_.most_rows),
                        "give a smaller " + setting("horizon"));
        }
        const std::string name = declare(t, mover);
        const auto domain = values(mover);
        std::vector<std::size_t> by_value(mover.options.size());  // options in the order of their values
        for (std::size_t i = 0; i < by_value.size(); ++i) by_value[i] = i;
        std::ranges::sort(by_value, {}, [&](std::size_t i) { return value(mover, i); });
        std::vector<int> weights;
        std::map<std::size_t, std::uint32_t> chosen;
        const auto add_rows = [&](const auto& self, std::size_t at) -> void {
            if (at < scope.size()) {
                const Mover& other = *choices_[scope[at]].mover;
                std::vector<std::uint32_t> order(other.options.size());
                for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
                std::ranges::sort(order, {}, [&](std::uint32_t i) { return value(other, i); });
                for (const std::uint32_t option : order) {
                    chosen[scope[at]] = option;
                    self(self, at + 1);
                }
                return;
            }
            known_.clear();
            std::vector<int> row;
            for (const std::size_t i : by_value) row.push_back(holds(mover.legal[i], chosen) ? 1 : 0);
            if (std::ranges::count(row, 1) == 0) row.front() = 1;
            weights.insert(weights.end(), row.begin(), row.end());
        };
        add_rows(add_rows, 0);
        write_chance(name, domain, scope, weights);
    }

    void write_chance(const std::string& name, const std::vector<model::Value>& domain,
                      const std::vector<std::size_t>& scope, const std::vector<int>& weights) {
        out_ << fmt::format("constraint chance({}, {}, {{{}}}", level_, name, fmt::join(domain, ", "));
        if (!scope.empty()) {
            std::vector<std::string> names;
            std::vector<std::string> sets;
            for (const std::size_t choice : scope) {
                names.push_back(choices_[choice].name);
                sets.push_back(fmt::format("{{{}}}", fmt::join(values(*choices_[choice].mover), ", ")));
            }
            out_ << fmt::format(", [{}], [{}]", fmt::join(names, ", "), fmt::join(sets, ", "));
        }
        if (!scope.empty())
            out_ << fmt::format(", array2d(1..{}, 1..{}, [{}])", weights.size() / domain.size(),
                                domain.size(), fmt::join(weights, ", "));
        else if (std::ranges::count(weights, 0) > 0)
            out_ << fmt::format(", [{}]", fmt::join(weights, ", "));
        out_ << ");\n";
    }

    // ---- what is seen of chance, and what is not

    // A variable with what the players see of a step; no variable where there is nothing to see.
    void draw_seen(std::size_t t) {
        if (t + 1 >= steps_.size()) return;
        const auto& step = shared_->steps[t];
        Known known{fmt::format("seen_{}", t + 1), {}, {}};
        for (std::uint32_t i = 0; i < step.classes; ++i) {
            known.values.push_back(static_cast<model::Value>(i + 1));
            known.numbers.push_back(i);
        }
        if (step.classes > 1) write_given_known(known.name, known.values, step.seen);
        known_variables_.push_back(std::move(known));
    }

    // The last variable has what chance did, as far as it matters for anybody.
    void draw_hidden() {
        std::vector<model::Value> domain;
        for (std::size_t i = 0; i < shared_->hidden.size(); ++i)
            domain.push_back(static_cast<model::Value>(i));
        out_ << "\n% What chance has done, of which only `seen` is known before; 0 after decisions that were "
                "not legal\n";
        write_given_known("hidden", domain, shared_->given_all);
        out_ << "constraint hard(hidden > 0);\n";
    }

    void write_given_known(const std::string& name, const std::vector<model::Value>& domain,
                           const std::map<SharedInformation::History, SharedInformation::Weights>& given) {
        std::size_t rows = 1;
        for (const Known& known : known_variables_) {
            rows *= known.values.size();
            if (rows * domain.size() > options_.most_rows) {
                throw Error(
                    place(),
                    fmt::format("the table of `{}` has more than {} entries", name, options_.most_rows),
                    "give a smaller " + setting("horizon"));
            }
        }
        std::vector<std::string> weights;
        SharedInformation::History history;
        const auto add_rows = [&](const auto& self) -> void {
            if (history.size() < known_variables_.size()) {
                for (const std::uint32_t number : known_variables_[history.size()].numbers) {
                    history.push_back(number);
                    self(self);
                    history.pop_back();
                }
                return;
            }
            for (std::string& weight : integer_weights(given, history, domain.size()))
                weights.push_back(std::move(weight));
        };
        add_rows(add_rows);
        ++level_;
        out_ << fmt::format("var {{{}}}: {};\n", fmt::join(domain, ", "), name);
        std::vector<std::string> names;
        std::vector<std::string> sets;
        for (const Known& known : known_variables_) {
            if (known.values.size() < 2) continue;
            names.push_back(known.name);
            sets.push_back(fmt::format("{{{}}}", fmt::join(known.values, ", ")));
        }
        out_ << fmt::format("constraint chance({}, {}, {{{}}}", level_, name, fmt::join(domain, ", "));
        if (names.empty())
            out_ << fmt::format(", [{}]);\n", fmt::join(weights, ", "));
        else
            out_ << fmt::format(", [{}], [{}], array2d(1..{}, 1..{}, [{}]));\n", fmt::join(names, ", "),
                                fmt::join(sets, ", "), rows, domain.size(), fmt::join(weights, ", "));
    }

    // ---- what a play is worth

    void utilities() {
        out_ << '\n';
        for (const auto& [player, number] : players_) {
            std::map<int, std::vector<Signal>> reached;
            const auto& goals = network_.goals[player];
            for (std::size_t t = 0; t < steps_.size(); ++t) {
                std::vector<Signal> first = {first_end_[t]};  // and no goal before this one
                for (std::size_t i = 0; i < goals.size(); ++i) {
                    std::vector<Signal> here = first;
                    here.push_back(steps_[t].goals[player][i]);
                    if (goals[i].value > 0) reached[goals[i].value].push_back(all(std::move(here)));
                    first.push_back(!steps_[t].goals[player][i]);
                }
            }
            for (auto& [goal, ways] : reached) {
                const Signal way = any(std::move(ways));
                if (way == Network::never) continue;
                const std::string condition = text(way);
                out_ << fmt::format("constraint worth({}, {} * bool2int({}), 100);\n", number, goal,
                                    condition);
            }
        }
    }

    // ---- signals

    [[nodiscard]] Signal all(std::vector<Signal> signals) { return circuit_.conjunction(std::move(signals)); }
    [[nodiscard]] Signal any(std::vector<Signal> signals) {
        for (Signal& s : signals) s = !s;
        return !all(std::move(signals));
    }

    // The choices that the signals depend on, ascending.
    [[nodiscard]] std::vector<std::size_t> choices_of(const std::vector<Signal>& signals) const {
        std::set<std::uint32_t> met;
        std::set<std::size_t> found;
        std::vector<std::uint32_t> todo;
        for (const Signal s : signals) todo.push_back(s.node());
        while (!todo.empty()) {
            const std::uint32_t node = todo.back();
            todo.pop_back();
            if (node == 0 || !met.insert(node).second) continue;
            if (!circuit_.is_gate(node)) {
                found.insert(circuit_.choice_of(node));
                continue;
            }
            for (const Signal s : circuit_.inputs_of(node)) todo.push_back(s.node());
        }
        return {found.begin(), found.end()};
    }

    [[nodiscard]] bool holds(Signal s, const std::map<std::size_t, std::uint32_t>& chosen) {
        if (s.node() == 0) return !s.negated();
        const auto found = known_.find(s.node());
        bool value = false;
        if (found != known_.end()) {
            value = found->second;
        } else if (circuit_.is_gate(s.node())) {
            value = std::ranges::all_of(circuit_.inputs_of(s.node()),
                                        [&](Signal input) { return holds(input, chosen); });
        } else {
            value = std::ranges::binary_search(circuit_.options_of(s.node()),
                                               chosen.at(circuit_.choice_of(s.node())));
        }
        known_[s.node()] = value;
        return value != s.negated();
    }

    // Defines what the signal needs, inputs first, and says how to write it.
    [[nodiscard]] std::string text(Signal s) {
        std::vector<std::uint32_t> open = {s.node()};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            const std::size_t before = open.size();
            if (node != 0 && !defined_.contains(node) && circuit_.is_gate(node)) {
                for (const Signal input : circuit_.inputs_of(node)) {
                    if (input.node() != 0 && !defined_.contains(input.node())) open.push_back(input.node());
                }
            }
            if (open.size() > before) continue;
            open.pop_back();
            if (node != 0 && defined_.insert(node).second) define(node);
        }
        return literal(s);
    }
    [[nodiscard]] static std::string literal(Signal s) {
        if (s.node() == 0) return s.negated() ? "false" : "true";
        return fmt::format("{}b{}", s.negated() ? "not " : "", s.node());
    }
    void define(std::uint32_t node) {
        std::vector<std::string> parts;
        if (circuit_.is_gate(node)) {
            for (const Signal s : circuit_.inputs_of(node)) parts.push_back(literal(s));
            out_ << fmt::format("var bool: b{} = ({});\n", node, fmt::join(parts, " /\\ "));
            return;
        }
        if (shared_ && shared_->chance.contains(circuit_.choice_of(node))) {
            define_by_hidden(node);
            return;
        }
        const auto& [name, mover] = choices_[circuit_.choice_of(node)];
        for (const std::uint32_t option : circuit_.options_of(node))
            parts.push_back(fmt::format("{}", value(*mover, option)));
        out_ << fmt::format("var bool: b{} = ({} in {{{}}});\n", node, name, fmt::join(parts, ", "));
    }

    void define_by_hidden(std::uint32_t node) {
        const std::size_t place = shared_->chance.at(circuit_.choice_of(node));
        std::vector<std::size_t> values;
        for (std::size_t i = 1; i < shared_->hidden.size(); ++i) {
            if (std::ranges::binary_search(circuit_.options_of(node), shared_->hidden[i][place]))
                values.push_back(i);
        }
        out_ << fmt::format("var bool: b{} = (hidden in {{{}}});\n", node, fmt::join(values, ", "));
    }

    struct Choice {
        std::string name;
        const Mover* mover = nullptr;
    };
    struct Known {  // a variable that comes before those that are drawn
        std::string name;
        std::vector<model::Value> values;    // ascending
        std::vector<std::uint32_t> numbers;  // by value: an option, or what is seen
    };

    std::ostream& out_;
    const gdl::Game& game_;
    const Network& network_;
    const StagesOptions& options_;
    const Unrolling& unrolling_;
    const std::vector<Unrolling::Step>& steps_;
    ChoiceCircuit circuit_;  // a copy, to which conditions are added
    MoveNumbers numbers_;
    std::optional<std::size_t> chance_;
    std::map<std::size_t, std::size_t> players_;  // by role: its number
    std::vector<Choice> choices_;                 // by choice of the circuit
    std::optional<SharedInformation> shared_;     // where some moves of chance are not seen
    std::vector<Known> known_variables_;          // then: in the order of a history
    std::vector<Signal> first_end_;               // by step: the play ends here
    std::set<std::uint32_t> defined_;
    std::map<std::uint32_t, bool> known_;  // by node, for the row at hand
    std::size_t level_ = 0;
};

}  // namespace

std::optional<std::size_t> chance_of(const gdl::Game& game) {
    const auto& roles = game.machine().network().roles;
    const auto found =
        std::ranges::find_if(roles, [&](gdl::TermId role) { return game.text(role) == "random"; });
    if (found == roles.end()) return std::nullopt;
    return static_cast<std::size_t>(found - roles.begin());
}

void write_stages(std::ostream& out, const gdl::Game& game, const Unrolling& unrolling,
                  const StagesOptions& options) {
    StageWriter(out, game, unrolling, options).run();
}

}  // namespace zermelo::encode
