// Random descriptions in GDL and GDL-II from a grammar of rules, for engines that step through games.
//
// Unlike the games of random_gdl.hpp these have one to three roles that move at the same time or in turn, chance, percepts,
// fluents and moves with up to two arguments and terms inside them, views in strata with negation, disjunction and
// recursion, and views that depend on moves. Every description is safe, stratified and finite, each role always has a
// move and one goal, and each play ends: a counter sees to it. The same seed gives the same text on every machine.

#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/random.hpp"

namespace zermelo {

class RandomRules {
public:
    explicit RandomRules(std::uint64_t seed) : random_(seed) {}

    std::string text() {
        steps_ = random_.between(2, 8);
        things_ = random_.between(2, 4);
        for (std::int64_t r = random_.between(1, 3); r > 0; --r) roles_.push_back(fmt::format("r{}", r));
        chance_ = random_.chance(0.3);
        if (chance_) roles_.emplace_back("random");
        percepts_ = random_.chance(chance_ ? 0.6 : 0.25);
        statics();
        fluents();
        for (auto n = random_.between(1, 3); n > 0; --n)
            moves_.push_back({fmt::format("go{}", n), random_.below(3), false});
        views();
        legal();
        acts();
        next();
        if (percepts_) sees();
        ends();
        return std::move(text_);
    }

private:
    // A relation, a fluent or a move by its name; `wrapped` ones carry their arguments in a term (pair …).
    struct Symbol {
        std::string name;
        std::uint64_t arity;
        bool wrapped;
    };
    // What literals of a body may be made of.
    enum Depends { on_nothing, on_state, on_moves };
    struct View {
        Symbol symbol;
        Depends depends;
    };
    using Names = std::vector<std::string>;

    const std::string& one_of(const Names& names) { return names[random_.below(names.size())]; }
    std::string thing() { return fmt::format("c{}", random_.between(1, things_)); }
    // A variable that is bound, or a thing.
    std::string old_argument(const Names& bound) {
        return !bound.empty() && random_.chance(0.8) ? one_of(bound) : thing();
    }
    static std::string term(const Symbol& symbol, const Names& arguments) {
        if (arguments.empty()) return symbol.name;
        std::string inside;
        for (const std::string& each : arguments) inside += " " + each;
        return symbol.wrapped ? "(" + symbol.name + " (pair" + inside + "))"
                              : "(" + symbol.name + inside + ")";
    }
    Names arguments(const Symbol& symbol, const Names& bound) {
        Names all;
        for (std::uint64_t i = 0; i < symbol.arity; ++i) all.push_back(old_argument(bound));
        return all;
    }
    // Arguments some of which may be new variables, which are bound by them.
    Names binding_arguments(const Symbol& symbol, Names& bound) {
        Names all;
        for (std::uint64_t i = 0; i < symbol.arity; ++i) {
            if (random_.chance(0.5)) {
                all.push_back(fmt::format("?v{}", bound.size()));
                bound.push_back(all.back());
            } else {
                all.push_back(old_argument(bound));
            }
        }
        return all;
    }

    // One literal without its `not`, over what the body may depend on.
    template <class Arguments>
    std::string atom(Depends depends, Arguments arguments_of) {
        std::vector<const View*> allowed;
        for (const View& view : views_) {
            if (view.depends <= depends) allowed.push_back(&view);
        }
        if (depends == on_moves && random_.chance(0.35)) {
            const Symbol& move = moves_[random_.below(moves_.size())];
            return fmt::format("(does {} {})", one_of(roles_), term(move, arguments_of(move)));
        }
        if (depends != on_nothing && random_.chance(0.5)) {
            const Symbol& fluent = fluents_[random_.below(fluents_.size())];
            return "(true " + term(fluent, arguments_of(fluent)) + ")";
        }
        if (!allowed.empty() && random_.chance(0.6)) {
            const View& view = *allowed[random_.below(allowed.size())];
            return term(view.symbol, arguments_of(view.symbol));
        }
        const Symbol& relation = statics_[random_.below(statics_.size())];
        return term(relation, arguments_of(relation));
    }
    std::string old_atom(Depends depends, const Names& bound) {
        return atom(depends, [&](const Symbol& s) { return arguments(s, bound); });
    }

