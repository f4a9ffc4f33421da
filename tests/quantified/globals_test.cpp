// Global constraints of MiniZinc's library in quantified models, through the real compiler: as the winning
// condition, negated, as a plain constraint, as a rule, and as a plain constraint that acts as a rule. A brute
// force over what each of them means says who wins.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "model/flatzinc/minizinc.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::global {
namespace {

using Values = std::vector<int>;  // of x[1] to x[4], each 1 to 3; counted from 0

struct Meaning {
    std::string text;
    std::function<bool(const Values&)> holds;
};

// MiniZinc's library makes several constraints of these, and each acts with the last move that it mentions.
const std::set<std::string> several = {"lex2",
                                       "increasing",
                                       "decreasing",
                                       "strictly_increasing",
                                       "sliding_sum",
                                       "global_cardinality_closed",
                                       "value_precede_chain",
                                       "seq_precede_chain",
                                       "cost_regular",
                                       "knapsack",
                                       "all_equal",
                                       "alldifferent_except_0",
                                       "symmetric_all_different",
                                       "bin_packing",
                                       "bin_packing_capa",
                                       "subcircuit",
                                       "distribute"};

int occurrences(const Values& x, int value) {
    return static_cast<int>(std::count(x.begin(), x.end(), value));
}

bool accepted(const Values& x) {  // by the automaton below
    int state = 1;
    for (const int symbol : x) {
        static const int next[3][4] = {{0, 0, 0, 0}, {0, 1, 2, 0}, {0, 2, 1, 1}};
        state = next[state][symbol];
    }
    return state == 2;
}

bool accepted_by_some_run(const Values& x) {  // of the automaton below that has a choice
    std::set<int> states = {1};
    for (const int symbol : x) {
        static const std::set<int> next[3][4] = {{}, {{}, {1}, {1, 2}, {}}, {{}, {2}, {1}, {2}}};
        std::set<int> after;
        for (const int state : states) after.insert(next[state][symbol].begin(), next[state][symbol].end());
        states = after;
    }
    return states.contains(2);
}

bool accepted_at_cost_four(const Values& x) {
    int state = 1;
    int cost = 0;
    for (const int symbol : x) {
        static const int next[3][4] = {{0, 0, 0, 0}, {0, 1, 2, 0}, {0, 2, 1, 1}};
        static const int costs[3][4] = {{0, 0, 0, 0}, {0, 1, 2, 0}, {0, 0, 1, 2}};
        cost += costs[state][symbol];
        state = next[state][symbol];
    }
    return state == 2 && cost == 4;
}

bool new_values_in_turn(const Values& x) {
    int greatest = 0;
    for (const int value : x) {
        if (value > greatest + 1) return false;
        greatest = std::max(greatest, value);
    }
    return true;
}

bool one_circle(const Values& successor) {
    int at = 1;
    for (std::size_t step = 1; step <= successor.size(); ++step) {
        at = successor[static_cast<std::size_t>(at - 1)];
        if (at == 1) return step == successor.size();
    }
    return false;
}

bool one_circle_and_loops(const Values& successor) {
    if (std::set<int>(successor.begin(), successor.end()).size() < successor.size()) return false;
    int start = 0;
    int moved = 0;
    for (int i = 1; i <= static_cast<int>(successor.size()); ++i) {
        if (successor[static_cast<std::size_t>(i - 1)] != i) start = i, ++moved;
    }
    if (moved == 0) return true;
    int length = 0;
    for (int at = start; length == 0 || at != start; ++length)
        at = successor[static_cast<std::size_t>(at - 1)];
    return length == moved;
}

bool fits(const Values& start, const Values& duration, const Values& need, int capacity) {
    for (int moment = 0; moment < 10; ++moment) {
        int load = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            if (start[i] <= moment && moment < start[i] + duration[i]) load += need[i];
        }
        if (load > capacity) return false;
    }
    return true;
}

bool different(Values x) {
    std::sort(x.begin(), x.end());
    return std::adjacent_find(x.begin(), x.end()) == x.end();
}

