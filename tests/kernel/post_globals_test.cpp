// Gecode and the plain evaluation agree about every global constraint, on every assignment of small
// instances.

#include "kernel/gecode/post_globals.hpp"

#include <gtest/gtest.h>

#include <gecode/search.hh>
#include <set>

#include "core/random.hpp"
#include "model/globals.hpp"
#include "model/model.hpp"

namespace zermelo {
namespace {

using Solutions = std::set<std::vector<model::Value>>;

class Space : public Gecode::Space {
public:
    Space(const model::Model& model, const model::Global& global) {
        for (const model::Variable& v : model.variables) {
            x << Gecode::IntVar(*this, static_cast<int>(v.domain.low()), static_cast<int>(v.domain.high()));
        }
        all = Gecode::IntVarArray(*this, x);
        kernel::gecode::post_global(
            *this, global, [&](model::VarId v) { return x[v]; },
            [&](model::VarId v) { return model.domain(v).low(); });
        Gecode::branch(*this, all, Gecode::INT_VAR_NONE(), Gecode::INT_VAL_MIN());
    }
    Space(Space& other) : Gecode::Space(other) { all.update(*this, other.all); }
    Gecode::Space* copy() override { return new Space(*this); }

    Gecode::IntVarArgs x;
    Gecode::IntVarArray all;
};

Solutions by_gecode(const model::Model& model, const model::Global& global) {
    Solutions found;
    Space root(model, global);
    Gecode::DFS<Space> search(&root);
    while (Space* solution = search.next()) {
        std::vector<model::Value> values;
        for (int i = 0; i < solution->all.size(); ++i) values.push_back(solution->all[i].val());
        found.insert(values);
        delete solution;
    }
    return found;
}

Solutions by_evaluation(const model::Model& model, const model::Global& global) {
    Solutions found;
    std::vector<model::Value> play;
    for (const model::Variable& v : model.variables) play.push_back(v.domain.low());
    while (true) {
        if (holds(global, [&](model::VarId v) { return play[static_cast<std::size_t>(v)]; }))
            found.insert(play);
        std::size_t i = 0;
        while (i < play.size() && play[i] == model.variables[i].domain.high()) {
            play[i] = model.variables[i].domain.low();
            ++i;
        }
        if (i == play.size()) return found;
        ++play[i];
    }
}

// A random instance: `shape` says by argument how many variables (positive) or constants (negative) it takes.
class Instance {
public:
    Instance(std::uint64_t seed, model::Value low, model::Value high)
        : random_(seed), low_(low), high_(high) {}

    std::vector<model::VarId> variables(std::size_t count) {
        std::vector<model::VarId> result;
        while (result.size() < count) {
            // Now and then a constant, or a variable once more.
            if (random_.chance(0.1)) {
                result.push_back(model.constant(random_.between(low_, high_)));
            } else if (!mine_.empty() && random_.chance(0.1)) {
                result.push_back(mine_[random_.below(mine_.size())]);
            } else {
                const model::Value low = random_.between(low_, high_);
                mine_.push_back(model.add_variable("x", model::Domain(low, random_.between(low, high_))));
                result.push_back(mine_.back());
            }
        }
        return result;
    }
    std::vector<model::VarId> constants(std::size_t count, model::Value low, model::Value high) {
        std::vector<model::VarId> result;
        while (result.size() < count) result.push_back(model.constant(random_.between(low, high)));
        return result;
    }
    std::vector<model::VarId> constant(model::Value value) { return {model.constant(value)}; }
    std::size_t size(std::size_t least, std::size_t most) { return least + random_.below(most - least + 1); }
    model::Value between(model::Value low, model::Value high) { return random_.between(low, high); }

    model::Model model;

private:
    Random random_;
    model::Value low_, high_;
    std::vector<model::VarId> mine_;
};

void expect_agreement(const char* name, model::Value low, model::Value high,
                      const std::function<std::vector<std::vector<model::VarId>>(Instance&)>& arguments) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Instance instance(seed, low, high);
        const model::Global global{name, arguments(instance)};
        ASSERT_EQ(by_gecode(instance.model, global), by_evaluation(instance.model, global))
            << name << ", seed " << seed;
    }
}

TEST(PostGlobals, CircuitsAndInversesAgree) {
    for (const model::Value offset : {-1, 0, 1, 3}) {
        expect_agreement("zermelo_circuit", offset - 1, offset + 4, [&](Instance& i) {
            return std::vector{i.variables(i.size(1, 4)), i.constant(offset)};
        });
        expect_agreement("zermelo_inverse", offset - 1, offset + 3, [&](Instance& i) {
            const auto n = i.size(0, 3);
            return std::vector{i.variables(n), i.constant(offset), i.variables(n), i.constant(offset + 1)};
        });
    }
}

TEST(PostGlobals, CardinalitiesAgree) {
    expect_agreement("zermelo_global_cardinality", -1, 4, [](Instance& i) {
        const auto n = i.size(0, 3);
        return std::vector{i.variables(i.size(0, 3)), i.constants(n, -1, 4), i.variables(n)};
    });
    expect_agreement("zermelo_global_cardinality_low_up", -1, 4, [](Instance& i) {
        const auto n = i.size(0, 3);
        return std::vector{i.variables(i.size(0, 4)), i.constants(n, -1, 4), i.constants(n, -1, 3),
                           i.constants(n, -1, 5)};
    });
    expect_agreement("zermelo_nvalue", -1, 4, [](Instance& i) {
        return std::vector{i.variables(1), i.variables(i.size(0, 4))};
    });
}

TEST(PostGlobals, ResourcesAgree) {
    expect_agreement("zermelo_cumulative", -2, 4, [](Instance& i) {
        const auto n = i.size(0, 4);
        return std::vector{i.variables(n), i.constants(n, 0, 3), i.constants(n, 0, 3), i.constants(1, 0, 4)};
    });
    for (const model::Value offset : {-1, 0, 1}) {
        expect_agreement("zermelo_bin_packing_load", -1, 5, [&](Instance& i) {
            const auto n = i.size(0, 3);
            return std::vector{i.variables(i.size(0, 2)), i.variables(n), i.constants(n, 0, 3),
                               i.constant(offset)};
        });
    }
}

TEST(PostGlobals, OrdersAgree) {
    for (const char* name : {"zermelo_lex_less", "zermelo_lex_lesseq"}) {
        expect_agreement(name, -1, 2, [](Instance& i) {
            return std::vector{i.variables(i.size(0, 3)), i.variables(i.size(0, 3))};
        });
    }
    expect_agreement("zermelo_sort", -1, 3, [](Instance& i) {
        const auto n = i.size(0, 3);
        return std::vector{i.variables(n), i.variables(n)};
    });
    expect_agreement("zermelo_value_precede", -1, 3, [](Instance& i) {
        return std::vector{i.constants(1, -1, 3), i.constants(1, -1, 3), i.variables(i.size(0, 4))};
    });
}

TEST(PostGlobals, RegularLanguagesAgree) {
    expect_agreement("zermelo_regular", 0, 3, [](Instance& i) {
        const model::Value states = i.between(1, 3);
        const model::Value symbols = i.between(1, 3);
        return std::vector{i.variables(i.size(0, 4)),
                           i.constant(states),
                           i.constant(symbols),
                           i.constants(static_cast<std::size_t>(states * symbols), 0, states),
                           i.constant(i.between(1, states)),
                           i.constants(i.size(0, 2), 1, states)};
    });
}

}  // namespace
}  // namespace zermelo
