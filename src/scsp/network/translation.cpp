// The translation of a game into its micro-SCSP: variables for what a turn is about, constraints for its
// rules.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

using gdl::Network;

namespace {

class Translation {
public:
    Translation(const gdl::Game& game, const MutexGroups& mutex_groups, const MicroScspOptions& options)
        : game_(game), network_(game.machine().network()), mutex_groups_(mutex_groups), options_(options) {}

    MicroScsp run() {
        result_.network = &network_;
        result_.literals.resize(network_.first_gate);
        add_variables();
        ConstraintEvaluator evaluator(result_);
        for (const auto& [rule, link] : links_) {
            if (options_.limits.reached() != Stop::none) {
                throw LimitReached(options_.limits.reached(), "while building the constraints",
                                   "raise the limit, or allow fewer tuples per table");
            }
            add_constraint(rule, link, evaluator);
        }
        return std::move(result_);
    }

private:
    VariableId add(Kind kind, std::uint32_t role, std::string name) {
        result_.variables.push_back({kind, role, std::move(name), {}, {}, {}});
        return static_cast<VariableId>(result_.variables.size() - 1);
    }
    Value add_value(VariableId variable, std::string text, std::uint32_t meaning) {
        Variable& of = result_.variables[variable];
        of.values.push_back(std::move(text));
        of.meaning.push_back(meaning);
        of.domain.push_back(static_cast<Value>(of.domain.size()));
        return of.domain.back();
    }

    // The argument places in which the terms of a group differ.
    [[nodiscard]] std::set<std::size_t> places(const std::vector<std::uint32_t>& group) const {
        std::set<std::size_t> result;
        const auto first = network_.terms.arguments(network_.fluents[group.front()]);
        for (const std::uint32_t f : group) {
            const auto arguments = network_.terms.arguments(network_.fluents[f]);
            for (std::size_t i = 0; i < std::min(first.size(), arguments.size()); ++i) {
                if (first[i] != arguments[i]) result.insert(i);
            }
        }
        return result;
    }

    void add_state(Kind kind) {
        std::vector<const MutexGroups::Group*> group_of(network_.fluents.size(), nullptr);
        for (const auto& group : mutex_groups_.groups) {
            for (const std::uint32_t f : group.fluents) group_of[f] = &group;
        }
        const auto set_value = [&](std::uint32_t fluent, VariableId variable, Value value) {
            if (kind == Kind::now) {
                result_.literals[1 + fluent] = {variable, value};
            } else {
                links_.push_back(
                    {Rule::next, {variable, value, network_.next[fluent], Link::Sense::exactly}});
            }
        };
        std::set<const MutexGroups::Group*> done;
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) {
            const MutexGroups::Group* group = group_of[f];
            if (group == nullptr) {
                const VariableId variable = add(kind, Variable::nothing, game_.text(network_.fluents[f]));
                add_value(variable, "no", Variable::nothing);
                set_value(f, variable, add_value(variable, "yes", f));
            } else if (done.insert(group).second) {
                add_group(kind, *group, set_value);
            }
        }
    }

    template <class SetValue>
    void add_group(Kind kind, const MutexGroups::Group& group, const SetValue& set_value) {
        const std::set<std::size_t> differ = places(group.fluents);
        const gdl::TermId first = network_.fluents[group.fluents[0]];
        std::vector<std::string> words = {game_.description().symbols.name(network_.terms.symbol(first))};
        for (const gdl::TermId argument : network_.terms.arguments(first))
            words.push_back(game_.text(argument));
        for (const std::size_t i : differ) words[i + 1] = "?";
        const VariableId variable = add(kind, Variable::nothing, fmt::format("({})", fmt::join(words, " ")));
        for (const std::uint32_t f : group.fluents) {
            const auto arguments = network_.terms.arguments(network_.fluents[f]);
            std::vector<std::string> different;
            for (const std::size_t i : differ) different.push_back(game_.text(arguments[i]));
            set_value(f, variable, add_value(variable, fmt::format("{}", fmt::join(different, " ")), f));
        }
        if (!group.exact) add_value(variable, "none", Variable::nothing);
    }

