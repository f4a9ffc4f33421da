#include "gdl/compiled/machine_code.hpp"

#if defined(ZERMELO_ASMJIT) && defined(__x86_64__)

#include <asmjit/x86.h>

#include <cstring>
#include <optional>

namespace zermelo::gdl {

namespace {

namespace x86 = asmjit::x86;

constexpr std::size_t alignment = 64;

// What the code reads beside the words: patterns of transfers, and masks.
class Tables {
public:
    [[nodiscard]] std::int32_t add(const void* data, std::size_t size) {
        const std::size_t at = size == 64 ? patterns_.size() : masks_.size();
        auto& bytes = size == 64 ? patterns_ : masks_;
        bytes.resize(at + size);
        std::memcpy(bytes.data() + at, data, size);
        // Patterns lie before the address that the code gets, masks behind it, so that both are aligned.
        return size == 64 ? -static_cast<std::int32_t>(at + size) : static_cast<std::int32_t>(at);
    }
    [[nodiscard]] std::int32_t add(std::uint64_t mask) { return add(&mask, sizeof mask); }

    // Returns the address for the code inside of `block`.
    const std::uint8_t* write(std::unique_ptr<std::uint8_t[]>& block, std::size_t& size) const {
        size = patterns_.size() + masks_.size();
        block = std::make_unique<std::uint8_t[]>(size + alignment);
        auto base = reinterpret_cast<std::uintptr_t>(block.get());
        base = (base + alignment - 1) / alignment * alignment;
        auto* middle = reinterpret_cast<std::uint8_t*>(base) + patterns_.size();
        for (std::size_t at = 0; at < patterns_.size(); at += 64)
            std::memcpy(middle - at - 64, patterns_.data() + at, 64);
        if (!masks_.empty()) std::memcpy(middle, masks_.data(), masks_.size());
        return middle;
    }

private:
    std::vector<std::uint8_t> patterns_;
    std::vector<std::uint8_t> masks_;
};

// Emits the groups of a plan. The words are at rdi, the tables at rsi.
class Emitter {
public:
    Emitter(const WordPlan& plan, asmjit::CodeHolder& code, Tables& tables, bool bitalg)
        : plan_(plan), a_(&code), tables_(tables), bitalg_(bitalg) {}

    void section(const std::vector<WordPlan::Stage>& stages) {
        forget();
        for (const WordPlan::Stage& stage : stages) {
            if (stage.loop) {
                loop(stage);
            } else {
                for (std::uint32_t g = stage.first; g < stage.last; ++g) group(plan_.groups[g]);
            }
        }
        a_.vzeroupper();
        a_.ret();
    }

    [[nodiscard]] x86::Assembler& assembler() { return a_; }

private:
    static constexpr std::uint32_t vectors_kept = 12;  // registers that hold a word in every lane

    [[nodiscard]] static x86::Mem word(std::uint32_t w) {
        return x86::qword_ptr(x86::rdi, static_cast<std::int32_t>(w * 8));
    }
    [[nodiscard]] x86::Mem mask(std::uint64_t bits) { return x86::qword_ptr(x86::rsi, tables_.add(bits)); }

    void forget() { kept_.fill(nobody); }

    // A vector register with the word in every lane.
    std::uint32_t broadcast(std::uint32_t w) {
        for (std::uint32_t i = 0; i < vectors_kept; ++i) {
            if (kept_[i] == w) return i;
        }
        const std::uint32_t reg = oldest_++ % vectors_kept;
        kept_[reg] = w;
        if (bitalg_) {
            a_.vpbroadcastq(x86::zmm(reg), word(w));
        } else {
            a_.vpbroadcastq(x86::ymm(reg), word(w));
        }
        return reg;
    }

    void loop(const WordPlan::Stage& stage) {
        const asmjit::Label again = a_.newLabel();
        for (std::uint32_t g = stage.atoms; g < stage.last; ++g) a_.mov(word(plan_.groups[g].word), -1);
        a_.bind(again);
        forget();
        for (std::uint32_t g = stage.first; g < stage.atoms; ++g) group(plan_.groups[g]);
        a_.xor_(x86::r11d, x86::r11d);
        for (std::uint32_t g = stage.atoms; g < stage.last; ++g) {
            const x86::Mem place = word(plan_.groups[g].word);
            a_.mov(x86::r10, place);
            group(plan_.groups[g]);
            a_.xor_(x86::r10, place);
            a_.or_(x86::r11, x86::r10);
        }
        a_.test(x86::r11, x86::r11);
        a_.jnz(again);
        forget();
    }