    // A test of what is bound: a literal, its negation, a disjunction, or two things that differ.
    std::string test(Depends depends, const Names& bound) {
        switch (random_.below(7)) {
            case 0:
                return fmt::format(" (distinct {} {})", old_argument(bound), thing());
            case 1: {
                std::string some = " (or";
                for (auto n = random_.between(2, 3); n > 0; --n) {
                    const std::string each = old_atom(depends, bound);
                    some += random_.chance(0.3) ? " (not " + each + ")" : " " + each;
                }
                return some + ")";
            }
            case 2:
            case 3:
            case 4:
                return " (not " + old_atom(depends, bound) + ")";
            default:
                return " " + old_atom(depends, bound);
        }
    }
    // Literals that bind variables, and then tests; `needed` variables are bound in any case.
    std::string body(Depends depends, Names& bound, const Names& needed) {
        std::string all;
        for (const std::string& variable : needed) {
            all += fmt::format(" (thing {})", variable);
            bound.push_back(variable);
        }
        for (auto n = random_.between(0, 2); n > 0; --n)
            all += " " + atom(depends, [&](const Symbol& s) { return binding_arguments(s, bound); });
        for (auto n = random_.between(0, 2); n > 0; --n) all += test(depends, bound);
        return all;
    }
    // Arguments of a head: variables that the body has to bind, or things.
    Names head_arguments(const Symbol& symbol, Names& needed) {
        Names all;
        for (std::uint64_t i = 0; i < symbol.arity; ++i) {
            if (random_.chance(0.8)) {
                all.push_back(fmt::format("?h{}", i));
                needed.push_back(all.back());
            } else {
                all.push_back(thing());
            }
        }
        return all;
    }
    void rule(const std::string& head, const std::string& body) {
        text_ += body.empty() ? head + "\n" : fmt::format("(<= {}{})\n", head, body);
    }
    // A rule whose head is `wrap` around a term of the symbol.
    void rule_for(const std::string& wrap, const Symbol& symbol, Depends depends,
                  const std::string& more = "") {
        Names needed;
        Names bound;
        const std::string head = term(symbol, head_arguments(symbol, needed));
        const std::string conditions = body(depends, bound, needed) + more;
        rule(wrap.empty() ? head : "(" + wrap + " " + head + ")", conditions);
    }

    void statics() {
        for (const std::string& role : roles_) text_ += "(role " + role + ")\n";
        for (std::int64_t c = 1; c <= things_; ++c) text_ += fmt::format("(thing c{})\n", c);
        for (std::int64_t s = 0; s < steps_; ++s) text_ += fmt::format("(succ {} {})\n", s, s + 1);
        statics_ = {{"thing", 1, false}, {"edge", 2, false}};
        text_ += "(edge c1 c2)\n";
        for (auto n = random_.between(0, 4); n > 0; --n) {
            const std::string from = thing();
            text_ += fmt::format("(edge {} {})\n", from, thing());
        }
    }

    void fluents() {
        for (auto n = random_.between(1, 4); n > 0; --n)
            fluents_.push_back({fmt::format("f{}", n), random_.below(3), random_.chance(0.2)});
        text_ += "(init (step 0))\n";
        for (const Symbol& fluent : fluents_) {
            for (auto n = random_.between(0, 3); n > 0; --n)
                text_ += "(init " + term(fluent, arguments(fluent, {})) + ")\n";
        }
        if (random_.chance(0.3)) rule_for("init", fluents_.front(), on_nothing);
    }

    // Views of the state, each over those before it; a recursive one follows edges, or itself, from what is bound.
    void views() {
        for (std::int64_t n = random_.between(0, 5); n > 0; --n)
            add_view({{fmt::format("view{}", n), random_.below(3), false},
                      random_.chance(0.2) ? on_nothing : on_state});
    }
    void add_view(const View& view) {
        for (auto n = random_.between(1, 3); n > 0; --n) rule_for("", view.symbol, view.depends);
        if (view.symbol.arity > 0 && random_.chance(0.4)) recursion(view);
        views_.push_back(view);
    }
    void recursion(const View& view) {
        Names head{"?x"};
        Names inside{"?y"};
        if (view.symbol.arity == 2) {
            head.emplace_back("?z");
            inside.emplace_back("?z");
        }
        Names bound{"?x", "?y"};
        const std::string test_of_it = random_.chance(0.5) ? test(view.depends, bound) : "";
        rule(term(view.symbol, head), (random_.chance(0.5) ? " (edge ?x ?y) " : " (edge ?y ?x) ") +
                                          term(view.symbol, inside) + test_of_it);
    }

