// Levelized compiled-code simulation (Wang et al. 1987) of the network, one word a node.
//
// Gates are sorted by level and, within a level, by how many positive and negative inputs they have, so that
// a run of equal gates is one loop without branches. Loops of the network are evaluated until nothing
// changes.

#pragma once

#include <algorithm>
#include <tuple>

#include "gdl/circuit/bitsliced/word.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

class WordGates {
public:
    explicit WordGates(const Network& network) : values(network.nodes, Word()), network_(network) {
        values[0] = ~Word();
        compile();
    }

    Words values;  // by node

    [[nodiscard]] Word signal(Signal s) const { return s.negated() ? ~values[s.node()] : values[s.node()]; }

    void run_early() { run(early_); }  // what depends on the state alone
    void run_late() { run(late_); }    // what depends on the moves as well

private:
    // Gates of the same shape that do not depend on each other stand together.
    struct Run {
        std::uint32_t positive;
        std::uint32_t negative;
        std::uint32_t count;
        std::uint32_t first;  // into code_: output, positive inputs, negative inputs; for each gate
    };
    struct Piece {
        std::vector<Run> runs;
        std::int32_t loop = -1;  // a stretch of the network, evaluated until it does not change
    };
    using Code = std::vector<Piece>;

    void compile() {
        std::vector<std::uint32_t> level(network_.nodes, 0);
        for (std::size_t i = 0; i < network_.stretches.size(); ++i) {
            const auto& stretch = network_.stretches[i];
            Code& code = i < network_.early_stretches ? early_ : late_;
            if (stretch.loop) {
                code.emplace_back().loop = static_cast<std::int32_t>(i);
                continue;
            }
            code.push_back(compile_stretch(stretch, level));
        }
    }

    Piece compile_stretch(const Network::Stretch& stretch, std::vector<std::uint32_t>& level) {
        struct Entry {
            std::uint32_t level;
            std::uint32_t positive;
            std::uint32_t negative;
            std::uint32_t gate;
        };
        std::vector<Entry> entries;
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
            Entry entry{0, 0, 0, gate};
            for (const Signal s : network_.inputs_of(gate)) {
                // Only gates of this stretch can delay it.
                if (s.node() >= stretch.first) entry.level = std::max(entry.level, level[s.node()] + 1);
                ++(s.negated() ? entry.negative : entry.positive);
            }
            level[gate] = entry.level;
            entries.push_back(entry);
        }
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::tie(a.level, a.positive, a.negative, a.gate) <
                   std::tie(b.level, b.positive, b.negative, b.gate);
        });
        Piece piece;
        std::uint32_t last_level = ~std::uint32_t{0};
        for (const Entry& entry : entries) {
            auto& runs = piece.runs;
            if (runs.empty() || entry.level != last_level || runs.back().positive != entry.positive ||
                runs.back().negative != entry.negative) {
                runs.push_back({entry.positive, entry.negative, 0, static_cast<std::uint32_t>(code_.size())});
                last_level = entry.level;
            }
            ++runs.back().count;
            code_.push_back(entry.gate);
            for (const bool negated : {false, true}) {
                for (const Signal s : network_.inputs_of(entry.gate)) {
                    if (s.negated() == negated) code_.push_back(s.node());
                }
            }
        }
        return piece;
    }

    template <int P, int N>
    void run_shape(const Run& run) {
        const std::uint32_t* at = code_.data() + run.first;
        Word* const words = values.data();
        for (std::uint32_t i = 0; i < run.count; ++i, at += 1 + P + N) {
            Word word = P > 0 ? words[at[1]] : ~words[at[1]];
            for (int k = 1; k < P; ++k) word &= words[at[1 + k]];
            for (int k = (P > 0 ? 0 : 1); k < N; ++k) word &= ~words[at[1 + P + k]];
            words[at[0]] = word;
        }
    }

    void run_any(const Run& run) {
        const std::uint32_t* at = code_.data() + run.first;
        Word* const words = values.data();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::uint32_t output = *at++;
            Word word = ~Word();
            for (std::uint32_t k = 0; k < run.positive; ++k) word &= words[*at++];
            for (std::uint32_t k = 0; k < run.negative; ++k) word &= ~words[*at++];
            words[output] = word;
        }
    }

    void run(const Code& code) {
        for (const Piece& piece : code) {
            if (piece.loop >= 0) {
                run_loop(network_.stretches[static_cast<std::size_t>(piece.loop)]);
                continue;
            }
            for (const Run& r : piece.runs) {
                switch (r.positive < 8 && r.negative < 8 ? r.positive * 8 + r.negative : 64) {
                    case 0 * 8 + 2:
                        run_shape<0, 2>(r);
                        break;
                    case 0 * 8 + 3:
                        run_shape<0, 3>(r);
                        break;
                    case 0 * 8 + 4:
                        run_shape<0, 4>(r);
                        break;
                    case 1 * 8 + 1:
                        run_shape<1, 1>(r);
                        break;
                    case 1 * 8 + 2:
                        run_shape<1, 2>(r);
                        break;
                    case 2 * 8 + 0:
                        run_shape<2, 0>(r);
                        break;
                    case 2 * 8 + 1:
                        run_shape<2, 1>(r);
                        break;
                    case 2 * 8 + 2:
                        run_shape<2, 2>(r);
                        break;
                    case 3 * 8 + 0:
                        run_shape<3, 0>(r);
                        break;
                    case 3 * 8 + 1:
                        run_shape<3, 1>(r);
                        break;
                    case 4 * 8 + 0:
                        run_shape<4, 0>(r);
                        break;
                    case 5 * 8 + 0:
                        run_shape<5, 0>(r);
                        break;
                    default:
                        run_any(r);
                }
            }
        }
    }

    [[nodiscard]] Word evaluate(std::uint32_t gate) const {
        Word word = ~Word();
        for (const Signal s : network_.inputs_of(gate)) word &= signal(s);
        return word;
    }

    void run_loop(const Network::Stretch& loop) {
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) values[gate] = ~Word();
        for (bool grown = true; grown;) {
            Word difference{};
            for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) values[gate] = evaluate(gate);
            for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
                const Word word = evaluate(gate);
                difference |= word ^ values[gate];
                values[gate] = word;
            }
            grown = any(difference);
        }
    }

    const Network& network_;
    std::vector<std::uint32_t> code_;
    Code early_;
    Code late_;
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