    void add_variables() {
        const VariableId terminal = add(Kind::terminal, Variable::nothing, "terminal");
        add_value(terminal, "no", Variable::nothing);
        add_value(terminal, "yes", 0);
        result_.constraints.push_back({Rule::goes_on, {terminal}, true, {0}, {}});
        links_.push_back({Rule::terminal, {terminal, 1, network_.terminal, Link::Sense::exactly}});
        add_state(Kind::now);
        add_state(Kind::next);
        const auto chance = chance_role(network_);
        for (std::uint32_t r = 0; r < network_.roles.size(); ++r) {
            const std::string role = game_.text(network_.roles[r]);
            const VariableId action =
                add(chance == r ? Kind::chance : Kind::action, r, fmt::format("(does {})", role));
            for (gdl::MoveId m = 0; m < network_.moves[r].size(); ++m) {
                const auto& move = network_.moves[r][m];
                const Value value = add_value(action, game_.text(move.term), m);
                result_.literals[move.node] = {action, value};
                links_.push_back({Rule::legal, {action, value, move.legal, Link::Sense::only_if}});
            }
            result_.consistent = result_.consistent && !network_.moves[r].empty();
        }
        for (std::uint32_t r = 0; r < network_.roles.size(); ++r) {
            if (network_.goals[r].empty()) continue;
            const VariableId goal =
                add(Kind::goal, r, fmt::format("(goal {})", game_.text(network_.roles[r])));
            bool always = false;
            for (std::uint32_t i = 0; i < network_.goals[r].size(); ++i) {
                const auto& stated = network_.goals[r][i];
                const Value value = add_value(goal, std::to_string(stated.value), i);
                links_.push_back({Rule::goal, {goal, value, stated.holds, Link::Sense::first}});
                always = always || stated.holds == Network::always;
            }
            if (!always) add_value(goal, "none", Variable::nothing);
        }
        for (std::uint32_t r = 0; options_.percepts && r < network_.roles.size(); ++r) {
            for (std::uint32_t i = 0; i < network_.sees[r].size(); ++i) {
                const auto& percept = network_.sees[r][i];
                const VariableId seen =
                    add(Kind::percept, r,
                        fmt::format("(sees {} {})", game_.text(network_.roles[r]), game_.text(percept.term)));
                add_value(seen, "no", Variable::nothing);
                add_value(seen, "yes", i);
                links_.push_back({Rule::sees, {seen, 1, percept.seen, Link::Sense::exactly}});
            }
        }
    }

    void add_constraint(Rule rule, const Link& link, ConstraintEvaluator& evaluator) {
        if (link.sense == Link::Sense::only_if && link.signal == Network::always) return;
        const std::vector<VariableId> inputs = evaluator.inputs(link.signal);
        Constraint made{rule, inputs, true, {}, {}};
        made.scope.insert(std::ranges::upper_bound(made.scope, link.variable), link.variable);
        std::size_t combinations = 1;
        for (const VariableId v : made.scope) {
            combinations *= result_.variables[v].values.size();
            if (combinations > options_.most_tuples) break;
        }
        if (combinations > options_.most_tuples) {
            made.table = false;
            made.links.push_back(link);
        } else {
            fill(made, link, evaluator);
        }
        result_.constraints.push_back(std::move(made));
    }

    // Counts through all values of the inputs; the last one moves fastest.
    void fill(Constraint& table, const Link& link, ConstraintEvaluator& evaluator) {
        table.table = false;
        table.links = {link};
        std::vector<Value> assignment(result_.variables.size(), 0);
        for (bool more = true; more;) {
            if (evaluator.allows(table, assignment)) {
                for (const VariableId v : table.scope) table.tuples.push_back(assignment[v]);
            }
            more = false;
            for (std::size_t i = table.scope.size(); i-- > 0 && !more;) {
                Value& value = assignment[table.scope[i]];
                more = ++value < result_.variables[table.scope[i]].values.size();
                if (!more) value = 0;
            }
        }
        table.table = true;
        table.links.clear();
    }

    const gdl::Game& game_;
    const Network& network_;
    const MutexGroups& mutex_groups_;
    const MicroScspOptions& options_;
    MicroScsp result_;
    std::vector<std::pair<Rule, Link>> links_;
};

}  // namespace

MicroScsp make_micro_scsp(const gdl::Game& game, const MutexGroups& mutex_groups,
                          const MicroScspOptions& options) {
    return Translation(game, mutex_groups, options).run();
}

}  // namespace zermelo::scsp
