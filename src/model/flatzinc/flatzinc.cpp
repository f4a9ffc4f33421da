#include "model/flatzinc/flatzinc.hpp"

#include <fmt/format.h>

#include <map>

#include "model/flatzinc/calls.hpp"
#include "model/flatzinc/chance.hpp"
#include "model/simplify/safe_index.hpp"

namespace zermelo::model {

namespace {

using namespace flatzinc;

class Reader {
public:
    explicit Reader(Program program)
        : program_(std::move(program)),
          stands_for_(program_.variables.size()),
          variable_of_(program_.variables.size(), -1),
          quantified_(program_.variables.size(), false),
          calls_(program_, model_, variable_of_) {
        model_.name = program_.file;
    }

    Model read() {
        sort_calls();
        follow_values();
        find_blocks();
        merge_with_booleans();
        make_variables();
        note_preferences();
        name_array_elements();
        for (const Demand& demand : demands_) post(demand);
        for (const Call* call : ordinary_) calls_.translate(*call);
        define_safe_indices(model_, unexplained());
        make_prefix();
        make_rules();
        make_chance();
        make_goal();
        make_outputs();
        return std::move(model_);
    }

private:
    // A move as the modeller declared it: the variable, or nothing when MiniZinc put a constant in its place.
    struct Move {
        std::optional<std::size_t> declaration;
        std::string name;
        Domain domain;
        bool boolean;
        std::optional<Value> constant = {};  // that stands in its place
        VarId variable = -1;
    };
    struct Level {
        Quantifier quantifier;
        Origin origin;
        std::vector<Move> moves;
        Value player = 1;  // of a model with chance: who chooses here, or 0 for chance
    };
    // What a call says of moves of a level, from the first to before the last.
    struct Stage {
        const Call* call;
        const Level* level;
        std::size_t first, last;
    };
    // A state variable is read like a move, though nobody chooses it.
    struct StateVariable {
        Origin origin;
        Move variable;
    };
    // What MiniZinc found out about a variable and the winning condition has to say instead.
    struct Demand {
        Origin origin;
        const Move* move;                        // or
        std::size_t declaration;                 // when there is no move
        std::variant<Domain, std::size_t> fact;  // it lies in this set, or equals this declaration
    };

    [[nodiscard]] const Declaration& declared(std::size_t i) const { return program_.variables[i]; }
    [[nodiscard]] Place place(const Origin& origin) const { return program_.place(origin); }

    void sort_calls() {
        for (const Call& call : program_.calls) {
            if (call.name == "zermelo_block" || call.name == "zermelo_bool_block") {
                blocks_.push_back(&call);
            } else if (consistent(call)) {
                blocks_.push_back(&call);
                model_.strategic = true;
            } else if (call.name == "zermelo_chance" || call.name == "zermelo_decision") {
                blocks_.push_back(&call);
            } else if (call.name == says_worth || call.name == says_satisfied ||
                       call.name == says_threshold) {
                utilities_.push_back(&call);
            } else if (call.name == "zermelo_state" || call.name == "zermelo_bool_state") {
                states_.push_back(&call);
                model_.strategic = true;
            } else if (call.name == "zermelo_rule") {
                rules_.push_back(&call);
            } else if (call.name == "zermelo_win") {
                wins_.push_back(&call);
            } else if (call.name == "zermelo_cut") {
                cuts_.push_back(&call);
            } else if (call.name == "zermelo_value") {
                values_.push_back(&call);
            } else {
                ordinary_.push_back(&call);
            }
        }
    }

    static bool consistent(const Call& call) {
        return call.name == "zermelo_consistent_block" || call.name == "zermelo_bool_consistent_block";
    }

    // ---- which declarations are one variable

    [[nodiscard]] Atom resolve(Atom atom) const {
        while (atom.kind == Atom::Kind::variable) {
            const Atom next = stands_for_[static_cast<std::size_t>(atom.value)];
            if (next.kind == Atom::Kind::variable && next.value == atom.value) break;
            atom = next;
        }
        return atom;
    }

    // `var 1..3: x = y` makes x another name for y, and demands what its domain says.
    void follow_values() {
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            stands_for_[i] = {Atom::Kind::variable, static_cast<Value>(i)};
            const auto& value = declared(i).value;
            if (!value) continue;
            const bool boolean = value->kind == Atom::Kind::boolean ||
                                 (value->kind == Atom::Kind::variable &&
                                  declared(static_cast<std::size_t>(value->value)).boolean);
            if (boolean != declared(i).boolean) {
                throw Error(place(declared(i).origin),
                            fmt::format("{} and its value have different types", declared(i).name));
            }
            stands_for_[i] = resolve(*value);
            demands_.push_back({declared(i).origin, nullptr, i, declared(i).domain});
        }
    }

