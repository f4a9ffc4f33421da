#include "model/qbf/circuit.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::model {

int QuantifiedCircuit::add_variable(Quantifier quantifier, VarId of) {
    if (prefix.empty() || prefix.back().quantifier != quantifier) prefix.push_back({quantifier, {}});
    origin.push_back(of);
    prefix.back().variables.push_back(inputs());
    return inputs();
}

QuantifiedCircuit::Signal QuantifiedCircuit::conjunction(std::vector<Signal> signals) {
    std::sort(signals.begin(), signals.end(), [](Signal a, Signal b) {
        return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
    });
    std::size_t kept = 0;
    for (const Signal s : signals) {
        if (s == always || (kept > 0 && signals[kept - 1] == s)) continue;
        if (s == never || (kept > 0 && signals[kept - 1] == -s)) return never;
        signals[kept++] = s;
    }
    signals.resize(kept);
    if (signals.empty()) return always;
    return signals.size() == 1 ? signals.front() : intern({false, std::move(signals)});
}

QuantifiedCircuit::Signal QuantifiedCircuit::disjunction(std::vector<Signal> signals) {
    for (Signal& s : signals) s = -s;
    return -conjunction(std::move(signals));
}

QuantifiedCircuit::Signal QuantifiedCircuit::exclusive(Signal a, Signal b) {
    if (std::abs(a) == always) std::swap(a, b);
    if (std::abs(b) == always) return b == always ? -a : a;
    if (std::abs(a) == std::abs(b)) return a == b ? never : always;
    const bool negated = (a < 0) != (b < 0);
    const Signal parity =
        intern({true, {std::min(std::abs(a), std::abs(b)), std::max(std::abs(a), std::abs(b))}});
    return negated ? -parity : parity;
}

QuantifiedCircuit::Signal QuantifiedCircuit::intern(Gate gate) {
    Hasher hasher;
    hasher.add(gate.parity ? 1 : 0);
    for (const Signal s : gate.inputs) hasher.add(static_cast<std::uint64_t>(s));
    const std::uint64_t hash = hasher.value().low;
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
        const Gate& other = gates_[static_cast<std::size_t>(at->second - inputs() - 1)];
        if (other.parity == gate.parity && other.inputs == gate.inputs) return at->second;
    }
    gates_.push_back(std::move(gate));
    known_.emplace(hash, nodes());
    return nodes();
}

void QuantifiedCircuit::keep_reachable() {
    std::vector<bool> used(static_cast<std::size_t>(nodes()) + 1, false);
    if (std::abs(output) != always) used[static_cast<std::size_t>(std::abs(output))] = true;
    for (int node = nodes(); node > inputs(); --node) {
        if (!used[static_cast<std::size_t>(node)]) continue;
        for (const Signal s : gate(node)->inputs) used[static_cast<std::size_t>(std::abs(s))] = true;
    }
    std::vector<int> number(used.size());
    for (int v = 1; v <= inputs(); ++v) number[static_cast<std::size_t>(v)] = v;
    std::vector<Gate> kept;
    const auto renamed = [&](Signal s) {
        return s < 0 ? -number[static_cast<std::size_t>(-s)] : number[static_cast<std::size_t>(s)];
    };
    for (int node = inputs() + 1; node <= nodes(); ++node) {
        if (!used[static_cast<std::size_t>(node)]) continue;
        Gate copy = *gate(node);
        for (Signal& s : copy.inputs) s = renamed(s);
        kept.push_back(std::move(copy));
        number[static_cast<std::size_t>(node)] = inputs() + static_cast<int>(kept.size());
    }
    if (std::abs(output) != always) output = renamed(output);
    gates_ = std::move(kept);
    known_.clear();
}

}  // namespace zermelo::model
