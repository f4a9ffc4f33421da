// The prefix of a FlatZinc program: blocks, stages and state variables, what MiniZinc narrowed of them, and
// the rules and cuts that go with them.

#include <fmt/format.h>

#include <algorithm>

#include "model/flatzinc/reader.hpp"
#include "model/structure.hpp"

namespace zermelo::model::flatzinc {

void Reader::find_blocks() {
    for (const Call* call : blocks_) {
        if (call->name == "zermelo_chance" || call->name == "zermelo_decision") {
            read_stage(*call);
        } else {
            read_block(*call);
        }
    }
    for (const Call* call : states_) read_state(*call);
    // Moves keep their place from here on, so demands may point at them.
    for (auto& [number, level] : levels_) {
        for (Move& move : level.moves) note_narrowing(level.origin, move);
    }
    for (auto& [origin, variable] : state_) refuse_narrowing(origin, variable);
}

void Reader::read_block(const Call& call) {
    calls_.look_at(call);
    const bool boolean = call.name.starts_with("zermelo_bool_");
    const std::size_t list = consistent(call) ? 1 : 2;
    calls_.expect_count(list + (boolean ? 1 : 2), list + (boolean ? 1 : 2));
    const Value number = calls_.number(0);
    const bool universal = consistent(call) || calls_.number(1) != 0;
    if (universal && model_.strategic && !consistent(call)) {
        calls_.fail("every(...) stands in a strategic model", "use every_consistent(...)");
    }
    const Quantifier quantifier = universal ? Quantifier::forall : Quantifier::exists;
    Level& level = levels_.try_emplace(number, Level{quantifier, call.origin, {}}).first->second;
    if (level.quantifier != quantifier) {
        calls_.fail(fmt::format("level {} belongs to both some and {}", number,
                                model_.strategic ? "every_consistent" : "every"),
                    "use two levels");
    }
    if (level.player != 1) {
        calls_.fail(fmt::format("level {} belongs to player 1 and to chance or another player", number),
                    "use two levels");
    }
    each_chosen(list, boolean, [&](const Atom& atom, const Domain& domain) {
        level.moves.push_back(
            move(list, atom, fmt::format("level{}[{}]", number, level.moves.size() + 1), domain, boolean));
        if (model_.strategic && domain.single()) {
            calls_.fail("a move of a strategic model has a single value",
                        "give it two values and forbid one with hold(...); otherwise MiniZinc replaces "
                        "the variable by its value");
        }
    });
}

// zermelo_chance(level, ys, domains, weights, scope, domains of the scope), or
// zermelo_decision(level, xs, domains, player).
void Reader::read_stage(const Call& call) {
    calls_.look_at(call);
    const bool chance = call.name == "zermelo_chance";
    calls_.expect_count(chance ? 6 : 4, chance ? 6 : 4);
    const Value number = calls_.number(0);
    const Value player = chance ? 0 : calls_.number(3);
    if (!chance && player < 1) calls_.fail("this is no number of a player", "number players from 1");
    Level& level =
        levels_.try_emplace(number, Level{Quantifier::exists, call.origin, {}, player}).first->second;
    if (level.quantifier != Quantifier::exists || level.player != player) {
        calls_.fail(fmt::format("level {} belongs to two players, or to a player and chance", number),
                    "use two levels");
    }
    const std::size_t first = level.moves.size();
    each_chosen(1, false, [&](const Atom& atom, const Domain& domain) {
        const std::string name = fmt::format("level{}[{}]", number, level.moves.size() + 1);
        level.moves.push_back(move(1, atom, name, domain, false));
    });
    stages_.push_back({&call, &level, first, level.moves.size()});
}

void Reader::read_state(const Call& call) {
    calls_.look_at(call);
    const bool boolean = call.name.starts_with("zermelo_bool_");
    calls_.expect_count(boolean ? 1 : 2, boolean ? 1 : 2);
    each_chosen(0, boolean, [&](const Atom& atom, const Domain& domain) {
        const std::string name = fmt::format("state[{}]", state_.size() + 1);
        state_.push_back({call.origin, move(0, atom, name, domain, boolean)});
    });
}

// The variables that a call lists in its argument `list`, with the domains that the next one gives them.
template <class Visit>
void Reader::each_chosen(std::size_t list, bool boolean, Visit visit) {
    const auto& atoms = calls_.atoms(list);
    if (!boolean && calls_.sets(list + 1).size() != atoms.size()) {
        calls_.fail("there are not as many domains as variables", "give each variable its domain");
    }
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        visit(atoms[i], boolean ? Domain(0, 1) : calls_.sets(list + 1)[i]);
    }
}

