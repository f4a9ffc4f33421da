// Brute force over quantified Boolean formulas: every value of every variable, and the matrix evaluated at the end. Shares no
// code with any solver or reader.

#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "model/qbf/circuit.hpp"

namespace zermelo::oracle {

template <class Matrix>
bool is_true(const std::vector<std::pair<bool, int>>& prefix, std::size_t at, std::vector<bool>& values,
             const Matrix& matrix) {
    if (at == prefix.size()) return matrix(values);
    const auto& [exists, variable] = prefix[at];
    for (const bool value : {false, true}) {
        values[static_cast<std::size_t>(variable)] = value;
        if (is_true(prefix, at + 1, values, matrix) == exists) return exists;
    }
    return !exists;
}

inline bool is_true(const model::QuantifiedCircuit& circuit) {
    std::vector<std::pair<bool, int>> prefix;
    for (const auto& block : circuit.prefix) {
        for (const int v : block.variables)
            prefix.emplace_back(block.quantifier == model::Quantifier::exists, v);
    }
    std::vector<bool> values(static_cast<std::size_t>(circuit.nodes()) + 1);
    return is_true(prefix, 0, values, [&](std::vector<bool> nodes) {
        const auto holds = [&](int s) { return nodes[static_cast<std::size_t>(std::abs(s))] == (s > 0); };
        for (int node = circuit.inputs() + 1; node <= circuit.nodes(); ++node) {
            const auto& gate = *circuit.gate(node);
            bool value = !gate.parity;
            for (const int s : gate.inputs) value = gate.parity ? value != holds(s) : value && holds(s);
            nodes[static_cast<std::size_t>(node)] = value;
        }
        if (std::abs(circuit.output) == model::QuantifiedCircuit::always) return circuit.output > 0;
        return holds(circuit.output);
    });
}

// QDIMACS without comments, in which every variable is quantified.
inline bool is_true(const std::string& qdimacs) {
    std::istringstream lines(qdimacs);
    std::vector<std::pair<bool, int>> prefix;
    std::vector<std::vector<int>> clauses;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        if (line[0] == 'p') continue;
        const bool block = line[0] == 'e' || line[0] == 'a';
        if (block) words.ignore();
        if (!block) clauses.emplace_back();
        for (int number = 0; words >> number && number != 0;) {
            if (block) prefix.emplace_back(line[0] == 'e', number);
            if (!block) clauses.back().push_back(number);
        }
    }
    std::vector<bool> values(prefix.size() + 1);
    return is_true(prefix, 0, values, [&](const std::vector<bool>& v) {
        for (const auto& clause : clauses) {
            bool kept = false;
            for (const int l : clause) kept = kept || v[static_cast<std::size_t>(std::abs(l))] == (l > 0);
            if (!kept) return false;
        }
        return true;
    });
}

// Two to five blocks and clauses of up to four literals; the last block is of ∃, and some of its variables are gates: with
// clauses for g ↔ a ∧ b, g ↔ a ⊕ b or, in half of them, only a part of these, so that readers have something to mistake.
inline std::string random_qbf_with_gates(std::uint64_t seed) {
    Random random(seed);
    const auto blocks = random.between(1, 5);
    std::ostringstream prefix;
    int variables = 0;
    for (auto b = blocks; b-- > 0;) {
        prefix << (b % 2 == 0 ? 'e' : 'a');
        for (auto size = random.between(1, b == 0 ? 4 : 2); size > 0; --size) prefix << ' ' << ++variables;
        if (b > 0) prefix << " 0\n";
    }
    const int plain = variables;
    std::vector<std::vector<int>> clauses;
    const auto literal = [&](int most) {
        const int v = static_cast<int>(random.between(1, most));
        return random.chance(0.5) ? v : -v;
    };
    for (auto gates = random.between(0, 3); gates > 0; --gates) {
        const int g = ++variables;
        prefix << ' ' << g;
        // Sometimes it reads a later one, so that definitions go round in a circle.
        const int most = random.chance(0.2) ? plain + 3 : g - 1;
        const int a = literal(std::max(1, std::min(most, g + static_cast<int>(gates) - 1)));
        const int b = literal(g - 1);
        if (std::abs(a) == g || std::abs(b) == std::abs(a)) {
            clauses.push_back({g, b});
            continue;
        }
        std::vector<std::vector<int>> definition =
            random.chance(0.5)
                ? std::vector<std::vector<int>>{{-g, a}, {-g, b}, {g, -a, -b}}
                : std::vector<std::vector<int>>{{-g, a, b}, {-g, -a, -b}, {g, a, -b}, {g, -a, b}};
        if (random.chance(0.2))
            definition.erase(definition.begin() + static_cast<long>(random.below(definition.size())));
        clauses.insert(clauses.end(), definition.begin(), definition.end());
    }
    prefix << " 0\n";
    for (auto more = random.between(1, variables + 2); more > 0; --more) {
        std::vector<int> clause;
        for (auto size = random.between(2, 4); size > 0; --size) clause.push_back(literal(variables));
        clauses.push_back(std::move(clause));
    }
    std::ostringstream text;
    text << "p cnf " << variables << ' ' << clauses.size() << '\n' << prefix.str();
    for (const auto& clause : clauses) {
        for (const int l : clause) text << l << ' ';
        text << "0\n";
    }
    return text.str();
}

}  // namespace zermelo::oracle
