// Random FlatZinc programs of linear constraints over Booleans and small integers, as MiniZinc writes them: disequalities with
// coefficients, demanded or with a literal, beside equations, inequalities and clauses.
//
// The same is said to the builder, whose trees the oracle evaluates; so text and reader are judged, too.

#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/random.hpp"
#include "model/builder.hpp"

namespace zermelo {

class RandomFlatZinc {
public:
    explicit RandomFlatZinc(std::uint64_t seed) : random_(seed), game("flatzinc-" + std::to_string(seed)) {
        bool ours = random_.chance(0.5);
        for (auto blocks = random_.between(2, 4), b = std::int64_t{1}; b <= blocks; ++b, ours = !ours)
            block(static_cast<int>(b), ours);
        for (auto demands = random_.between(1, 3); demands > 0; --demands) {
            if (random_.chance(0.5)) {
                clause();
            } else {
                const Linear c = linear();
                say(c.call, c.arguments);
                game.require(c.meaning);
            }
        }
    }

    [[nodiscard]] std::string text() const {
        return fmt::format("{}{}solve satisfy;\n", declarations_, constraints_);
    }

private:
    struct Variable {
        std::string name;     // of an integer
        std::string boolean;  // the Boolean of which it is the number; empty: there is none
        model::IntExpr value;
    };
    struct Linear {
        std::string call;
        std::string arguments;
        model::BoolExpr meaning;
    };

    void say(const std::string& call, const std::string& arguments, const std::string& annotation = "") {
        constraints_ += fmt::format("constraint {}({}){};\n", call, arguments, annotation);
    }

    void block(int level, bool ours) {
        for (auto n = random_.between(1, 2); n > 0; --n) {
            const std::string name = fmt::format("x{}", all_.size());
            const bool boolean = random_.chance(0.4);
            std::vector<model::Value> values = {0, 1};
            if (!boolean && random_.chance(0.4))
                values = random_.chance(0.5) ? Values{0, 1, 2} : Values{-1, 0, 2};
            const model::Domain domain(values);
            if (boolean) {
                declarations_ += fmt::format("var bool: {0};\nvar 0..1: {0}n:: is_defined_var;\n", name);
                say("bool2int", fmt::format("{0},{0}n", name), fmt::format(":: defines_var({}n)", name));
                say("zermelo_bool_block", fmt::format("{},{},[{}]", level, !ours, name));
            } else {
                const std::string set = fmt::format("{{{}}}", fmt::join(values, ","));
                declarations_ += fmt::format("var {}: {};\n", set, name);
                say("zermelo_block", fmt::format("{},{},[{}],[{}]", level, !ours, name, set));
            }
            const bool first = all_.empty() || level_ != level;
            level_ = level;
            all_.push_back({boolean ? name + "n" : name, boolean ? name : "",
                            !first ? game.also(name, domain)
                            : ours ? game.exists(name, domain)
                                   : game.forall(name, domain)});
        }
    }

    // Over Booleans alone, by bool_lin; or over the integers, with the numbers of Booleans among them.
    Linear linear() {
        std::vector<Variable> chosen;
        const bool booleans = random_.chance(0.3);
        for (auto n = random_.between(1, 4); n > 0; --n) {
            const Variable& v = all_[random_.below(all_.size())];
            if (!booleans || !v.boolean.empty()) chosen.push_back(v);
        }
        std::vector<model::Value> coefficients;
        std::vector<std::string> names;
        model::IntExpr sum = 0;
        for (const Variable& v : chosen) {
            coefficients.push_back(random_.between(1, 3) * (random_.chance(0.5) ? 1 : -1));
            names.push_back(booleans ? v.boolean : v.name);
            sum = sum + coefficients.back() * v.value;
        }
        const model::Value constant = random_.between(-3, 3);
        const auto relation = random_.below(5);  // a disequality is as frequent as all others
        const char* const word = relation < 3 ? "ne" : relation == 3 ? "le" : "eq";
        return {fmt::format("{}_lin_{}", booleans ? "bool" : "int", word),
                fmt::format("[{}],[{}],{}", fmt::join(coefficients, ","), fmt::join(names, ","), constant),
                relation < 3    ? sum != constant
                : relation == 3 ? sum <= constant
                                : sum == constant};
    }

    // At least one of some constraints, or not one of some others.
    void clause() {
        std::vector<std::string> sides[2];
        model::BoolExpr meaning = false;
        for (auto n = random_.between(2, 3); n > 0; --n) {
            const Linear c = linear();
            const std::string literal = fmt::format("r{}", literals_++);
            const bool negative = random_.chance(0.4);
            declarations_ += fmt::format("var bool: {}:: is_defined_var;\n", literal);
            say(c.call + "_reif", c.arguments + "," + literal, fmt::format(":: defines_var({})", literal));
            sides[negative ? 1 : 0].push_back(literal);
            meaning = meaning || (negative ? !c.meaning : c.meaning);
        }
        say("bool_clause", fmt::format("[{}],[{}]", fmt::join(sides[0], ","), fmt::join(sides[1], ",")));
        game.require(meaning);
    }

    using Values = std::vector<model::Value>;

    Random random_;
    std::vector<Variable> all_;
    int level_ = 0;
    int literals_ = 0;
    std::string declarations_;
    std::string constraints_;

public:
    model::ModelBuilder game;
};

}  // namespace zermelo
