#include "kernel/gecode/post_globals.hpp"

#include <map>
#include <set>

#include "model/globals.hpp"

namespace zermelo::kernel::gecode {

namespace {

using Gecode::Home;
using Gecode::IntArgs;
using Gecode::IntVar;
using Gecode::IntVarArgs;

class Post {
public:
    Post(Home home, const model::Global& global, const std::function<IntVar(model::VarId)>& variable,
         const std::function<model::Value(model::VarId)>& constant)
        : home_(home), global_(global), variable_(variable), constant_(constant) {}

    void circuit() {
        auto x = variables(0);
        if (x.size() == 0) return;
        Gecode::unshare(home_, x);
        Gecode::circuit(home_, zero_based(x, number(1)));
    }

    void inverse() {
        // The two arrays may be one and the same, which Gecode does not take.
        auto both = variables(0);
        both << variables(2);
        Gecode::unshare(home_, both);
        const int n = both.size() / 2;
        if (n == 0) return;
        Gecode::channel(home_, zero_based(both.slice(0, 1, n), number(3)),
                        zero_based(both.slice(n, 1, n), number(1)));
    }

    void global_cardinality() {
        const auto counts = variables(2);
        for (int i = 0; i < counts.size(); ++i) at_least_zero(counts[i]);
        cardinality(
            [&](const IntVarArgs& x, const IntArgs& values, const std::vector<int>& position) {
                IntVarArgs all;
                for (const int p : position) all << (p >= 0 ? counts[p] : IntVar(home_, 0, x.size()));
                Gecode::count(home_, x, all, values);
            },
            [&](const IntVarArgs& x, int value, int p) {
                Gecode::count(home_, x, value, Gecode::IRT_EQ, counts[p]);
            });
    }

    void global_cardinality_low_up() {
        const auto low = numbers(2);
        const auto high = numbers(3);
        const int most = static_cast<int>(global_.arguments[0].size());
        for (int i = 0; i < low.size(); ++i) {
            if (low[i] > high[i] || low[i] > most || high[i] < 0) return home_.fail();
        }
        const auto range = [&](int p) {
            return p < 0 ? Gecode::IntSet(0, most)
                         : Gecode::IntSet(std::max(low[p], 0), std::min(high[p], most));
        };
        cardinality(
            [&](const IntVarArgs& x, const IntArgs& values, const std::vector<int>& position) {
                Gecode::IntSetArgs all;
                for (const int p : position) all << range(p);
                Gecode::count(home_, x, all, values);
            },
            [&](const IntVarArgs& x, int value, int p) {
                Gecode::count(home_, x, value, Gecode::IRT_GQ, std::max(low[p], 0));
                Gecode::count(home_, x, value, Gecode::IRT_LQ, high[p]);
            });
    }

    void cumulative() {
        const auto starts = variables(0);
        if (starts.size() == 0) return;
        if (number(3) < 0) return home_.fail();
        // Gecode lets a task without duration use the resource, MiniZinc does not.
        const auto duration = numbers(1);
        const auto need = numbers(2);
        IntVarArgs real_starts;
        IntArgs durations;
        IntArgs needs;
        for (int i = 0; i < starts.size(); ++i) {
            if (duration[i] <= 0 || need[i] <= 0) continue;
            real_starts << starts[i];
            durations << duration[i];
            needs << need[i];
        }
        if (real_starts.size() == 0) return;
        Gecode::unshare(home_, real_starts);
        Gecode::cumulative(home_, number(3), real_starts, durations, needs);
    }

    void lexicographic(Gecode::IntRelType relation) {
        Gecode::rel(home_, variables(0), relation, variables(1));
    }

    void nvalue() {
        const auto x = variables(1);
        const IntVar n = variable_(global_.arguments[0][0]);
        if (x.size() == 0) {
            Gecode::rel(home_, n, Gecode::IRT_EQ, 0);
        } else {
            Gecode::nvalues(home_, x, Gecode::IRT_EQ, n);
        }
    }

    void sort() {
        auto both = variables(0);
        both << variables(1);
        Gecode::unshare(home_, both);
        const int n = both.size() / 2;
        if (n > 0) Gecode::sorted(home_, both.slice(0, 1, n), both.slice(n, 1, n));
    }

    void regular() {
        auto word = variables(0);
        const auto next = numbers(3);
        const auto accepting = numbers(5);
        const int states = number(1);
        const int symbols = number(2);
        if (static_cast<model::Value>(states) * symbols != next.size())
            throw Error("regular: the transition table has the wrong size");
        std::vector<Gecode::DFA::Transition> transitions;
        for (int state = 1; state <= states; ++state) {
            for (int symbol = 1; symbol <= symbols; ++symbol) {
                const int after = next[(state - 1) * symbols + symbol - 1];
                if (after < 0 || after > states)
                    throw Error("regular: a transition leads to a state that does not exist");
                if (after > 0) transitions.emplace_back(state, symbol, after);
            }
        }
        std::vector<int> finals;
        for (int i = 0; i < accepting.size(); ++i) {
            if (accepting[i] >= 1 && accepting[i] <= states) finals.push_back(accepting[i]);
        }
        const bool start_accepts = std::find(finals.begin(), finals.end(), number(4)) != finals.end();
        if (word.size() == 0 ? !start_accepts : finals.empty()) return home_.fail();
        if (word.size() == 0) return;
        Gecode::unshare(home_, word);
        transitions.emplace_back(-1, 0, 0);
        finals.push_back(-1);
        Gecode::extensional(home_, word, Gecode::DFA(number(4), transitions.data(), finals.data()));
    }