    void group(const WordPlan::Group& group) {
        if (group.reduce) {
            reduce(group);
        } else if (bitalg_) {
            transfer_by_bits(group);
        } else {
            transfer_by_bytes(group);
        }
    }

    // Lane by lane: rax collects what is missing, and the carry of a comparison becomes the lane's bit.
    void reduce(const WordPlan::Group& group) {
        const auto& all = group.reductions;
        a_.xor_(x86::ecx, x86::ecx);
        std::size_t at = 0;
        for (std::uint32_t lane = group.lanes; lane-- > 0;) {
            bool first = true;
            for (; at < all.size() && all[at].lane == lane; ++at) {
                for (const bool negative : {false, true}) {
                    const std::uint64_t bits = negative ? all[at].negative : all[at].positive;
                    if (bits == 0) continue;
                    const x86::Gp part = first ? x86::rax : x86::rdx;
                    a_.mov(part, word(all[at].source));
                    if (negative) {
                        a_.and_(part, mask(bits));
                    } else {
                        a_.andn(part, part, mask(bits));
                    }
                    if (!first) a_.or_(x86::rax, x86::rdx);
                    first = false;
                }
            }
            if (first) {
                a_.stc();
            } else {
                a_.cmp(x86::rax, 1);
            }
            a_.adc(x86::rcx, x86::rcx);
        }
        finish(group, x86::rcx);
    }

    void finish(const WordPlan::Group& group, const x86::Gp& value) {
        if (group.flip != 0) a_.xor_(value, mask(group.flip));
        if (~group.mask != 0) a_.and_(value, mask(group.mask));
        a_.mov(word(group.word), value);
    }

    // k1: the conjunction of positive inputs; k2: the disjunction of what is missing.
    void transfer_by_bits(const WordPlan::Group& group) {
        bool some_held = false;
        bool some_missing = false;
        for (const WordPlan::Transfer& t : group.transfers) {
            const x86::Vec source = x86::zmm(broadcast(t.source));
            const x86::Mem pattern = x86::zmmword_ptr(x86::rsi, tables_.add(t.from.data(), 64));
            if (t.whole && !t.negated) {
                a_.vpshufbitqmb(some_held ? x86::k3 : x86::k1, source, pattern);
                if (some_held) a_.kandq(x86::k1, x86::k1, x86::k3);
                some_held = true;
                continue;
            }
            const x86::KReg to = some_missing ? x86::k3 : x86::k2;
            if (t.whole) {
                a_.vpshufbitqmb(to, source, pattern);
            } else {
                a_.kmovq(x86::k4, mask(t.lanes));
                if (t.negated) {
                    a_.k(x86::k4).vpshufbitqmb(to, source, pattern);
                } else {
                    a_.vpshufbitqmb(to, source, pattern);
                    a_.kandnq(to, to, x86::k4);
                }
            }
            if (some_missing) a_.korq(x86::k2, x86::k2, x86::k3);
            some_missing = true;
        }
        x86::KReg value = x86::k1;
        std::uint64_t flip = group.flip;
        if (some_held && some_missing) {
            a_.kandnq(x86::k1, x86::k2, x86::k1);
        } else if (some_missing) {
            value = x86::k2;
            flip = ~flip;
        } else if (!some_held) {
            a_.mov(x86::rax, ~group.flip & group.mask);
            a_.mov(word(group.word), x86::rax);
            return;
        }
        if (flip == ~std::uint64_t{0}) {
            a_.knotq(value, value);
        } else if (flip != 0) {
            a_.kmovq(x86::k3, mask(flip));
            a_.kxorq(value, value, x86::k3);
        }
        if (~group.mask != 0) {
            a_.kmovq(x86::k3, mask(group.mask));
            a_.kandq(value, value, x86::k3);
        }
        a_.kmovq(word(group.word), value);
    }

