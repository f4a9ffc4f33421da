// Features: what a network sees of a state. The fluents that hold, and some gates of the rule network that do.
//
// The rules look at a state by their gates: lines, threats, what is open, who can move. Which of them tell something is
// found in random plays: a gate that varies there, that is no fluent and no other gate in disguise, and whose value goes
// with what the roles get in the end. Two gates are taken for the same if they agree in all states of these plays, or in
// none (as in functional hashing, Kuehlmann and Krohm 1997). The plays choose moves by their canonical numbers
// (symmetry/rules_form.hpp), so the signature of a gate, its values in these states, does not depend on names or on how the
// network was factored.
//
// Gates are evaluated bit by bit for 64 states at once. Gates in recursive rules are left out.

#pragma once

#include <memory>
#include <span>

#include "gdl/circuit/machine.hpp"
#include "symmetry/rules_form.hpp"

namespace zermelo::learn {

using gdl::MoveId;
using gdl::State;

// A gate by its signature, and how often it holds.
struct GateFeature {
    Hash128 signature;
    float frequency = 0;
};

class Features {
public:
    static constexpr std::size_t lanes = 64;

    // The best gates, at most `most`.
    [[nodiscard]] static Features choose(const gdl::Machine& machine, const symmetry::RulesForm& form,
                                         std::size_t most, const Limits& limits = {});
    // These gates. One that this network does not have is `missing`, and never holds.
    Features(const gdl::Machine& machine, const symmetry::RulesForm& form,
             const std::vector<GateFeature>& gates, const Limits& limits = {});

    // Features are numbered: the bits of the state, then the gates from the next whole word on.
    [[nodiscard]] std::size_t size() const { return 64 * state_words_ + gates_.size(); }
    [[nodiscard]] std::size_t words() const { return state_words_ + (gates_.size() + 63) / 64; }
    [[nodiscard]] std::size_t first_gate() const { return 64 * state_words_; }
    [[nodiscard]] const std::vector<GateFeature>& gates() const { return gates_; }
    [[nodiscard]] const std::vector<bool>& missing() const { return missing_; }  // by gate

    // What holds in at most 64 states: a row of words for each.
    void extract(std::span<const State* const> states, std::vector<std::uint64_t>& rows) const;

private:
    struct Cone;  // the gates below those that were chosen
    Features() = default;

    std::size_t state_words_ = 0;
    std::vector<GateFeature> gates_;
    std::vector<bool> missing_;
    std::shared_ptr<const Cone> cone_;
};

// The numbers of the features in a row.
void list_features(std::span<const std::uint64_t> row, std::vector<std::uint32_t>& out);

}  // namespace zermelo::learn
