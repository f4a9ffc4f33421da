#include "gdl/quantify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace zermelo::gdl {

namespace {

// A name that MiniZinc, too, accepts: (cell 1 1 x) at step 3 is cell_1_1_x__3.
std::string plain_name(const std::string& term, std::size_t step) {
    std::string name;
    for (const char c : term) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain) name += c;
        if (!plain && !name.empty() && name.back() != '_') name += '_';
    }
    while (!name.empty() && name.back() == '_') name.pop_back();
    const bool letter = !name.empty() && !(name.front() >= '0' && name.front() <= '9');
    return fmt::format("{}{}__{}", letter ? "" : "f_", name, step);
}

class Translator {
public:
    Translator(const Game& game, const Unrolling& unrolling, const Question& question)
        : game_(game),
          network_(game.machine().network()),
          steps_(unrolling.steps),
          circuit_(unrolling.circuit),
          numbers_(game) {
        result_.question = question;
        result_.horizon = steps_.size() - 1;
        model().name = game.description().file;
        model().strategic = question.form == ModelForm::strategic;
    }

    QuantifiedGame run() {
        declare_moves();
        name_fluents();
        for (std::size_t t = 0; t < steps_.size(); ++t) {
            end_here(steps_[t]);
            if (!steps_[t].mover) continue;
            if (model().strategic) {
                constrain_moves(t);
            } else {
                add_rule(t);
            }
        }
        demand_good();
        return std::move(result_);
    }

private:
    [[nodiscard]] Model& model() { return result_.model; }
    [[nodiscard]] bool ours(const Unrolling::Step& step) const {
        return *step.mover == result_.question.role;
    }

    // Blocks stand first, so that the variables of the moves have the smallest numbers.
    void declare_moves() {
        for (std::size_t t = 0; t < steps_.size(); ++t) {
            const Unrolling::Step& step = steps_[t];
            if (!step.mover) continue;
            std::vector<Value> values;
            for (const MoveId m : step.options) values.push_back(numbers_.value(*step.mover, m));
            const VarId v = model().add_variable(fmt::format("move_{}", t + 1), Domain(std::move(values)));
            result_.turns.push_back({v, t + 1, *step.mover});
            model().prefix.push_back(
                {ours(step) ? Quantifier::exists : Quantifier::forall, {v}, std::nullopt, {}});
        }
    }

    // Only the first fluent that a gate stands for names it.
    void name_fluents() {
        std::set<std::string> taken;
        for (std::size_t t = 1; t < steps_.size(); ++t) {
            for (std::size_t f = 0; f < steps_[t].state.size(); ++f) {
                const Signal s = steps_[t].state[f];
                if (s.negated() || !circuit_.is_gate(s.node()) || names_.contains(s.node())) continue;
                std::string name = plain_name(game_.text(network_.fluents[f]), t);
                while (!taken.insert(name).second) name += '_';
                names_[s.node()] = std::move(name);
            }
        }
    }

    // ---- what is said about plays

