// Three-valued evaluation (Kleene 1938) of a circuit over the spots of a board: what holds in all states that agree with
// what is known.
//
// Besides fluents that are known or not, a spot may be known to be claimed without it being known by whom: then not
// both of its stones are absent.

#pragma once

#include "gdl/circuit/effects.hpp"
#include "gdl/positional/positional_game.hpp"

namespace zermelo::gdl {

enum class Truth : std::uint8_t { no, yes, unknown };

[[nodiscard]] inline Truth truth(bool value) { return value ? Truth::yes : Truth::no; }
[[nodiscard]] inline Truth operator!(Truth t) {
    return t == Truth::unknown ? t : t == Truth::yes ? Truth::no : Truth::yes;
}

class ThreeValued {
public:
    using Spot = PositionalRules::Spot;

    ThreeValued(const Circuit& circuit, const std::vector<Spot>& spots) : circuit_(circuit), spots_(spots) {}

    // Everything is unknown but for these fluents.
    void start(const std::vector<std::pair<std::uint32_t, bool>>& fixed);
    void set_fluent(std::uint32_t fluent, bool value);
    void set_empty(std::size_t spot);
    void set_held(std::size_t spot, std::size_t role);
    void set_claimed(std::size_t spot);  // by whom is unknown
    void force(Signal s, bool value);    // whatever its inputs say

    [[nodiscard]] Truth of(Signal s);

    // The fluents that the signal depends on.
    [[nodiscard]] std::vector<std::uint32_t> fluents_below(Signal s) const;

private:
    [[nodiscard]] Truth evaluate(std::uint32_t node);
    void set(std::uint32_t node, Truth value);
    [[nodiscard]] bool denies_a_claim(std::uint32_t gate) const;
    void prepare();

    const Circuit& circuit_;
    const std::vector<Spot>& spots_;
    std::vector<std::size_t> claimed_;
    std::vector<std::pair<std::uint32_t, Truth>> known_;  // nodes
    std::vector<Truth> value_;                            // by node, where it has been evaluated since
    std::vector<bool> evaluated_;
    std::vector<std::uint32_t> evaluated_nodes_;
    bool prepared_ = false;
};

}  // namespace zermelo::gdl
