// State query: many questions about a state, compiled together and answered by one call.
//
// The signals are given in a circuit over the fluents (circuit/effects.hpp). Only the gates that they need are laid out
// in words (word_plan.hpp) and assembled (machine_code.hpp), and the answers lie side by side in the order in which they
// were asked. Immutable and shared by threads; each thread brings words of its own.

#pragma once

#include "gdl/circuit/effects.hpp"
#include "gdl/compiled/machine_code.hpp"

namespace zermelo::gdl {

class StateQuery {
public:
    // Nothing where there is no machine code, or the gates have too many inputs to be worth it. `network` is the
    // one of which the circuit knows the fluents.
    [[nodiscard]] static std::unique_ptr<StateQuery> compile(const Network& network, const Circuit& circuit,
                                                             std::span<const Signal> outputs);

    // Working memory of one thread, for any number of queries.
    class Words {
    public:
        [[nodiscard]] std::uint64_t* at_least(std::uint32_t words);

    private:
        std::vector<std::uint64_t> memory_;
        std::uint64_t* aligned_ = nullptr;
    };

    // The answers, 64 a word; valid until the words are used again.
    [[nodiscard]] const std::uint64_t* run(const std::uint64_t* state, Words& words) const;
    [[nodiscard]] std::size_t instructions() const { return static_cast<std::size_t>(plan_.cost); }  // about

private:
    StateQuery(WordPlan plan, std::unique_ptr<MachineCode> code)
        : plan_(std::move(plan)), code_(std::move(code)) {}

    WordPlan plan_;
    std::unique_ptr<MachineCode> code_;
};

}  // namespace zermelo::gdl