std::vector<Meaning> meanings() {
    using V = const Values&;
    const auto pair = [](int a, int b) { return std::pair(a, b); };
    return {
        {"lex_less([x[1], x[2]], [x[3], x[4]])", [=](V x) { return pair(x[0], x[1]) < pair(x[2], x[3]); }},
        {"lex_lesseq([x[1], x[2]], [x[3], x[4]])", [=](V x) { return pair(x[0], x[1]) <= pair(x[2], x[3]); }},
        {"lex_greater([x[1], x[2]], [x[3], x[4]])", [=](V x) { return pair(x[0], x[1]) > pair(x[2], x[3]); }},
        {"lex_greatereq([x[1], x[2]], [x[3], x[4]])",
         [=](V x) { return pair(x[0], x[1]) >= pair(x[2], x[3]); }},
        {"lex_less([x[1] = 1, x[2] = 1], [x[3] = 2, x[4] = 2])",
         [=](V x) { return pair(x[0] == 1, x[1] == 1) < pair(x[2] == 2, x[3] == 2); }},
        {"lex_lesseq([x[1] = 1, x[2] = 1], [x[3] = 2, x[4] = 2])",
         [=](V x) { return pair(x[0] == 1, x[1] == 1) <= pair(x[2] == 2, x[3] == 2); }},
        {"lex2(array2d(1..2, 1..2, x))",
         [=](V x) { return pair(x[0], x[1]) <= pair(x[2], x[3]) && pair(x[0], x[2]) <= pair(x[1], x[3]); }},
        {"regular(x, 2, 3, [|1, 2, 0|2, 1, 1|], 1, {2})", accepted},
        {"regular(x, \"1* 2* 3*\")", [](V x) { return std::is_sorted(x.begin(), x.end()); }},
        {"regular_nfa(x, 2, 3, [|{1}, {1, 2}, {}|{2}, {1}, {2}|], 1, {2})", accepted_by_some_run},
        {"cost_regular(x, 2, 3, [|1, 2, 0|2, 1, 1|], 1, {2}, [|1, 2, 0|0, 1, 2|], 4)", accepted_at_cost_four},
        {"seq_precede_chain(x)", new_values_in_turn},
        {"inverse([x[1], x[2]], [x[3], x[4]])",
         [](V x) {
             for (std::size_t i = 0; i < 2; ++i) {
                 if (x[i] > 2 || x[2 + i] > 2) return false;
                 if (x[2 + static_cast<std::size_t>(x[i] - 1)] != static_cast<int>(i) + 1) return false;
             }
             return true;
         }},
        {"cumulative(x, [1, 2, 1, 2], [1, 1, 2, 1], 2)",
         [](V x) {
             return fits(x, {1, 2, 1, 2}, {1, 1, 2, 1}, 2);
         }},
        {"cumulative([x[1], x[2]], [x[3], x[4]], [1, 1], 1)",
         [](V x) {
             return fits({x[0], x[1]}, {x[2], x[3]}, {1, 1}, 1);
         }},
        {"circuit([x[1], x[2], x[4]])",
         [](V x) {
             return one_circle({x[0], x[1], x[3]});
         }},
        {"subcircuit([x[1], x[2], x[4]])",
         [](V x) {
             return one_circle_and_loops({x[0], x[1], x[3]});
         }},
        {"nvalue(2, x)", [](V x) { return std::set<int>(x.begin(), x.end()).size() == 2; }},
        {"nvalue([x[1], x[2], x[3]]) = x[4]",
         [](V x) { return static_cast<int>(std::set<int>(x.begin(), x.begin() + 3).size()) == x[3]; }},
        {"global_cardinality(x, [1, 2], [2, 1])",
         [](V x) { return occurrences(x, 1) == 2 && occurrences(x, 2) == 1; }},
        {"global_cardinality([x[1], x[2], x[3]], [1], [x[4]])",
         [](V x) {
             return occurrences({x[0], x[1], x[2]}, 1) == x[3];
         }},
        {"global_cardinality_closed(x, [1, 3], [2, 2])",
         [](V x) { return occurrences(x, 1) == 2 && occurrences(x, 3) == 2; }},
        {"global_cardinality_low_up(x, [1, 2], [1, 0], [2, 1])",
         [](V x) { return occurrences(x, 1) >= 1 && occurrences(x, 1) <= 2 && occurrences(x, 2) <= 1; }},
        {"at_least(2, x, 1)", [](V x) { return occurrences(x, 1) >= 2; }},
        {"at_most(1, x, 2)", [](V x) { return occurrences(x, 2) <= 1; }},
        {"exactly(2, x, 3)", [](V x) { return occurrences(x, 3) == 2; }},
        {"among(2, x, {1, 3})", [](V x) { return occurrences(x, 1) + occurrences(x, 3) == 2; }},
        {"count(x, 1) = 2", [](V x) { return occurrences(x, 1) == 2; }},
        {"count([x[1], x[2], x[3]], x[4]) >= 2",
         [](V x) {
             return occurrences({x[0], x[1], x[2]}, x[3]) >= 2;
         }},
        {"increasing(x)", [](V x) { return std::is_sorted(x.begin(), x.end()); }},
        {"decreasing(x)", [](V x) { return std::is_sorted(x.rbegin(), x.rend()); }},
        {"strictly_increasing([x[1], x[2], x[4]])", [](V x) { return x[0] < x[1] && x[1] < x[3]; }},
        {"value_precede(1, 2, x)",
         [](V x) {
             const auto two = std::find(x.begin(), x.end(), 2);
             return two == x.end() || std::find(x.begin(), two, 1) != two;
         }},
        {"value_precede_chain([1, 2, 3], x)",
         [](V x) {
             int most = 0;
             for (const int value : x) {
                 if (value > most + 1) return false;
                 most = std::max(most, value);
             }
             return true;
         }},
        {"bin_packing(3, x, [1, 2, 1, 2])",
         [](V x) {
             Values load(4, 0);
             for (std::size_t i = 0; i < 4; ++i) load[static_cast<std::size_t>(x[i])] += i % 2 == 0 ? 1 : 2;
             return *std::max_element(load.begin(), load.end()) <= 3;
         }},
        {"bin_packing_load([2, 1, 1], x, [1, 1, 1, 1])",
         [](V x) { return occurrences(x, 1) == 2 && occurrences(x, 2) == 1; }},
        {"bin_packing_capa([2, 2, 1], x, [1, 1, 1, 1])",
         [](V x) { return occurrences(x, 1) <= 2 && occurrences(x, 2) <= 2 && occurrences(x, 3) <= 1; }},
        {"table(x, [|1, 2, 3, 1|2, 2, 1, 3|3, 1, 1, 1|1, 1, 2, 3|])",
         [](V x) {
             return std::set<Values>{{1, 2, 3, 1}, {2, 2, 1, 3}, {3, 1, 1, 1}, {1, 1, 2, 3}}.contains(x);
         }},
        {"table([x[1] = 1, x[2] = 2, x[4] = 3], [|true, false, true|false, true, true|false, false, false|])",
         [](V x) {
             return std::set<Values>{{1, 0, 1}, {0, 1, 1}, {0, 0, 0}}.contains(
                 {x[0] == 1, x[1] == 2, x[3] == 3});
         }},
        {"sliding_sum(4, 5, 2, x)",
         [](V x) {
             for (std::size_t i = 0; i < 3; ++i) {
                 if (x[i] + x[i + 1] < 4 || x[i] + x[i + 1] > 5) return false;
             }
             return true;
         }},
        {"maximum(x[4], [x[1], x[2], x[3]])",
         [](V x) {
             return x[3] == std::max({x[0], x[1], x[2]});
         }},
        {"minimum(x[4], [x[1], x[2], x[3]])",
         [](V x) {
             return x[3] == std::min({x[0], x[1], x[2]});
         }},
        {"arg_max([x[1], x[2], x[3]]) = x[4]",
         [](V x) { return std::max_element(x.begin(), x.begin() + 3) - x.begin() + 1 == x[3]; }},
        {"arg_min([x[1], x[2], x[3]]) = x[4]",
         [](V x) { return std::min_element(x.begin(), x.begin() + 3) - x.begin() + 1 == x[3]; }},
        {"alldifferent([x[1], x[2], x[4]])",
         [](V x) {
             return different({x[0], x[1], x[3]});
         }},
        {"all_equal([x[2], x[3], x[4]])", [](V x) { return x[1] == x[2] && x[2] == x[3]; }},
        {"alldifferent_except_0([v - 1 | v in x])",
         [](V x) { return occurrences(x, 2) <= 1 && occurrences(x, 3) <= 1; }},
        {"symmetric_all_different([x[1], x[2], x[4]])",
         [](V x) {
             const Values f = {x[0], x[1], x[3]};
             for (std::size_t i = 0; i < 3; ++i) {
                 if (f[static_cast<std::size_t>(f[i] - 1)] != static_cast<int>(i) + 1) return false;
             }
             return true;
         }},
        {"diffn([x[1], x[2]], [x[3], x[4]], [2, 1], [1, 2])",
         [](V x) { return x[0] + 2 <= x[1] || x[1] + 1 <= x[0] || x[2] + 1 <= x[3] || x[3] + 2 <= x[2]; }},
        {"disjunctive([x[1], x[2]], [x[3], x[4]])",
         [](V x) { return x[0] + x[2] <= x[1] || x[1] + x[3] <= x[0]; }},
        {"element(x[1], [x[2], x[3], 2], x[4])",
         [](V x) {
             return (x[0] == 1 ? x[1] : x[0] == 2 ? x[2] : 2) == x[3];
         }},
        {"member([x[1], x[2], x[3]], x[4])",
         [](V x) {
             return occurrences({x[0], x[1], x[2]}, x[3]) > 0;
         }},
        {"sort([x[1], x[3]], [x[2], x[4]])",
         [](V x) { return x[1] == std::min(x[0], x[2]) && x[3] == std::max(x[0], x[2]); }},
        {"knapsack([1, 1], [1, 2], [x[1], x[2]], x[3] + 2, x[4] + 4)",
         [](V x) { return x[0] + x[1] == x[2] + 2 && x[0] + 2 * x[1] == x[3] + 4; }},
        {"distribute([1, 2], [1, 2], [x[1], x[2], x[4]])",
         [](V x) {
             return occurrences({x[0], x[1], x[3]}, 1) == 1 && occurrences({x[0], x[1], x[3]}, 2) == 2;
         }},
    };
}

