#include "model/flatzinc/flatzinc.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/flatten/plain.hpp"
#include "model/flatzinc/chance.hpp"
#include "model/flatzinc/reader.hpp"
#include "model/simplify/safe_index.hpp"

namespace zermelo::model {

namespace flatzinc {

Reading Reader::read() {
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
    make_cuts();
    make_goal();
    std::optional<Error> doubt = find_doubt();
    if (recorded_ && doubt) throw Error(*doubt);
    if (recorded_ && !rules_.empty() && !has_chance()) bind_plain_constraints(model_);
    make_chance();
    make_outputs();
    return {std::move(model_), std::move(doubt)};
}

void Reader::sort_calls() {
    for (const Call& call : program_.calls) {
        if (call.name == "zermelo_block" || call.name == "zermelo_bool_block") {
            blocks_.push_back(&call);
        } else if (consistent(call)) {
            blocks_.push_back(&call);
            model_.strategic = true;
        } else if (call.name == "zermelo_chance" || call.name == "zermelo_decision") {
            blocks_.push_back(&call);
        } else if (call.name == says_worth || call.name == says_satisfied || call.name == says_threshold) {
            utilities_.push_back(&call);
        } else if (call.name == "zermelo_state" || call.name == "zermelo_bool_state") {
            states_.push_back(&call);
            model_.strategic = true;
        } else if (call.name == "zermelo_rule") {
            rules_.push_back(&call);
        } else if (call.name == "zermelo_win" || call.name == "zermelo_hard") {
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

// ---- which declarations are one variable

Atom Reader::resolve(Atom atom) const {
    while (atom.kind == Atom::Kind::variable) {
        const Atom next = stands_for_[static_cast<std::size_t>(atom.value)];
        if (next.kind == Atom::Kind::variable && next.value == atom.value) break;
        atom = next;
    }
    return atom;
}

// `var 1..3: x = y` makes x another name for y, and demands what its domain says.
void Reader::follow_values() {
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
        stands_for_[i] = {Atom::Kind::variable, static_cast<Value>(i)};
        const auto& value = declared(i).value;
        if (!value) continue;
        const bool boolean =
            value->kind == Atom::Kind::boolean ||
            (value->kind == Atom::Kind::variable && declared(static_cast<std::size_t>(value->value)).boolean);
        if (boolean != declared(i).boolean) {
            throw Error(place(declared(i).origin),
                        fmt::format("{} and its value have different types", declared(i).name));
        }
        stands_for_[i] = resolve(*value);
        demands_.push_back({declared(i).origin, nullptr, i, declared(i).domain});
    }
}

// bool2int(b, i): one variable is enough, unless i is a move with a domain of its own.
void Reader::merge_with_booleans() {
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

// ---- variables and what is known of them

void Reader::make_variables() {
    std::vector<const Move*> move_of(program_.variables.size(), nullptr);
    each_move([&](Move& move) {
        if (move.declaration) {
            move_of[*move.declaration] = &move;
        } else {
            move.variable = model_.add_variable(move.name, move.domain, move.boolean);
        }
    });
    const Domain everything(-largest_value, largest_value);
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
        if (!is(stands_for_[i], i)) continue;
        const Domain& domain = move_of[i] != nullptr ? move_of[i]->domain : declared(i).domain;
        const bool equated = std::find(functions_.begin(), functions_.end(), i) != functions_.end();
        variable_of_[i] = model_.add_variable(name(i), equated ? everything : domain, declared(i).boolean);
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

void Reader::post(const Demand& demand) {
    const VarId variable = demand.move != nullptr ? demand.move->variable : variable_of_[demand.declaration];
    calls_.fold().at(place(demand.origin), std::nullopt);
    if (const Domain* set = std::get_if<Domain>(&demand.fact)) {
        calls_.fold().member(variable, *set);
    } else {
        calls_.fold().equal(variable, variable_of_[std::get<std::size_t>(demand.fact)]);
    }
}

// Variables that MiniZinc made without saying what defines them.
std::vector<bool> Reader::unexplained() {
    std::vector<bool> result(model_.variables.size(), false);
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
        const Declaration& d = declared(i);
        result[static_cast<std::size_t>(variable_of_[i])] =
            d.introduced && !d.defined && !d.boolean && !d.output;
    }
    each_move([&](const Move& move) { result[static_cast<std::size_t>(move.variable)] = false; });
    return result;
}

// ---- the rest

void Reader::make_goal() {
    for (const Call* call : wins_) {
        calls_.look_at(*call);
        calls_.expect_count(1, 1);
        const Literal literal = calls_.literal(0);
        const auto known = calls_.fold().known(literal);
        if (known == false && model_.strategic) {
            calls_.fail("this condition is false whatever is played, and nothing tells when it acts",
                        "let it depend on the move that it waits for");
        }
        if (call->name == "zermelo_win" && has_chance()) {
            utilities_.push_back(call);  // a win is wanted, and its probability asked for
        } else if (known != true) {
            model_.win.push_back(literal);
        }
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
    model_.minimises = program_.goal == Goal::minimize;
    model_.objective = model_.minimises ? calls_.fold().negative(objective) : objective;
}

// Search annotations say which values promise most; everything else in them is the search's own business.
void Reader::note_preferences() {
    for (const auto& [argument, choice] : program_.searches) {
        const auto* list = std::get_if<std::shared_ptr<const List>>(&argument.value);
        if (list == nullptr) continue;
        const Preference preference = choice == "indomain_min" || choice == "indomain" ? Preference::smallest
                                      : choice == "indomain_max"                       ? Preference::greatest
                                      : choice == "indomain_median" || choice == "indomain_middle"
                                          ? Preference::middle
                                      : choice == "indomain_impact" ? Preference::impact
                                                                    : Preference::none;
        for (const Atom& atom : (*list)->atoms) {
            if (atom.kind != Atom::Kind::variable) continue;
            const VarId v = variable_of_[static_cast<std::size_t>(atom.value)];
            model_.variables[static_cast<std::size_t>(v)].preference = preference;
        }
    }
}

}  // namespace flatzinc

Reading read_flatzinc(std::istream& input, const std::string& filename, bool recorded) {
    return flatzinc::Reader(flatzinc::parse(input, filename), recorded).read();
}

Model read_flatzinc(std::istream& input, const std::string& filename) {
    Reading reading = read_flatzinc(input, filename, false);
    if (reading.doubt) throw Error(*reading.doubt);
    return std::move(reading.model);
}

}  // namespace zermelo::model