    // bool2int(b, i): one variable is enough, unless i is a move with a domain of its own.
    void merge_with_booleans() {
        std::erase_if(ordinary_, [&](const Call* call) {
            if (call->name != "bool2int" || call->arguments.size() != 2) return false;
            const Atom* b = std::get_if<Atom>(&call->arguments[0].value);
            const Atom* i = std::get_if<Atom>(&call->arguments[1].value);
            if (b == nullptr || i == nullptr || i->kind != Atom::Kind::variable) return false;
            const Atom root = resolve(*b);
            const Atom target = resolve(*i);
            if (root.kind != Atom::Kind::variable || target.kind != Atom::Kind::variable) return false;
            const auto integer = static_cast<std::size_t>(target.value);
            const auto boolean = static_cast<std::size_t>(root.value);
            if (!declared(boolean).boolean || declared(integer).boolean || quantified_[integer]) return false;
            if (!declared(integer).domain.contains(Domain(0, 1))) return false;
            stands_for_[integer] = root;
            if (nameless(name(boolean)) && !nameless(declared(integer).name))
                names_[boolean] = declared(integer).name;
            return true;
        });
    }

    // ---- the prefix

    void find_blocks() {
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

    void read_block(const Call& call) {
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
            level.moves.push_back(move(list, atom, fmt::format("level{}[{}]", number, level.moves.size() + 1),
                                       domain, boolean));
            if (model_.strategic && domain.single()) {
                calls_.fail("a move of a strategic model has a single value",
                            "give it two values and forbid one with hold(...); otherwise MiniZinc replaces "
                            "the variable by its value");
            }
        });
    }

