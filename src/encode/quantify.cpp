#include "encode/quantify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace zermelo::encode {

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
    Translator(const gdl::Game& game, const Unrolling& unrolling, const Question& question)
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
    [[nodiscard]] model::Model& model() { return result_.model; }
    [[nodiscard]] bool ours(const Unrolling::Step& step) const {
        return *step.mover == result_.question.role;
    }

    // Blocks stand first, so that the variables of the moves have the smallest numbers.
    void declare_moves() {
        for (std::size_t t = 0; t < steps_.size(); ++t) {
            const Unrolling::Step& step = steps_[t];
            if (!step.mover) continue;
            std::vector<model::Value> values;
            for (const gdl::MoveId m : step.options) values.push_back(numbers_.value(*step.mover, m));
            const model::VarId v =
                model().add_variable(fmt::format("move_{}", t + 1), model::Domain(std::move(values)));
            result_.turns.push_back({v, t + 1, *step.mover});
            model().prefix.push_back(
                {ours(step) ? model::Quantifier::exists : model::Quantifier::forall, {v}, std::nullopt, {}});
        }
    }

    // Only the first fluent that a gate stands for names it.
    void name_fluents() {
        std::set<std::string> taken;
        for (std::size_t t = 1; t < steps_.size(); ++t) {
            for (std::size_t f = 0; f < steps_[t].state.size(); ++f) {
                const gdl::Signal s = steps_[t].state[f];
                if (s.negated() || !circuit_.is_gate(s.node()) || names_.contains(s.node())) continue;
                std::string name = plain_name(game_.text(network_.fluents[f]), t);
                while (!taken.insert(name).second) name += '_';
                names_[s.node()] = std::move(name);
            }
        }
    }

    // ---- what is said about plays

    void end_here(const Unrolling::Step& step) {
        std::vector<gdl::Signal> not_enough;
        const auto& goals = network_.goals[result_.question.role];
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (goals[i].value >= result_.question.threshold)
                not_enough.push_back(!step.goals[result_.question.role][i]);
        }
        const gdl::Signal enough = !all(not_enough);
        const gdl::Signal good = any({good_, all({!bad_, step.terminal, enough})});
        const gdl::Signal bad = any({bad_, all({!good_, step.terminal, !enough})});
        good_ = good;
        bad_ = bad;
    }

    // Who may make this block's moves has not lost by now, or the play would not have come here.
    void passed(const Unrolling::Step& step) { (ours(step) ? bad_ : good_) = gdl::Network::never; }

    void add_rule(std::size_t t) {
        const Unrolling::Step& step = steps_[t];
        const gdl::Signal own = ours(step) ? good_ : bad_;
        std::vector<gdl::Signal> obeyed = {ours(step) ? !bad_ : !good_};
        for (const auto& [legal, options] : by_legality(step))
            obeyed.push_back(any({!circuit_.chosen(step.choice, options), legal}));
        const gdl::Signal rule = any({own, all(std::move(obeyed))});
        if (rule != gdl::Network::always) model().prefix[block_].rule = literal(rule);
        ++block_;
        passed(step);
    }

    // Made only if: clauses that mention the move.
    void constrain_moves(std::size_t t) {
        const Unrolling::Step& step = steps_[t];
        const gdl::Signal own = ours(step) ? good_ : bad_;
        const gdl::Signal other = ours(step) ? bad_ : good_;
        for (const auto& [legal, options] : by_legality(step))
            demand({!circuit_.chosen(step.choice, options), own, legal});
        if (other != gdl::Network::never) {
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
        const model::VarId result = model().add_variable("good", model::Domain(0, 1), true);
        model().prefix.push_back({model::Quantifier::exists, {result}, std::nullopt, {}});
        model().win.push_back({result, true});
        model::Clause only_if{{{result, false}}, std::nullopt};
        if (good_ == gdl::Network::always) return;
        if (good_ != gdl::Network::never) only_if.literals.push_back(literal(good_));
        model().constraints.push_back({std::move(only_if), {}, std::nullopt});
    }

    // The options that are legal under the same condition, one group each; what always is is left out.
    static std::vector<std::pair<gdl::Signal, ChoiceCircuit::Options>> by_legality(
        const Unrolling::Step& step) {
        std::map<std::uint32_t, std::pair<gdl::Signal, ChoiceCircuit::Options>> groups;
        for (std::uint32_t i = 0; i < step.options.size(); ++i) {
            if (step.legal[i] == gdl::Network::always) continue;
            auto& group = groups[step.legal[i].code()];
            group.first = step.legal[i];
            group.second.push_back(i);
        }
        std::vector<std::pair<gdl::Signal, ChoiceCircuit::Options>> result;
        for (auto& [code, group] : groups) result.push_back(std::move(group));
        return result;
    }

    [[nodiscard]] gdl::Signal all(std::vector<gdl::Signal> signals) {
        return circuit_.conjunction(std::move(signals));
    }
    [[nodiscard]] gdl::Signal any(std::vector<gdl::Signal> signals) {
        for (gdl::Signal& s : signals) s = !s;
        return !all(std::move(signals));
    }

    // ---- signals as variables

    void demand(const std::vector<gdl::Signal>& signals) {
        model::Clause clause;
        for (const gdl::Signal s : signals) {
            if (s == gdl::Network::always) return;
            if (s != gdl::Network::never) clause.literals.push_back(literal(s));
        }
        model().constraints.push_back({std::move(clause), {}, std::nullopt});
    }

    // Inputs are defined before the gates that read them; without recursion, because chains are long.
    model::Literal literal(gdl::Signal s) {
        if (s.node() == 0) return model().literal(!s.negated());
        std::vector<std::uint32_t> open = {s.node()};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            const std::size_t before = open.size();
            if (!variable_.contains(node) && circuit_.is_gate(node)) {
                for (const gdl::Signal input : circuit_.inputs_of(node)) {
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
        const model::VarId v = model().add_variable(
            named == names_.end() ? fmt::format("b{}", node) : named->second, model::Domain(0, 1), true);
        variable_[node] = v;
        if (circuit_.is_gate(node)) {
            model::Clause clause{{}, model::Literal{v, false}};
            for (const gdl::Signal s : circuit_.inputs_of(node))
                clause.literals.push_back({variable_.at(s.node()), s.negated()});
            model().constraints.push_back({std::move(clause), {}, v});
        } else {
            model().constraints.push_back({choice_body(node, v), {}, v});
        }
    }

    [[nodiscard]] decltype(model::Constraint::body) choice_body(std::uint32_t node, model::VarId v) {
        const QuantifiedGame::Turn& turn = result_.turns[circuit_.choice_of(node)];
        const Unrolling::Step& step = steps_[turn.step - 1];
        std::vector<model::Value> values;
        for (const std::uint32_t option : circuit_.options_of(node))
            values.push_back(numbers_.value(turn.role, step.options[option]));
        if (values.size() == 1)
            return model::Linear{
                {{1, turn.variable}}, model::Relation::equal, values.front(), model::Literal{v, true}};
        return model::Member{turn.variable, model::Domain(std::move(values)), model::Literal{v, true}};
    }

    const gdl::Game& game_;
    const gdl::Network& network_;
    const std::vector<Unrolling::Step>& steps_;
    ChoiceCircuit circuit_;  // a copy, to which the conditions of this question are added
    MoveNumbers numbers_;
    QuantifiedGame result_;
    std::map<std::uint32_t, std::string> names_;      // by node
    std::map<std::uint32_t, model::VarId> variable_;  // by node
    gdl::Signal good_ =
        gdl::Network::never;  // the play has ended so, and nobody had to make a move since who could not
    gdl::Signal bad_ = gdl::Network::never;
    std::size_t block_ = 0;
};

}  // namespace

MoveNumbers::MoveNumbers(const gdl::Game& game) {
    const auto& moves = game.machine().network().moves;
    for (std::size_t r = 0; r < moves.size(); ++r) {
        std::vector<std::pair<std::string, gdl::MoveId>> named;
        for (gdl::MoveId m = 0; m < moves[r].size(); ++m) named.emplace_back(game.move_text(r, m), m);
        std::ranges::sort(named);
        auto& values = value_.emplace_back(named.size());
        auto& texts = text_.emplace_back();
        for (const auto& [text, move] : named) {
            texts.push_back(text);
            values[move] = static_cast<model::Value>(texts.size());
        }
    }
}

const QuantifiedGame::Turn* QuantifiedGame::turn_of(model::VarId variable) const {
    const auto found = std::ranges::find(turns, variable, &Turn::variable);
    return found == turns.end() ? nullptr : &*found;
}

QuantifiedGame quantify(const gdl::Game& game, const Unrolling& unrolling, const Question& question) {
    return Translator(game, unrolling, question).run();
}

void require_perfect_information(const gdl::Game& game) {
    const Place place{game.description().file};
    const gdl::Network& network = game.machine().network();
    for (const gdl::TermId role : network.roles) {
        if (game.text(role) == "random")
            throw Error(place, "chance moves in this game",
                        "only games without chance can be turned into models");
    }
    if (std::ranges::any_of(network.sees, [](const auto& percepts) { return !percepts.empty(); }))
        throw Error(place, "this game has rules for what the players see",
                    "only games of perfect information can be turned into models");
}

std::vector<int> goal_values(const gdl::Network& network, std::size_t role) {
    std::set<int> values;
    for (const gdl::Network::Goal& goal : network.goals[role]) {
        if (goal.holds != gdl::Network::never) values.insert(goal.value);
    }
    return {values.begin(), values.end()};
}

bool opposed(const gdl::Network& network) {
    if (network.roles.size() != 2) return false;
    const auto mirrored = [&](std::size_t role) {
        return std::ranges::all_of(network.goals[role], [&](const gdl::Network::Goal& goal) {
            return std::ranges::any_of(network.goals[1 - role], [&](const gdl::Network::Goal& other) {
                return other.value == 100 - goal.value && other.holds == goal.holds;
            });
        });
    };
    return mirrored(0) && mirrored(1);
}

}  // namespace zermelo::encode
