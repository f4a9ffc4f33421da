#include "gdl/positional/line_table.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace zermelo::gdl {

namespace {

void completed_by_narrow(const Spots* rest, std::size_t eights, Spots candidates, Spots lacking, Spots open,
                         Spots* out) {
    each_spot(candidates, [&](std::size_t i) {
        Spots spots = 0;
        for (const Spots* line = rest + i * eights * 8; line != rest + (i + 1) * eights * 8; ++line) {
            const Spots missing = *line & lacking;
            if ((missing & (missing - 1)) == 0) spots |= missing;
        }
        *out++ = spots & open;
    });
}

bool any_without_narrow(const Spots* lines, std::size_t eights, Spots spots) {
    return std::any_of(lines, lines + eights * 8, [&](Spots line) { return (line & spots) == 0; });
}

std::size_t without_narrow(const Spots* lines, std::size_t eights, Spots spots, std::span<Spots> out) {
    std::size_t count = 0;
    for (const Spots* line = lines; line != lines + eights * 8; ++line) {
        if ((*line & spots) != 0 || *line == ~Spots{0}) continue;
        if (count == out.size()) return count + 1;
        out[count++] = *line;
    }
    return count;
}

#if defined(__x86_64__)

__attribute__((target("avx512f"))) void completed_by_wide(const Spots* rest, std::size_t eights,
                                                          Spots candidates, Spots lacking, Spots open,
                                                          Spots* out) {
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(lacking));
    const __m512i minus_one = _mm512_set1_epi64(-1);
    for (; candidates != 0; candidates &= candidates - 1) {
        const Spots* line = rest + static_cast<std::size_t>(std::countr_zero(candidates)) * eights * 8;
        __m512i spots = _mm512_setzero_si512();
        for (std::size_t k = 0; k < eights; ++k) {
            const __m512i missing = _mm512_and_si512(_mm512_load_si512(line + k * 8), mask);
            const __mmask8 one_at_most =
                _mm512_testn_epi64_mask(missing, _mm512_add_epi64(missing, minus_one));
            spots = _mm512_mask_or_epi64(spots, one_at_most, spots, missing);
        }
        *out++ = static_cast<Spots>(_mm512_reduce_or_epi64(spots)) & open;
    }
}

__attribute__((target("avx512f"))) bool any_without_wide(const Spots* lines, std::size_t eights,
                                                         Spots spots) {
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(spots));
    for (std::size_t k = 0; k < eights; ++k) {
        if (_mm512_testn_epi64_mask(_mm512_load_si512(lines + k * 8), mask) != 0) return true;
    }
    return false;
}

__attribute__((target("avx512f"))) std::size_t without_wide(const Spots* lines, std::size_t eights,
                                                            Spots spots, std::span<Spots> out) {
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(spots));
    const __m512i no_line = _mm512_set1_epi64(-1);
    std::size_t count = 0;
    for (std::size_t k = 0; k < eights; ++k) {
        const __m512i all = _mm512_load_si512(lines + k * 8);
        unsigned found = _mm512_testn_epi64_mask(all, mask) & _mm512_cmpneq_epi64_mask(all, no_line);
        for (; found != 0; found &= found - 1) {
            if (count == out.size()) return count + 1;
            out[count++] = lines[k * 8 + static_cast<std::size_t>(std::countr_zero(found))];
        }
    }
    return count;
}

bool wide() { return __builtin_cpu_supports("avx512f") != 0; }

#else

constexpr auto* completed_by_wide = completed_by_narrow;
constexpr auto* any_without_wide = any_without_narrow;
constexpr auto* without_wide = without_narrow;
constexpr __attribute__((target("avx512f"))) std::size_t without_wide(const Spots* lines, std::size_t eights,
                                                                      Spots spots, std::span<Spots> out) {
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(spots));
    const __m512i no_line = _mm512_set1_epi64(-1);
    std::size_t count = 0;
    for (std::size_t k = 0; k < eights; ++k) {
        const __m512i all = _mm512_load_si512(lines + k * 8);
        unsigned found = _mm512_testn_epi64_mask(all, mask) & _mm512_cmpneq_epi64_mask(all, no_line);
        for (; found != 0; found &= found - 1) {
            if (count == out.size()) return count + 1;
            out[count++] = lines[k * 8 + static_cast<std::size_t>(std::countr_zero(found))];
        }
    }
    return count;
}

bool wide() { return false; }

#endif

}  // namespace

LineTable::LineTable(const std::vector<Spots>& lines, std::size_t spots)
    : through_(spots, 0),
      completed_by_(wide() ? completed_by_wide : completed_by_narrow),
      any_without_(wide() ? any_without_wide : any_without_narrow),
      without_(wide() ? without_wide : without_narrow) {
    for (const Spots line : lines) each_spot(line, [&](std::size_t i) { ++through_[i]; });
    for (const std::size_t n : through_) stride_ = std::max(stride_, (n + 7) / 8);
    Eight none{};
    none.line.fill(no_line);
    rest_.assign(spots * stride_, none);
    all_.assign((lines.size() + 7) / 8, none);
    std::vector<std::size_t> next(spots, 0);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        all_[k / 8].line[k % 8] = lines[k];
        each_spot(lines[k], [&](std::size_t i) {
            rest_[i * stride_ + next[i] / 8].line[next[i] % 8] = lines[k] & ~(Spots{1} << i);
            ++next[i];
        });
    }
}

}  // namespace zermelo::gdl
