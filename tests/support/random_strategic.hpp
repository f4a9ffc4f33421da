// Random small strategic models: moves, state variables and many small constraints between them.
//
// Most constraints tie two or three variables, as a modeller's do; some mention variables that do not matter
// to them, or join what could act at once with what must wait, because when a constraint acts is part of its
// meaning. The same seed gives the same model on every machine. Both verdicts are common (the tests count
// them).

#pragma once

#include <string>
#include <vector>

#include "core/random.hpp"
#include "model/builder.hpp"

namespace zermelo {

namespace detail {

class RandomStrategicModel {
public:
    explicit RandomStrategicModel(std::uint64_t seed)
        : random_(seed), game_("random-strategic-" + std::to_string(seed)) {}

    model::ModelBuilder run() {
        const auto blocks = random_.between(1, 4);
        const auto states = random_.between(blocks == 1 ? 1 : 0, 3);
        bool ours = random_.chance(0.5);
        std::int64_t declared = 0;
        for (int b = 1; b <= blocks; ++b) {
            while (declared < states && random_.chance(0.5)) state(++declared);
            if (b == blocks) ours = random_.chance(0.85);      // after its last move ∀ cannot win any more
            if (states == 0 && b == blocks - 1) ours = false;  // one ∀° makes the model strategic
            block(ours, b);
            if (random_.chance(0.7)) constrain();
            ours = random_.chance(0.8) ? !ours : ours;
        }
        while (declared < states) state(++declared);
        for (auto n = random_.between(2, 4); n > 0; --n) constrain();
        return std::move(game_);
    }

private:
    model::Domain domain() {
        std::vector<model::Value> values;
        model::Value value = random_.between(-2, 1);
        for (auto size = random_.chance(0.05) ? 1 : random_.between(2, 4); size > 0; --size) {
            values.push_back(value);
            value += random_.chance(0.7) ? 1 : random_.between(2, 3);
        }
        return model::Domain(values);
    }

    void state(std::int64_t number) {
        if (number == 1 && random_.chance(0.2)) {
            for (const model::IntExpr& each : game_.state("s", 2, domain())) states_.push_back(each);
        } else {
            states_.push_back(game_.state("t" + std::to_string(number), domain()));
        }
    }

    void block(bool ours, int b) {
        const std::string name = (ours ? "x" : "y") + std::to_string(b);
        latest_ = moves_.size();
        if (random_.chance(0.1)) {
            for (const model::IntExpr& each :
                 ours ? game_.exists(name, 2, 0, 1) : game_.forall_consistent(name, 2, 0, 1))
                moves_.push_back(each);
            return;
        }
        moves_.push_back(ours ? game_.exists(name, domain()) : game_.forall_consistent(name, domain()));
        if (random_.chance(0.2)) moves_.push_back(game_.also(name + ".1", domain()));
    }

    void constrain() {
        model::BoolExpr condition = constraint();
        if (random_.chance(0.3)) condition = condition || constraint();
        if (random_.chance(0.7)) {
            game_.require(condition);
        } else {
            game_.win(condition);
        }
    }

    // One statement an operand: compilers differ in the order in which they evaluate arguments.
    model::BoolExpr constraint() {
        const model::BoolExpr p = atom();
        const model::BoolExpr q = atom();
        const model::BoolExpr r = atom();
        const model::IntExpr a = move();
        const model::IntExpr b = variable();
        const model::IntExpr c = variable();
        switch (random_.below(12)) {
            case 0:
                return p && q;
            case 1:
                return p && a != 9;  // the second part only waits
            case 2:
                return relation(a + b, a + c);
            case 3:
                return random_.chance(0.8) ? implies(p, q) : p && model::BoolExpr(random_.chance(0.8));
            case 4:
                return iff(p, q);
            case 5:
                return !(p && q);
            case 6:
                return model::if_then_else(p, q, r);
            case 7:
                return model::xor_(p, q) || r;
            default:
                return p;
        }
    }

    model::BoolExpr atom() {
        const model::IntExpr a = variable();
        const model::IntExpr b = variable();
        const model::IntExpr c = variable();
        const model::IntExpr y = move();
        const model::Value small = random_.between(0, 2);
        switch (random_.below(13)) {
            case 0:
                return model::table({a, b}, rows());
            case 1:
                return model::all_different({a, b, c + 1});
            case 2:
                return member(a + b, model::Domain{-2, -1, 0, 2, 3});
            case 3:
                return element(some(), y + 2) == a;
            case 4:
                return count(some(), y) <= small;
            case 5:
                return (a + b) % 3 != small;
            case 6:
                return a / b <= small;  // undefined where b is 0
            case 7:
                return relation(max(a, b), c);
            case 8:
                return abs(a - b) <= small;
            case 9:
                return relation(a * b, small);
            default:
                return relation(a, b + (small - 1));
        }
    }

    model::BoolExpr relation(const model::IntExpr& a, const model::IntExpr& b) {
        switch (random_.below(5)) {
            case 0:
                return a == b;
            case 1:
                return a < b;
            case 2:
                return a <= b;
            default:
                return a != b;
        }
    }

    // Often one of the latest block, so that a move is seldom judged by what others have done.
    model::IntExpr move() {
        const auto from = random_.chance(0.5) ? latest_ : 0;
        return moves_[from + random_.below(moves_.size() - from)];
    }
    model::IntExpr variable() {
        return !states_.empty() && random_.chance(0.45) ? states_[random_.below(states_.size())] : move();
    }
    model::IntExprs some() {
        model::IntExprs chosen;
        for (auto n = random_.between(2, 4); n > 0; --n) chosen.push_back(variable());
        return chosen;
    }
    std::vector<std::vector<model::Value>> rows() {
        std::vector<std::vector<model::Value>> rows(3 + random_.below(9));
        for (auto& row : rows) row = {random_.between(-2, 3), random_.between(-2, 3)};
        return rows;
    }

    Random random_;
    model::ModelBuilder game_;
    model::IntExprs moves_;
    model::IntExprs states_;
    std::size_t latest_ = 0;  // where the moves of the latest block begin
};

}  // namespace detail

inline model::ModelBuilder random_strategic_model(std::uint64_t seed) {
    return detail::RandomStrategicModel(seed).run();
}

}  // namespace zermelo