    void end_here(const Unrolling::Step& step) {
        std::vector<Signal> not_enough;
        const auto& goals = network_.goals[result_.question.role];
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (goals[i].value >= result_.question.threshold)
                not_enough.push_back(!step.goals[result_.question.role][i]);
        }
        const Signal enough = !all(not_enough);
        const Signal good = any({good_, all({!bad_, step.terminal, enough})});
        const Signal bad = any({bad_, all({!good_, step.terminal, !enough})});
        good_ = good;
        bad_ = bad;
    }

    // Who may make this block's moves has not lost by now, or the play would not have come here.
    void passed(const Unrolling::Step& step) { (ours(step) ? bad_ : good_) = Network::never; }

    void add_rule(std::size_t t) {
        const Unrolling::Step& step = steps_[t];
        const Signal own = ours(step) ? good_ : bad_;
        std::vector<Signal> obeyed = {ours(step) ? !bad_ : !good_};
        for (const auto& [legal, options] : by_legality(step))
            obeyed.push_back(any({!circuit_.chosen(step.choice, options), legal}));
        const Signal rule = any({own, all(std::move(obeyed))});
        if (rule != Network::always) model().prefix[block_].rule = literal(rule);
        ++block_;
        passed(step);
    }

    // Made only if: clauses that mention the move.
    void constrain_moves(std::size_t t) {
        const Unrolling::Step& step = steps_[t];
        const Signal own = ours(step) ? good_ : bad_;
        const Signal other = ours(step) ? bad_ : good_;
        for (const auto& [legal, options] : by_legality(step))
            demand({!circuit_.chosen(step.choice, options), own, legal});
        if (other != Network::never) {
            for (std::uint32_t i = 0; i < step.options.size(); ++i)
                demand({!circuit_.chosen(step.choice, {i}), own, !other});
        }
        passed(step);
    }

    void demand_good() {
        if (!model().strategic) {
            model().win.push_back(literal(good_));
            return;
        }
        const VarId result = model().add_variable("good", Domain(0, 1), true);
        model().prefix.push_back({Quantifier::exists, {result}, std::nullopt, {}});
        model().win.push_back({result, true});
        Clause only_if{{{result, false}}, std::nullopt};
        if (good_ == Network::always) return;
        if (good_ != Network::never) only_if.literals.push_back(literal(good_));
        model().constraints.push_back({std::move(only_if), {}, std::nullopt});
    }

    // The options that are legal under the same condition, one group each; what always is is left out.
    static std::vector<std::pair<Signal, ChoiceCircuit::Options>> by_legality(const Unrolling::Step& step) {
        std::map<std::uint32_t, std::pair<Signal, ChoiceCircuit::Options>> groups;
        for (std::uint32_t i = 0; i < step.options.size(); ++i) {
            if (step.legal[i] == Network::always) continue;
            auto& group = groups[step.legal[i].code()];
            group.first = step.legal[i];
            group.second.push_back(i);
        }
        std::vector<std::pair<Signal, ChoiceCircuit::Options>> result;
        for (auto& [code, group] : groups) result.push_back(std::move(group));
        return result;
    }

    [[nodiscard]] Signal all(std::vector<Signal> signals) { return circuit_.conjunction(std::move(signals)); }
    [[nodiscard]] Signal any(std::vector<Signal> signals) {
        for (Signal& s : signals) s = !s;
        return !all(std::move(signals));
    }

    // ---- signals as variables

    void demand(const std::vector<Signal>& signals) {
        Clause clause;
        for (const Signal s : signals) {
            if (s == Network::always) return;
            if (s != Network::never) clause.literals.push_back(literal(s));
        }
        model().constraints.push_back({std::move(clause), {}, std::nullopt});
    }

    // Inputs are defined before the gates that read them; without recursion, because chains are long.
    Literal literal(Signal s) {
        if (s.node() == 0) return model().literal(!s.negated());
        std::vector<std::uint32_t> open = {s.node()};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            const std::size_t before = open.size();
            if (!variable_.contains(node) && circuit_.is_gate(node)) {
                for (const Signal input : circuit_.inputs_of(node)) {
                    if (!variable_.contains(input.node())) open.push_back(input.node());
                }
            }
            if (open.size() > before) continue;
            open.pop_back();
            if (!variable_.contains(node)) define(node);
        }
        return {variable_.at(s.node()), !s.negated()};
    }

    void define(std::uint32_t node) {
        const auto named = names_.find(node);
        const VarId v = model().add_variable(named == names_.end() ? fmt::format("b{}", node) : named->second,
                                             Domain(0, 1), true);
        variable_[node] = v;
        if (circuit_.is_gate(node)) {
            Clause clause{{}, Literal{v, false}};
            for (const Signal s : circuit_.inputs_of(node))
                clause.literals.push_back({variable_.at(s.node()), s.negated()});
            model().constraints.push_back({std::move(clause), {}, v});
        } else {
            model().constraints.push_back({choice_body(node, v), {}, v});
        }
    }

    [[nodiscard]] decltype(Constraint::body) choice_body(std::uint32_t node, VarId v) {
        const QuantifiedGame::Turn& turn = result_.turns[circuit_.choice_of(node)];
        const Unrolling::Step& step = steps_[turn.step - 1];
        std::vector<Value> values;
        for (const std::uint32_t option : circuit_.options_of(node))
            values.push_back(numbers_.value(turn.role, step.options[option]));
        if (values.size() == 1)
            return Linear{{{1, turn.variable}}, Relation::equal, values.front(), Literal{v, true}};
        return Member{turn.variable, Domain(std::move(values)), Literal{v, true}};
    }

    const Game& game_;
    const Network& network_;
    const std::vector<Unrolling::Step>& steps_;
    ChoiceCircuit circuit_;  // a copy, to which the conditions of this question are added
    MoveNumbers numbers_;
    QuantifiedGame result_;
    std::map<std::uint32_t, std::string> names_;  // by node
    std::map<std::uint32_t, VarId> variable_;     // by node
    Signal good_ =
        Network::never;  // the play has ended so, and nobody had to make a move since who could not
    Signal bad_ = Network::never;
    std::size_t block_ = 0;
};

}  // namespace

MoveNumbers::MoveNumbers(const Game& game) {
    const auto& moves = game.machine().network().moves;
    for (std::size_t r = 0; r < moves.size(); ++r) {
        std::vector<std::pair<std::string, MoveId>> named;
        for (MoveId m = 0; m < moves[r].size(); ++m) named.emplace_back(game.move_text(r, m), m);
        std::ranges::sort(named);
        auto& values = value_.emplace_back(named.size());
        auto& texts = text_.emplace_back();
        for (const auto& [text, move] : named) {
            texts.push_back(text);
            values[move] = static_cast<Value>(texts.size());
        }
    }
}

const QuantifiedGame::Turn* QuantifiedGame::turn_of(VarId variable) const {
    const auto found = std::ranges::find(turns, variable, &Turn::variable);
    return found == turns.end() ? nullptr : &*found;
}

QuantifiedGame quantify(const Game& game, const Unrolling& unrolling, const Question& question) {
    return Translator(game, unrolling, question).run();
}

void require_open_game(const Game& game) {
    const Place place{game.description().file};
    const Network& network = game.machine().network();
    for (const TermId role : network.roles) {
        if (game.text(role) == "random")
            throw Error(place, "chance moves in this game", "only games without chance become models");
    }
    if (std::ranges::any_of(network.sees, [](const auto& percepts) { return !percepts.empty(); }))
        throw Error(place, "this game has rules for what the players see",
                    "only games of perfect information become models");
}

std::vector<int> goal_values(const Network& network, std::size_t role) {
    std::set<int> values;
    for (const Network::Goal& goal : network.goals[role]) {
        if (goal.holds != Network::never) values.insert(goal.value);
    }
    return {values.begin(), values.end()};
}

bool opposed(const Network& network) {
    if (network.roles.size() != 2) return false;
    const auto mirrored = [&](std::size_t role) {
        return std::ranges::all_of(network.goals[role], [&](const Network::Goal& goal) {
            return std::ranges::any_of(network.goals[1 - role], [&](const Network::Goal& other) {
                return other.value == 100 - goal.value && other.holds == goal.holds;
            });
        });
    };
    return mirrored(0) && mirrored(1);
}

}  // namespace zermelo::gdl
