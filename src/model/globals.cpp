#include "model/globals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace zermelo::model {

namespace {

using Values = std::vector<Value>;
using Arguments = std::vector<Values>;

bool contains(const Values& values, Value value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

Value occurrences(const Values& values, Value value) {
    return std::count(values.begin(), values.end(), value);
}

// The successor of position i is x[i] - offset; following them from 0 meets every position once.
bool circuit(const Arguments& a) {
    const auto n = static_cast<Value>(a[0].size());
    std::vector<bool> met(a[0].size(), false);
    Value at = 0;
    for (Value step = 0; step < n; ++step) {
        if (met[static_cast<std::size_t>(at)]) return false;
        met[static_cast<std::size_t>(at)] = true;
        at = a[0][static_cast<std::size_t>(at)] - a[1][0];
        if (at < 0 || at >= n) return false;
    }
    return at == 0;
}

bool inverse(const Arguments& a) {
    const auto one_way = [](const Values& f, Value f_offset, const Values& g, Value g_offset) {
        for (std::size_t i = 0; i < f.size(); ++i) {
            const Value j = f[i] - g_offset;
            if (j < 0 || j >= static_cast<Value>(g.size())) return false;
            if (g[static_cast<std::size_t>(j)] != static_cast<Value>(i) + f_offset) return false;
        }
        return true;
    };
    return one_way(a[0], a[1][0], a[2], a[3][0]) && one_way(a[2], a[3][0], a[0], a[1][0]);
}

bool global_cardinality(const Arguments& a) {
    for (std::size_t i = 0; i < a[1].size(); ++i) {
        if (occurrences(a[0], a[1][i]) != a[2][i]) return false;
    }
    return true;
}

bool global_cardinality_low_up(const Arguments& a) {
    for (std::size_t i = 0; i < a[1].size(); ++i) {
        const Value count = occurrences(a[0], a[1][i]);
        if (count < a[2][i] || count > a[3][i]) return false;
    }
    return true;
}

// The load only grows where a task starts, so those moments are enough.
bool cumulative(const Arguments& a) {
    for (const Value moment : a[0]) {
        Value load = 0;
        for (std::size_t i = 0; i < a[0].size(); ++i) {
            if (a[0][i] <= moment && moment < a[0][i] + a[1][i]) load += a[2][i];
        }
        if (load > a[3][0]) return false;
    }
    return true;
}

bool lex_less(const Arguments& a) { return a[0] < a[1]; }
bool lex_lesseq(const Arguments& a) { return a[0] <= a[1]; }

bool nvalue(const Arguments& a) {
    return a[0][0] == static_cast<Value>(std::set<Value>(a[1].begin(), a[1].end()).size());
}

bool sorted(const Arguments& a) {
    Values copy = a[0];
    std::sort(copy.begin(), copy.end());
    return copy == a[1];
}

bool regular(const Arguments& a) {
    Value state = a[4][0];
    for (const Value symbol : a[0]) {
        if (symbol < 1 || symbol > a[2][0] || state < 1) return false;
        state = a[3][static_cast<std::size_t>((state - 1) * a[2][0] + symbol - 1)];
    }
    return contains(a[5], state);
}

bool bin_packing_load(const Arguments& a) {
    Values load(a[0].size(), 0);
    for (std::size_t i = 0; i < a[1].size(); ++i) {
        const Value bin = a[1][i] - a[3][0];
        if (bin < 0 || bin >= static_cast<Value>(load.size())) return false;
        load[static_cast<std::size_t>(bin)] += a[2][i];
    }
    return load == a[0];
}

// t occurs nowhere, or s occurs before it.
bool value_precede(const Arguments& a) {
    for (const Value value : a[2]) {
        if (value == a[0][0]) return true;
        if (value == a[1][0]) return false;
    }
    return true;
}

struct GlobalEntry {
    GlobalSignature signature;
    bool (*holds)(const Arguments&);
    std::string_view shape;  // by argument: x variables, c constants, X or C exactly one of them
    std::string_view equal;  // by argument: the same letter means the same length
};

constexpr auto entries = std::to_array<GlobalEntry>({
    {{"zermelo_circuit", 2, "successors form one circle; offset of the index set"}, circuit, "xC", "a."},
    {{"zermelo_inverse", 4, "f, its offset, the inverse of f, its offset"}, inverse, "xCxC", "a.a."},
    {{"zermelo_global_cardinality", 3, "variables, values, counts"}, global_cardinality, "xcx", ".aa"},
    {{"zermelo_global_cardinality_low_up", 4, "variables, values, least, most"},
     global_cardinality_low_up,
     "xccc",
     ".aaa"},
    {{"zermelo_cumulative", 4, "starts, durations, needs, capacity"}, cumulative, "xccC", "aaa."},
    {{"zermelo_lex_less", 2, "left before right"}, lex_less, "xx", ".."},
    {{"zermelo_lex_lesseq", 2, "left before or equal to right"}, lex_lesseq, "xx", ".."},
    {{"zermelo_nvalue", 2, "number of different values, variables"}, nvalue, "Xx", ".."},
    {{"zermelo_sort", 2, "variables, the same in ascending order"}, sorted, "xx", "aa"},
    {{"zermelo_regular", 6, "word, states, symbols, transitions, start, accepting"},
     regular,
     "xCCcCc",
     "......"},
    {{"zermelo_bin_packing_load", 4, "loads, bins, weights, offset"}, bin_packing_load, "xxcC", ".aa."},
    {{"zermelo_value_precede", 3, "s, t, variables"}, value_precede, "CCx", "..."},
});

constexpr auto signatures = [] {
    std::array<GlobalSignature, entries.size()> all{};
    for (std::size_t i = 0; i < entries.size(); ++i) all[i] = entries[i].signature;
    return all;
}();

const GlobalEntry* find_entry(std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const GlobalEntry& e) { return e.signature.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

std::span<const GlobalSignature, global_kinds> global_signatures() { return signatures; }

void count(const Global& global, GlobalCounts& counts) {
    if (const GlobalEntry* entry = find_entry(global.name))
        ++counts[static_cast<std::size_t>(entry - entries.data())];
}

const GlobalSignature* find_global(std::string_view name) {
    const GlobalEntry* entry = find_entry(name);
    return entry == nullptr ? nullptr : &entry->signature;
}

std::string misfit(const Global& global, const std::function<bool(VarId)>& constant) {
    const GlobalEntry* entry = find_entry(global.name);
    if (entry == nullptr) return fmt::format("{} is not known", global.name);
    if (global.arguments.size() != entry->signature.arguments) {
        return fmt::format("{} takes {} arguments: {}", global.name, entry->signature.arguments,
                           entry->signature.meaning);
    }
    for (std::size_t i = 0; i < global.arguments.size(); ++i) {
        const auto& argument = global.arguments[i];
        const char shape = entry->shape[i];
        const bool one = shape == 'X' || shape == 'C';
        if (one && argument.size() != 1)
            return fmt::format("argument {} of {} must be one value", i + 1, global.name);
        if ((shape == 'c' || shape == 'C') && !std::all_of(argument.begin(), argument.end(), constant)) {
            return fmt::format("argument {} of {} must be constant", i + 1, global.name);
        }
        const std::size_t first = entry->equal.find(entry->equal[i]);
        if (entry->equal[i] != '.' && global.arguments[first].size() != argument.size()) {
            return fmt::format("arguments {} and {} of {} must be equally long", first + 1, i + 1,
                               global.name);
        }
    }
    return "";
}

bool holds(const Global& global, const std::function<Value(VarId)>& value) {
    const std::string problem = misfit(global, [](VarId) { return true; });
    if (!problem.empty()) throw Error(problem);
    Arguments arguments;
    for (const auto& argument : global.arguments) {
        arguments.emplace_back();
        for (const VarId v : argument) arguments.back().push_back(value(v));
    }
    return find_entry(global.name)->holds(arguments);
}

}  // namespace zermelo::model