    // zermelo_chance(level, ys, domains, weights, scope, domains of the scope), or
    // zermelo_decision(level, xs, domains, player).
    void read_stage(const Call& call) {
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

    void read_state(const Call& call) {
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
    void each_chosen(std::size_t list, bool boolean, Visit visit) {
        const auto& atoms = calls_.atoms(list);
        if (!boolean && calls_.sets(list + 1).size() != atoms.size()) {
            calls_.fail("there are not as many domains as variables", "give each variable its domain");
        }
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            visit(atoms[i], boolean ? Domain(0, 1) : calls_.sets(list + 1)[i]);
        }
    }

    // `fallback` names a move for which MiniZinc has put a constant.
    Move move(std::size_t list, const Atom& atom, std::string fallback, const Domain& domain, bool boolean) {
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
                        "quantify it once; if the model equates two moves, say so in win(...)");
        }
        quantified_[index] = true;
        return {index, "", domain, boolean};
    }

    void note_narrowing(const Origin& origin, Move& move) {
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
        if (demands_.size() > before && !narrowed_) narrowed_ = demands_.back().origin;
    }

    // In a strategic model a constraint acts at its own time, which what MiniZinc has narrowed does not tell.
    void refuse_narrowing(const Origin& origin, const Move& move) const {
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

    static bool is(const Atom& atom, std::size_t declaration) {
        return atom.kind == Atom::Kind::variable && static_cast<std::size_t>(atom.value) == declaration;
    }

    // The name of a variable before the elements of arrays have got theirs.
    [[nodiscard]] std::string shown(std::size_t i) const {
        for (const Array& array : program_.arrays) {
            if (array.introduced || !nameless(declared(i).name)) continue;
            const auto& atoms = array.list->atoms;
            for (std::size_t k = 0; k < atoms.size(); ++k) {
                if (is(atoms[k], i)) return fmt::format("{}[{}]", array.name, position(index_sets(array), k));
            }
        }
        return std::string(declared(i).name);
    }

    [[nodiscard]] std::string name(std::size_t i) const {
        const auto found = names_.find(i);
        return found != names_.end() ? found->second : std::string(declared(i).name);
    }

    void make_variables() {
        std::vector<const Move*> move_of(program_.variables.size(), nullptr);
        each_move([&](Move& move) {
            if (move.declaration) {
                move_of[*move.declaration] = &move;
            } else {
                move.variable = model_.add_variable(move.name, move.domain, move.boolean);
            }
        });
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            if (!is(stands_for_[i], i)) continue;
            const Domain& domain = move_of[i] != nullptr ? move_of[i]->domain : declared(i).domain;
            variable_of_[i] = model_.add_variable(name(i), domain, declared(i).boolean);
            if (quantifies() && !declared(i).introduced && !declared(i).defined) {
                model_.variables.back().declared = place(declared(i).origin);
            }
        }
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            if (is(stands_for_[i], i)) continue;
            const Atom root = resolve({Atom::Kind::variable, static_cast<Value>(i)});
            variable_of_[i] = calls_.variable(root, declared(i).origin);
        }
        each_move([&](Move& move) {
            if (move.declaration) move.variable = variable_of_[*move.declaration];
        });
    }

    [[nodiscard]] bool quantifies() const { return !levels_.empty() || model_.strategic; }

    // Every move, and every state variable.
    template <class Visit>
    void each_move(Visit visit) {
        for (auto& [number, level] : levels_) {
            for (Move& move : level.moves) visit(move);
        }
        for (auto& [origin, variable] : state_) visit(variable);
    }

    void post(const Demand& demand) {
        const VarId variable =
            demand.move != nullptr ? demand.move->variable : variable_of_[demand.declaration];
        calls_.fold().at(place(demand.origin), std::nullopt);
        if (const Domain* set = std::get_if<Domain>(&demand.fact)) {
            calls_.fold().member(variable, *set);
        } else {
            calls_.fold().equal(variable, variable_of_[std::get<std::size_t>(demand.fact)]);
        }
    }

    // Variables that MiniZinc made without saying what defines them.
    [[nodiscard]] std::vector<bool> unexplained() {
        std::vector<bool> result(model_.variables.size(), false);
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            const Declaration& d = declared(i);
            result[static_cast<std::size_t>(variable_of_[i])] =
                d.introduced && !d.defined && !d.boolean && !d.output;
        }
        each_move([&](const Move& move) { result[static_cast<std::size_t>(move.variable)] = false; });
        return result;
    }

    void make_prefix() {
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

    void make_rules() {
        std::map<std::size_t, std::vector<Literal>> rules;
        for (const Call* call : rules_) {
            calls_.look_at(*call);
            calls_.expect_count(2, 2);
            if (model_.strategic)
                calls_.fail("rule(...) stands in a strategic model",
                            "use hold(...), which binds whoever moves");
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
        if (narrowed_ && (model_.has_universal_rules() || !model_.cuts.empty())) {
            throw Error(place(*narrowed_), "a plain constraint narrows a quantified variable",
                        model_.cuts.empty()
                            ? "in a model with rules for ∀, put constraints on the moves into win(...)"
                            : "in a model with cuts, put constraints on the moves into win(...)");
        }
    }

    // ---- chance and utilities

    void make_chance() {
        for (const Stage& stage : stages_) {
            calls_.look_at(*stage.call);
            if (stage.level->player == 0) {
                make_chance(stage);
            } else {
                std::vector<VarId> moves;
                for (std::size_t i = stage.first; i < stage.last; ++i)
                    moves.push_back(stage.level->moves[i].variable);
                say(*stage.call, says_owner, {constants({stage.level->player}), std::move(moves)});
            }
        }
        for (const Call* call : utilities_) {
            calls_.look_at(*call);
            calls_.expect_count(call->name == says_satisfied ? 1 : 3, call->name == says_satisfied ? 1 : 3);
            if (call->name == says_satisfied) {
                say(*call, says_satisfied, {{calls_.boolean(0)}});
                continue;
            }
            const std::vector<VarId> player = constants({calls_.number(0)});
            const std::vector<VarId> last = constants({calls_.number(2)});
            if (call->name == says_worth) {
                say(*call, says_worth, {player, {calls_.integer(1)}, last});
            } else {
                say(*call, says_threshold, {player, constants({calls_.number(1)}), last});
            }
        }
    }

    // Each variable of the call has these probabilities; without weights they are equal.
    void make_chance(const Stage& stage) {
        const std::vector<VarId> scope = calls_.integers(4);
        const std::vector<Domain>& domains = calls_.sets(5);
        if (scope.size() != domains.size())
            calls_.fail("there are not as many domains as variables that the probabilities depend on",
                        "give each variable its domain");
        for (std::size_t i = stage.first; i < stage.last; ++i) {
            const Move& move = stage.level->moves[i];
            std::vector<Value> weights = calls_.numbers(3);
            constexpr std::uint64_t most_outcomes = 1'000'000;
            if (move.domain.size() > most_outcomes)
                calls_.fail("a chance variable has too many values", "give it a smaller domain");
            if (weights.empty() && scope.empty()) weights.assign(move.domain.size(), 1);
            std::vector<std::vector<VarId>> arguments = {{move.variable}, scope, constants(weights)};
            for (const Domain& domain : domains) {
                if (domain.size() > weights.size())
                    calls_.fail("there are too few weights for what the probabilities depend on",
                                "give a row for each combination of values");
                arguments.push_back(constants(domain.values()));
            }
            say(*stage.call, says_chance, std::move(arguments));
        }
    }

    [[nodiscard]] std::vector<VarId> constants(const std::vector<Value>& numbers) {
        std::vector<VarId> result;
        for (const Value number : numbers) result.push_back(model_.constant(number));
        return result;
    }

    void say(const Call& call, const std::string& what, std::vector<std::vector<VarId>> arguments) {
        model_.constraints.push_back({Global{what, std::move(arguments)}, place(call.origin)});
    }

    // ---- the rest

    void make_goal() {
        for (const Call* call : wins_) {
            calls_.look_at(*call);
            calls_.expect_count(1, 1);
            const Literal literal = calls_.literal(0);
            const auto known = calls_.fold().known(literal);
            if (known == false && model_.strategic) {
                calls_.fail("this condition is false whatever is played, and nothing tells when it acts",
                            "let it depend on the move that it waits for");
            }
            if (known != true) model_.win.push_back(literal);
        }
        for (const Call* call : values_) {
            calls_.look_at(*call);
            calls_.expect_count(1, 1);
            if (model_.objective) calls_.fail("the model has two objectives", "keep one");
            model_.objective = calls_.integer(0);
        }
        if (program_.goal == Goal::satisfy || model_.objective) return;
        const Call goal{"solve", {program_.objective.at}, {program_.objective}};
        calls_.look_at(goal);
        const VarId objective = calls_.integer(0);
        model_.objective = program_.goal == Goal::maximize ? objective : calls_.fold().negative(objective);
    }

    // Search annotations say which values promise most; everything else in them is the search's own business.
    void note_preferences() {
        for (const auto& [argument, choice] : program_.searches) {
            const auto* list = std::get_if<std::shared_ptr<const List>>(&argument.value);
            if (list == nullptr) continue;
            const Preference preference =
                choice == "indomain_min" || choice == "indomain"             ? Preference::smallest
                : choice == "indomain_max"                                   ? Preference::greatest
                : choice == "indomain_median" || choice == "indomain_middle" ? Preference::middle
                                                                             : Preference::none;
            for (const Atom& atom : (*list)->atoms) {
                if (atom.kind != Atom::Kind::variable) continue;
                const VarId v = variable_of_[static_cast<std::size_t>(atom.value)];
                model_.variables[static_cast<std::size_t>(v)].preference = preference;
            }
        }
    }

    void name_array_elements() {
        for (const Array& array : program_.arrays) {
            if (array.introduced) continue;
            const auto& atoms = array.list->atoms;
            const auto indices = index_sets(array);
            for (std::size_t k = 0; k < atoms.size(); ++k) {
                if (atoms[k].kind != Atom::Kind::variable) continue;
                auto& named = model_.variables[static_cast<std::size_t>(
                    variable_of_[static_cast<std::size_t>(atoms[k].value)])];
                if (nameless(named.name))
                    named.name = fmt::format("{}[{}]", array.name, position(indices, k));
            }
        }
    }

    static std::vector<Domain> index_sets(const Array& array) {
        std::uint64_t cells = array.index_sets.empty() ? 0 : 1;
        for (const Domain& indices : array.index_sets) {
            // More cells than elements is wrong already, and stopping there keeps the product small.
            if (cells <= array.list->atoms.size()) cells *= indices.size();
        }
        if (cells == array.list->atoms.size()) return array.index_sets;
        return {Domain(1, static_cast<Value>(array.list->atoms.size()))};
    }

    // The k-th position in row-major order, as the modeller writes it.
    static std::string position(const std::vector<Domain>& indices, std::size_t k) {
        std::string text;
        for (auto set = indices.rbegin(); set != indices.rend(); ++set) {
            const auto size = static_cast<std::size_t>(set->size());
            const std::string here = fmt::format("{}", set->low() + static_cast<Value>(k % size));
            text = text.empty() ? here : here + "," + text;
            k /= size;
        }
        return text;
    }

    void make_outputs() {
        for (std::size_t i = 0; i < program_.variables.size(); ++i) {
            if (declared(i).output)
                model_.outputs.push_back({std::string(declared(i).name), {variable_of_[i]}, false, {}});
        }
        for (const Array& array : program_.arrays) {
            if (!array.output) continue;
            Output output{std::string(array.name), {}, true, index_sets(array)};
            for (const Atom& atom : array.list->atoms) output.variables.push_back(calls_.variable(atom, {}));
            model_.outputs.push_back(std::move(output));
        }
    }

    Program program_;
    Model model_;
    std::vector<Atom> stands_for_;    // by declaration: itself, the variable that it equals, or a constant
    std::vector<VarId> variable_of_;  // by declaration
    std::vector<bool> quantified_;    // by declaration
    Calls calls_;
    std::vector<const Call*> blocks_, states_, rules_, wins_, cuts_, values_, utilities_, ordinary_;
    std::vector<Stage> stages_;
    std::map<Value, Level> levels_;
    std::vector<StateVariable> state_;
    std::map<Value, std::size_t> block_of_level_;
    std::map<std::size_t, std::string> names_;
    std::vector<Demand> demands_;
    std::optional<Origin> narrowed_;  // where the first narrowed move is
};

}  // namespace

Model read_flatzinc(std::istream& input, const std::string& filename) {
    return Reader(parse(input, filename)).read();
}

}  // namespace zermelo::model