    void bin_packing_load() {
        const auto loads = variables(0);
        const auto bins = variables(1);
        const auto weights = numbers(2);
        for (int i = 0; i < weights.size(); ++i) {
            if (weights[i] < 0)
                throw Error("bin_packing_load: a weight is negative", "use weights of at least 0");
        }
        if (bins.size() == 0) {
            for (int i = 0; i < loads.size(); ++i) Gecode::rel(home_, loads[i], Gecode::IRT_EQ, 0);
            return;
        }
        if (loads.size() == 0) return home_.fail();
        auto both = loads;
        both << bins;
        Gecode::unshare(home_, both);
        Gecode::binpacking(home_, both.slice(0, 1, loads.size()),
                           zero_based(both.slice(loads.size(), 1, bins.size()), number(3)), weights);
    }

    void value_precede() {
        auto x = variables(2);
        if (x.size() == 0 || number(0) == number(1)) return;
        Gecode::unshare(home_, x);
        Gecode::precede(home_, x, number(0), number(1));
    }

private:
    [[nodiscard]] IntVarArgs variables(std::size_t i) const {
        IntVarArgs all(static_cast<int>(global_.arguments[i].size()));
        for (int k = 0; k < all.size(); ++k)
            all[k] = variable_(global_.arguments[i][static_cast<std::size_t>(k)]);
        return all;
    }
    [[nodiscard]] IntArgs numbers(std::size_t i) const {
        IntArgs all(static_cast<int>(global_.arguments[i].size()));
        for (int k = 0; k < all.size(); ++k) {
            all[k] = static_cast<int>(constant_(global_.arguments[i][static_cast<std::size_t>(k)]));
        }
        return all;
    }
    [[nodiscard]] int number(std::size_t i) const {
        return static_cast<int>(constant_(global_.arguments[i][0]));
    }

    void at_least_zero(IntVar x) { Gecode::rel(home_, x, Gecode::IRT_GQ, 0); }

    // x - offset, as new variables within 0 … size; Gecode counts from there.
    IntVarArgs zero_based(const IntVarArgs& x, int offset) {
        if (offset == 0) return x;
        IntVarArgs shifted;
        for (int i = 0; i < x.size(); ++i) {
            const auto low = static_cast<model::Value>(x[i].min()) - offset;
            const auto high = static_cast<model::Value>(x[i].max()) - offset;
            const IntVar y(home_, static_cast<int>(std::max<model::Value>(low, Gecode::Int::Limits::min)),
                           static_cast<int>(std::min<model::Value>(high, Gecode::Int::Limits::max)));
            Gecode::linear(home_, IntArgs({1, -1}), IntVarArgs({x[i], y}), Gecode::IRT_EQ, offset,
                           Gecode::IPL_DOM);
            shifted << y;
        }
        return shifted;
    }

    // Gecode's cardinality forbids values outside the cover, MiniZinc's allows them: such values join the
    // cover with a count of their own. Where they are too many, each value of the cover is counted alone.
    template <class Together, class Alone>
    void cardinality(Together together, Alone alone) {
        auto x = variables(0);
        const auto cover = numbers(1);
        constexpr unsigned int many = 4096;
        std::set<int> others;
        bool wide = false;
        for (int i = 0; i < x.size() && !wide; ++i) {
            wide = x[i].size() > many;
            if (wide) break;
            for (Gecode::IntVarValues value(x[i]); value(); ++value) others.insert(value.val());
            wide = others.size() > many;
        }
        std::map<int, int> position;
        bool repeated = false;
        for (int i = 0; i < cover.size(); ++i)
            repeated = !position.try_emplace(cover[i], i).second || repeated;
        Gecode::unshare(home_, x);
        if (wide || repeated || x.size() == 0 || cover.size() == 0) {
            for (int i = 0; i < cover.size(); ++i) alone(x, cover[i], i);
            return;
        }
        for (const int value : others) position.try_emplace(value, -1);
        IntArgs values;
        std::vector<int> positions;
        for (const auto& [value, p] : position) {
            values << value;
            positions.push_back(p);
        }
        together(x, values, positions);
    }

    Home home_;
    const model::Global& global_;
    const std::function<IntVar(model::VarId)>& variable_;
    const std::function<model::Value(model::VarId)>& constant_;
};

}  // namespace

void post_global(Home home, const model::Global& global, const std::function<IntVar(model::VarId)>& variable,
                 const std::function<model::Value(model::VarId)>& constant) {
    const std::string problem = misfit(global, [](model::VarId) { return true; });
    if (!problem.empty()) throw Error(problem);
    static const std::map<std::string_view, void (*)(Post&)> posts = {
        {"zermelo_circuit", [](Post& p) { p.circuit(); }},
        {"zermelo_inverse", [](Post& p) { p.inverse(); }},
        {"zermelo_global_cardinality", [](Post& p) { p.global_cardinality(); }},
        {"zermelo_global_cardinality_low_up", [](Post& p) { p.global_cardinality_low_up(); }},
        {"zermelo_cumulative", [](Post& p) { p.cumulative(); }},
        {"zermelo_lex_less", [](Post& p) { p.lexicographic(Gecode::IRT_LE); }},
        {"zermelo_lex_lesseq", [](Post& p) { p.lexicographic(Gecode::IRT_LQ); }},
        {"zermelo_nvalue", [](Post& p) { p.nvalue(); }},
        {"zermelo_sort", [](Post& p) { p.sort(); }},
        {"zermelo_regular", [](Post& p) { p.regular(); }},
        {"zermelo_bin_packing_load", [](Post& p) { p.bin_packing_load(); }},
        {"zermelo_value_precede", [](Post& p) { p.value_precede(); }},
    };
    Post post(home, global, variable, constant);
    posts.at(global.name)(post);
}

}  // namespace zermelo::kernel::gecode
