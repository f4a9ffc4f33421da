#include "model/qbf/write.hpp"

#include <fmt/format.h>

#include <sstream>

namespace zermelo::model {

namespace {

using Signal = QuantifiedCircuit::Signal;

void write_comment(std::ostream& out, const char* mark, const std::string& about) {
    std::istringstream lines(about);
    for (std::string line; std::getline(lines, line);) out << mark << ' ' << line << '\n';
}

class Clausifier {
public:
    explicit Clausifier(const QuantifiedCircuit& circuit)
        : circuit_(circuit),
          variable_(static_cast<std::size_t>(circuit.nodes()) + 1, 0),
          variables_(circuit.inputs()) {
        for (int v = 1; v <= circuit.inputs(); ++v) variable_[static_cast<std::size_t>(v)] = v;
    }

    void write(std::ostream& out) {
        demand(circuit_.output);
        out << fmt::format("p cnf {} {}\n", variables_, clauses_.size());
        const int gates = variables_ - circuit_.inputs();
        for (std::size_t b = 0; b < circuit_.prefix.size(); ++b) {
            const auto& block = circuit_.prefix[b];
            const bool exists = block.quantifier == Quantifier::exists;
            const bool joined = exists && b + 1 == circuit_.prefix.size();
            out << (exists ? 'e' : 'a');
            for (const int v : block.variables) out << ' ' << v;
            if (joined) write_gates(out);
            out << " 0\n";
        }
        if (gates > 0 &&
            (circuit_.prefix.empty() || circuit_.prefix.back().quantifier == Quantifier::forall)) {
            out << 'e';
            write_gates(out);
            out << " 0\n";
        }
        for (const auto& clause : clauses_) out << fmt::format("{} 0\n", fmt::join(clause, " "));
    }

private:
    void write_gates(std::ostream& out) const {
        for (int v = circuit_.inputs() + 1; v <= variables_; ++v) out << ' ' << v;
    }

    // The matrix itself: conjunctions are taken apart, a disjunction is a clause.
    void demand(Signal s) {
        if (s == QuantifiedCircuit::always) return;
        if (s == QuantifiedCircuit::never) return clauses_.push_back({});
        const auto* gate = circuit_.gate(s);
        if (gate == nullptr || gate->parity) return clauses_.push_back({literal(s)});
        if (s > 0) {
            for (const Signal input : gate->inputs) demand(input);
            return;
        }
        std::vector<int> clause;
        for (const Signal input : gate->inputs) clause.push_back(literal(-input));
        clauses_.push_back(std::move(clause));
    }

    // Inputs are defined before the gates that read them; without recursion, because chains are long.
    int literal(Signal s) {
        std::vector<int> open = {s < 0 ? -s : s};
        while (!open.empty()) {
            const int node = open.back();
            const std::size_t before = open.size();
            if (number(node) == 0) {
                for (const Signal input : circuit_.gate(node)->inputs) {
                    if (number(input) == 0) open.push_back(input < 0 ? -input : input);
                }
            }
            if (open.size() > before) continue;
            open.pop_back();
            if (number(node) == 0) define(node);
        }
        return s < 0 ? -number(s) : number(s);
    }
    [[nodiscard]] int number(Signal s) const { return variable_[static_cast<std::size_t>(s < 0 ? -s : s)]; }
    [[nodiscard]] int named(Signal s) const { return s < 0 ? -number(s) : number(s); }

    void define(int node) {
        const int v = variable_[static_cast<std::size_t>(node)] = ++variables_;
        const auto& gate = *circuit_.gate(node);
        if (gate.parity) {
            const int a = named(gate.inputs[0]);
            const int b = named(gate.inputs[1]);
            clauses_.insert(clauses_.end(), {{-v, a, b}, {-v, -a, -b}, {v, -a, b}, {v, a, -b}});
            return;
        }
        std::vector<int> all = {v};
        for (const Signal input : gate.inputs) {
            clauses_.push_back({-v, named(input)});
            all.push_back(-named(input));
        }
        clauses_.push_back(std::move(all));
    }

    const QuantifiedCircuit& circuit_;
    std::vector<int> variable_;  // by node; 0: none yet
    int variables_;
    std::vector<std::vector<int>> clauses_;
};

}  // namespace

void write_qcir(std::ostream& out, const QuantifiedCircuit& circuit, const std::string& about) {
    const bool constant =
        circuit.output == QuantifiedCircuit::always || circuit.output == QuantifiedCircuit::never;
    const int numbers = circuit.nodes() + (constant ? 1 : 0);
    out << fmt::format("#QCIR-14 {}\n", numbers);
    write_comment(out, "#", about);
    for (const auto& block : circuit.prefix) {
        out << fmt::format("{}({})\n", block.quantifier == Quantifier::exists ? "exists" : "forall",
                           fmt::join(block.variables, ", "));
    }
    const int output = !constant ? circuit.output : circuit.output > 0 ? numbers : -numbers;
    out << fmt::format("output({})\n", output);
    for (int node = circuit.inputs() + 1; node <= circuit.nodes(); ++node) {
        const auto& gate = *circuit.gate(node);
        out << fmt::format("{} = {}({})\n", node, gate.parity ? "xor" : "and", fmt::join(gate.inputs, ", "));
    }
    if (constant) out << fmt::format("{} = and()\n", numbers);
}

void write_qdimacs(std::ostream& out, const QuantifiedCircuit& circuit, const std::string& about) {
    write_comment(out, "c", about);
    Clausifier(circuit).write(out);
}

}  // namespace zermelo::model