    // Everybody can stay, or everybody moves in turn and can pass; chance chooses among things.
    void legal() {
        const bool in_turn = random_.chance(0.5);
        std::string mover;
        for (std::size_t r = 0; r < roles_.size(); ++r) {
            const std::string& role = roles_[r];
            mover = in_turn ? fmt::format(" (true (turn {}))", role) : "";
            rule(fmt::format("(legal {} stay)", role),
                 in_turn || random_.chance(0.6) ? "" : " (true (step ?s))");
            for (const Symbol& move : moves_) {
                if (!random_.chance(0.75)) continue;
                Names needed;
                Names bound;
                const std::string head = term(move, head_arguments(move, needed));
                const std::string conditions = body(on_state, bound, needed);
                rule(fmt::format("(legal {} {})", role, head), mover + conditions);
            }
            if (!in_turn) continue;
            if (r == 0) text_ += fmt::format("(init (turn {}))\n", role);
            rule(fmt::format("(next (turn {}))", roles_[(r + 1) % roles_.size()]),
                 fmt::format(" (true (turn {}))", role));
        }
    }

    // Views that depend on moves, for `next` and `sees`.
    void acts() {
        for (auto n = random_.between(0, 2); n > 0; --n)
            add_view({{fmt::format("act{}", n), random_.below(3), false}, on_moves});
    }

    void next() {
        text_ += "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n";
        for (const Symbol& fluent : fluents_) {
            Names kept;
            for (std::uint64_t i = 0; i < fluent.arity; ++i) kept.push_back(fmt::format("?h{}", i));
            Names bound = kept;
            if (random_.chance(0.8)) {
                const std::string it = term(fluent, kept);
                rule("(next " + it + ")",
                     " (true " + it + ")" + (random_.chance(0.8) ? test(on_moves, bound) : ""));
            }
            for (auto n = random_.between(1, 3); n > 0; --n) rule_for("next", fluent, on_moves);
        }
    }

    void sees() {
        for (const std::string& role : roles_) {
            if (role == "random") continue;
            for (auto n = random_.between(0, 3); n > 0; --n) {
                const Symbol percept{fmt::format("saw{}", n), random_.below(2), false};
                rule_for("sees " + role, percept, on_moves);
            }
        }
    }

    void ends() {
        text_ += fmt::format("(<= terminal (true (step {})))\n", steps_);
        if (random_.chance(0.7)) {
            Names bound;
            const std::string conditions = body(on_state, bound, {});
            rule("terminal", " (true (step ?s)) (distinct ?s 0)" + conditions + test(on_state, bound));
        }
        // A chain of conditions, so that each role has exactly one goal.
        const int values[] = {100, 60, 25, 0};
        for (std::size_t r = 0; r < roles_.size(); ++r) {
            std::string before;
            for (int i = 0; i < 4; ++i) {
                const std::string when = fmt::format("when{}{}", r, i);
                if (i < 3) {
                    Names bound;
                    const std::string conditions = body(on_state, bound, {});
                    rule(when, " (true (step ?s))" + conditions);
                }
                rule(fmt::format("(goal {} {})", roles_[r], values[i]), before + (i < 3 ? " " + when : ""));
                before += " (not " + when + ")";
            }
        }
    }

    Random random_;
    std::string text_;
    std::int64_t steps_ = 0;
    std::int64_t things_ = 0;
    bool chance_ = false;
    bool percepts_ = false;
    Names roles_;
    std::vector<Symbol> statics_;
    std::vector<Symbol> fluents_;
    std::vector<Symbol> moves_;
    std::vector<View> views_;
};

[[nodiscard]] inline std::string random_rules(std::uint64_t seed) { return RandomRules(seed).text(); }

}  // namespace zermelo
