// Machine code for a word plan, assembled at run time by asmjit (Kobalicek 2014).
//
// Straight-line code: a transfer is one bit shuffle (AVX-512 BITALG), or a byte shuffle and a comparison for each
// half of the lanes (AVX2); conjunctions are taken in mask or general registers. Only loops of the network
// branch. Code is shared by all threads; each thread has words of its own.
//
// Needs x86-64 with AVX2 and BMI, and a build with asmjit. Otherwise there is no code, and the caller
// interprets the network (circuit/machine.hpp).

#pragma once

#include <memory>

#include "gdl/compiled/word_plan.hpp"

namespace zermelo::gdl {

class MachineCode {
public:
    enum class Instructions { best, avx2 };

    // Nothing where this build or this processor cannot.
    [[nodiscard]] static std::unique_ptr<MachineCode> assemble(
        const WordPlan& plan, Instructions instructions = Instructions::best);
    virtual ~MachineCode() = default;

    // Computes the groups of a section. `words` are the plan's, and at a multiple of 64 bytes.
    void run(WordPlan::Section section, std::uint64_t* words) const { entry_[section](words, tables_); }

    [[nodiscard]] std::size_t bytes() const { return bytes_; }  // of code and tables

protected:
    using Entry = void (*)(std::uint64_t* words, const std::uint8_t* tables);

    std::array<Entry, WordPlan::sections> entry_{};
    const std::uint8_t* tables_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace zermelo::gdl