// `fallback` names a move for which MiniZinc has put a constant.
Reader::Move Reader::move(std::size_t list, const Atom& atom, std::string fallback, const Domain& domain,
                          bool boolean) {
    if (domain.empty())
        calls_.fail("a quantified variable has no values", "give it a domain that is not empty");
    if (atom.kind != Atom::Kind::variable) {
        if ((atom.kind == Atom::Kind::boolean) != boolean)
            calls_.fail(list, "an array of variables of the right type");
        return {std::nullopt, std::move(fallback), domain, boolean, atom.value};
    }
    const auto index = static_cast<std::size_t>(atom.value);
    if (declared(index).boolean != boolean) calls_.fail(list, "an array of variables of the right type");
    if (quantified_[index] && model_.strategic) {
        calls_.fail(fmt::format("{} is declared twice, as a move or as a state variable", shown(index)),
                    "declare it once; if a plain constraint equates two variables, state it with "
                    "hold(...)");
    }
    if (quantified_[index]) {
        calls_.fail(fmt::format("{} is quantified twice", declared(index).name),
                    "quantify it once; if a plain constraint equates two moves, put the equation into "
                    "win(...) or into "
                    "the rule of a block");
    }
    quantified_[index] = true;
    return {index, "", domain, boolean};
}

// ---- what MiniZinc narrowed

void Reader::note_narrowing(const Origin& origin, Move& move) {
    if (model_.strategic) return refuse_narrowing(origin, move);
    const std::size_t before = demands_.size();
    if (!move.declaration) {
        // With a single value to choose, the constant takes nothing away.
        if (move.domain == Domain(*move.constant, *move.constant)) return;
        demands_.push_back({origin, &move, 0, Domain(*move.constant, *move.constant)});
    } else {
        const std::size_t i = *move.declaration;
        const Atom root = resolve({Atom::Kind::variable, static_cast<Value>(i)});
        if (!is(root, i)) {
            if (root.kind == Atom::Kind::variable) {
                demands_.push_back({declared(i).origin, &move, i, static_cast<std::size_t>(root.value)});
            } else {
                demands_.push_back({declared(i).origin, &move, i, Domain(root.value, root.value)});
            }
            stands_for_[i] = {Atom::Kind::variable, static_cast<Value>(i)};
        }
        if (!declared(i).domain.contains(move.domain)) {
            demands_.push_back({declared(i).origin, &move, i, declared(i).domain});
        }
    }
    if (demands_.size() > before && !narrowed_ && !(recorded_ && equates_with_function(demands_.back())))
        narrowed_ = demands_.back();
}

// y = a[x]: MiniZinc calls the function by the name of the move, or the other way round. If nothing else speaks of
// the function, the equation alone says all.
bool Reader::equates_with_function(const Demand& demand) {
    const std::size_t* function = std::get_if<std::size_t>(&demand.fact);
    if (function == nullptr || !declared(*function).introduced || !declared(*function).defined) return false;
    std::size_t uses = 0;
    for (const Call& call : program_.calls) {
        for (const Argument& argument : call.arguments) {
            if (const Atom* atom = std::get_if<Atom>(&argument.value)) uses += is(*atom, *function) ? 1 : 0;
            const auto* list = std::get_if<std::shared_ptr<const List>>(&argument.value);
            if (list == nullptr) continue;
            for (const Atom& atom : (*list)->atoms) uses += is(atom, *function) ? 1 : 0;
        }
    }
    if (uses != 1) return false;
    functions_.push_back(*function);
    return true;
}

// In a strategic model a constraint acts at its own time, which what MiniZinc has narrowed does not tell.
void Reader::refuse_narrowing(const Origin& origin, const Move& move) const {
    const char* remedy = "state constraints with hold(...), and say the domain that was declared";
    if (!move.declaration) {
        if (move.domain == Domain(*move.constant, *move.constant)) return;
        throw Error(place(origin),
                    fmt::format("a plain constraint fixes {} to {}", move.name, *move.constant), remedy);
    }
    const std::size_t i = *move.declaration;
    const Atom root = resolve({Atom::Kind::variable, static_cast<Value>(i)});
    if (is(root, i) && declared(i).domain.contains(move.domain)) return;
    throw Error(place(declared(i).origin),
                root.kind == Atom::Kind::variable && !is(root, i)
                    ? fmt::format("a plain constraint equates {} and {}", shown(i),
                                  shown(static_cast<std::size_t>(root.value)))
                    : fmt::format("a plain constraint narrows {}", shown(i)),
                remedy);
}