    // r8 collects what is missing.
    void transfer_by_bytes(const WordPlan::Group& group) {
        bool some = false;
        for (const WordPlan::Transfer& t : group.transfers) {
            const x86::Vec source = x86::ymm(broadcast(t.source));
            std::array<std::uint8_t, 64> bytes{};
            std::array<std::uint8_t, 64> bits{};
            for (std::size_t i = 0; i < 64; ++i) {
                bytes[i] = t.from[i] / 8;
                bits[i] = static_cast<std::uint8_t>(1U << (t.from[i] % 8));
            }
            const std::int32_t byte_at = tables_.add(bytes.data(), 64);
            const std::int32_t bit_at = tables_.add(bits.data(), 64);
            for (const int half : {32, 0}) {
                const x86::Vec part = half == 0 ? x86::ymm14 : x86::ymm15;
                a_.vpshufb(part, source, x86::ymmword_ptr(x86::rsi, byte_at + half));
                a_.vpand(part, part, x86::ymmword_ptr(x86::rsi, bit_at + half));
                a_.vpcmpeqb(part, part, x86::ymmword_ptr(x86::rsi, bit_at + half));
                a_.vpmovmskb(half == 0 ? x86::eax : x86::edx, part);
            }
            a_.shl(x86::rdx, 32);
            a_.or_(x86::rax, x86::rdx);
            if (!t.negated) a_.not_(x86::rax);
            if (!t.whole) a_.and_(x86::rax, mask(t.lanes));
            if (some) {
                a_.or_(x86::r8, x86::rax);
            } else {
                a_.mov(x86::r8, x86::rax);
            }
            some = true;
        }
        if (!some) a_.xor_(x86::r8d, x86::r8d);
        a_.not_(x86::r8);
        finish(group, x86::r8);
    }

    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    const WordPlan& plan_;
    x86::Assembler a_;
    Tables& tables_;
    bool bitalg_;
    std::array<std::uint32_t, vectors_kept> kept_{};
    std::uint32_t oldest_ = 0;
};

class AssembledCode final : public MachineCode {
public:
    // False where asmjit reports an error.
    bool assemble(const WordPlan& plan, bool bitalg) {
        asmjit::CodeHolder code;
        if (code.init(runtime_.environment()) != asmjit::kErrorOk) return false;
        Tables tables;
        Emitter emitter(plan, code, tables, bitalg);
        std::array<asmjit::Label, WordPlan::sections> labels;
        for (std::size_t s = 0; s < WordPlan::sections; ++s) {
            labels[s] = emitter.assembler().newLabel();
            emitter.assembler().align(asmjit::AlignMode::kCode, alignment);
            emitter.assembler().bind(labels[s]);
            emitter.section(plan.stages[s]);
        }
        std::uint8_t* start = nullptr;
        if (runtime_.add(&start, &code) != asmjit::kErrorOk) return false;
        for (std::size_t s = 0; s < WordPlan::sections; ++s)
            entry_[s] = reinterpret_cast<Entry>(start + code.labelOffset(labels[s]));
        tables_ = tables.write(block_, bytes_);
        bytes_ += code.codeSize();
        return true;
    }

private:
    asmjit::JitRuntime runtime_;  // frees the code
    std::unique_ptr<std::uint8_t[]> block_;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::assemble(const WordPlan& plan, Instructions instructions) {
    using Feature = asmjit::CpuFeatures::X86;
    const asmjit::CpuFeatures& has = asmjit::CpuInfo::host().features();
    if (!has.has(Feature::kAVX2) || !has.has(Feature::kBMI) || !has.has(Feature::kBMI2)) return nullptr;
    const bool bitalg = instructions == Instructions::best && has.has(Feature::kAVX512_BITALG) &&
                        has.has(Feature::kAVX512_BW);
    auto code = std::make_unique<AssembledCode>();
    if (!code->assemble(plan, bitalg)) return nullptr;
    return code;
}

}  // namespace zermelo::gdl

#else

namespace zermelo::gdl {

std::unique_ptr<MachineCode> MachineCode::assemble(const WordPlan&, Instructions) { return nullptr; }

}  // namespace zermelo::gdl

#endif