// A game in which the players set x[1] to x[4] in turns. Where `ruled`, the fourth move must obey the condition,
// whoever cannot move has lost, and ∃ has lost in any other case.
struct Form {
    std::string name;
    bool we_begin;
    bool ruled;
    bool negated;
    std::string before;  // the constraint, and what closes it
    std::string after;
};

bool won(const Meaning& meaning, const Form& form, Values& x, std::size_t i = 0) {
    if (i == 4) return !form.ruled && meaning.holds(x) != form.negated;
    const bool ours = form.we_begin == (i % 2 == 0);
    for (int value = 1; value <= 3; ++value) {
        x[i] = value;
        if (i == 3 && form.ruled && !meaning.holds(x)) continue;
        if (won(meaning, form, x, i + 1) == ours) return ours;
    }
    return !ours;
}

std::string text(const Meaning& meaning, const Form& form) {
    std::string text = "include \"zermelo.mzn\"; include \"globals.mzn\";\narray[1..4] of var 1..3: x;\n";
    for (int i = 1; i <= 4; ++i) {
        const bool ours = form.we_begin == (i % 2 == 1);
        const std::string n = std::to_string(i);
        text += std::string("constraint ") + (ours ? "some(" : "every(") + n + ", x[" + n + "], 1..3);\n";
    }
    return text + form.before + meaning.text + form.after;
}