// Where something besides the winning condition ends a game, it matters whose a plain constraint is and when
// it acts, and a narrowed move tells neither.
std::optional<Error> Reader::find_doubt() const {
    if (rules_.empty() && model_.cuts.empty()) return std::nullopt;
    if (has_chance()) return std::nullopt;  // there plain constraints are hard, whoever completes them
    if (narrowed_ && std::holds_alternative<std::size_t>(narrowed_->fact)) {
        return Error(place(narrowed_->origin),
                     fmt::format("a plain constraint equates {} and {}", shown(narrowed_->declaration),
                                 shown(std::get<std::size_t>(narrowed_->fact))),
                     "put the equation into the rule of a block, or into win(...)");
    }
    const char* remedy =
        "put it into win(...) or into the rule of a block, or solve the MiniZinc model itself";
    if (narrowed_)
        return Error(place(narrowed_->origin), "a plain constraint narrows a quantified variable", remedy);
    if (recorded_ || rules_.empty()) return std::nullopt;
    Structure structure;
    try {
        structure = dependencies(model_);
    } catch (const Error&) {
        return std::nullopt;  // whoever analyses the model will say what is wrong with it
    }
    const bool theirs = model_.has_universal_rules();
    for (const int c : structure.winning) {
        const int block = structure.due[static_cast<std::size_t>(c)];
        // What binds only us is a part of the winning condition, unless ∀ can run out of moves before.
        if (!theirs &&
            (block < 0 || structure.prefix[static_cast<std::size_t>(block)].quantifier == Quantifier::exists))
            continue;
        return Error(model_.constraints[static_cast<std::size_t>(c)].place,
                     "a plain constraint stands in a model with rules", remedy);
    }
    return std::nullopt;
}

// ---- blocks, rules and cuts of the model

void Reader::make_prefix() {
    for (const auto& [number, level] : levels_) {
        Block block{level.quantifier, {}, std::nullopt, place(level.origin)};
        for (const Move& move : level.moves) block.variables.push_back(move.variable);
        block_of_level_[number] = model_.prefix.size();
        model_.prefix.push_back(std::move(block));
    }
    for (const auto& [origin, variable] : state_) model_.state.push_back(variable.variable);
    if (quantifies()) return;
    std::vector<bool> taken(model_.variables.size(), false);
    for (const Constraint& constraint : model_.constraints) {
        if (constraint.defines) taken[static_cast<std::size_t>(*constraint.defines)] = true;
    }
    Block block{Quantifier::exists, {}, std::nullopt, {program_.file}};
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
        const VarId v = variable_of_[i];
        if (declared(i).introduced || declared(i).defined || taken[static_cast<std::size_t>(v)]) continue;
        if (model_.domain(v).single()) continue;
        taken[static_cast<std::size_t>(v)] = true;
        block.variables.push_back(v);
    }
    if (!block.variables.empty()) model_.prefix.push_back(std::move(block));
}

void Reader::make_rules() {
    std::map<std::size_t, std::vector<Literal>> rules;
    for (const Call* call : rules_) {
        calls_.look_at(*call);
        calls_.expect_count(2, 2);
        if (model_.strategic)
            calls_.fail("rule(...) stands in a strategic model", "use hold(...), which binds whoever moves");
        const auto block = block_of_level_.find(calls_.number(0));
        if (block == block_of_level_.end()) {
            calls_.fail(
                fmt::format("there is a rule for level {} but nothing is chosen there", calls_.number(0)),
                "use the level of a some(...) or an every(...)");
        }
        rules[block->second].push_back(calls_.literal(1));
    }
    for (auto& [block, literals] : rules) {
        calls_.fold().at(model_.prefix[block].place, std::nullopt);
        const Literal all = calls_.fold().all_of(std::move(literals), fmt::format("rule{}", block + 1));
        // A rule for ∀ that MiniZinc found true stays visible: it may have been true only because of a
        // plain constraint, which such a model must not have (see structure.hpp).
        const bool universal = model_.prefix[block].quantifier == Quantifier::forall;
        if (universal || calls_.fold().known(all) != true) model_.prefix[block].rule = all;
    }
}

void Reader::make_cuts() {
    for (const Call* call : cuts_) {
        calls_.look_at(*call);
        calls_.expect_count(2, 2);
        model_.cuts.push_back({calls_.literals(0), calls_.literal(1), place(call->origin)});
        const Cut& cut = model_.cuts.back();
        const auto holds = [&](Literal l) { return calls_.fold().known(l) == true; };
        if (holds(!cut.claim) && std::all_of(cut.when.begin(), cut.when.end(), holds)) {
            calls_.fail("this cut claims a win before the first move",
                        "if MiniZinc derives its condition from a plain constraint, put that constraint "
                        "into win(...)");
        }
    }
}

}  // namespace zermelo::model::flatzinc