TEST(Globals, OfTheLibraryMeanInAGameWhatTheySay) {
    const std::vector<Form> all_forms = {
        {"wanted", false, false, false, "constraint win(", ");\n"},
        {"wanted not", false, false, true, "constraint win(not (", "));\n"},
        {"plain", false, false, false, "constraint ", ";\n"},
        {"rule", true, true, false, "constraint rule(4, ", ");\nconstraint win(false);\n"},
        {"plain rule", true, true, false, "constraint ",
         ";\nconstraint rule(2, x[2] + x[1] <= 9);\nconstraint win(false);\n"},
    };
    model::MiniZincOptions options;
    options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    int wins = 0;
    int losses = 0;
    for (const Meaning& meaning : meanings()) {
        for (const Form& form : all_forms) {
            const std::string name = meaning.text.substr(0, meaning.text.find('('));
            if (form.name == "plain rule" && several.contains(name)) continue;
            Values x(4, 0);
            const bool truth = won(meaning, form, x);
            (truth ? wins : losses) += 1;
            try {
                const model::Model model = model::read_minizinc_text(text(meaning, form), "m.mzn", options);
                for (const auto kernel :
                     {quantified::KernelChoice::trail, quantified::KernelChoice::gecode}) {
                    quantified::SolveOptions how;
                    how.kernel = kernel;
                    const quantified::Answer answer = solve(model, how);
                    EXPECT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost)
                        << form.name << ": " << meaning.text;
                    EXPECT_TRUE(verify(model, answer.strategy).valid) << form.name << ": " << meaning.text;
                }
            } catch (const std::exception& error) {
                ADD_FAILURE() << form.name << ": " << meaning.text << ": " << error.what();
            }
        }
    }
    EXPECT_GT(wins, 40);
    EXPECT_GT(losses, 40);
}

}  // namespace
}  // namespace zermelo::global
