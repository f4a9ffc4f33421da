// The implementation of bitsliced_playouts.hpp for one width of word, given as ZERMELO_WORD_BYTES. Included
// by one source file a width, each compiled for the processors that have it.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <tuple>

#include "gdl/circuit/bitsliced_playouts.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside this file

constexpr std::size_t bytes_of_word = ZERMELO_WORD_BYTES;

// A class of its own, because templates forget the attribute of a bare vector type.
struct Word {
    typedef std::uint64_t Vector __attribute__((vector_size(bytes_of_word)));
    Vector bits = {};

    std::uint64_t operator[](std::size_t part) const { return bits[part]; }
    Word operator~() const { return {~bits}; }
    Word operator&(const Word& other) const { return {bits & other.bits}; }
    Word operator|(const Word& other) const { return {bits | other.bits}; }
    Word operator^(const Word& other) const { return {bits ^ other.bits}; }
    Word& operator&=(const Word& other) { return bits &= other.bits, *this; }
    Word& operator|=(const Word& other) { return bits |= other.bits, *this; }
    Word& operator^=(const Word& other) { return bits ^= other.bits, *this; }
};

class WordPlayouts final : public BitslicedPlayouts {
    static constexpr std::size_t Bytes = bytes_of_word;
    static constexpr std::size_t parts = Bytes / 8;
    static constexpr std::size_t width = Bytes * 8;
    static constexpr std::size_t most_planes = 16;

public:
    WordPlayouts(const Machine& machine, std::uint64_t seed)
        : machine_(machine), network_(machine.network()) {
        for (std::uint64_t& word : random_) {
            seed += 0x9E3779B97F4A7C15ULL;
            std::uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9ULL;
            word = (z ^ (z >> 27)) * 0x94D049BB133111EBULL | 1;
        }
        values_.assign(network_.nodes, Word());
        values_[0] = ~Word();
        fresh_.resize(network_.fluents.size());
        length_.assign(width, 0);
        origin_.assign(network_.fluents.size(), Word());
        compile();
    }

    std::size_t lanes() const override { return width; }

    void start(const State& state) override {
        groups_ = 0;
        note_moves_ = false;
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            origin_[i] = (state[i / 64] >> (i % 64) & 1) != 0 ? ~Word() : Word();
            values_[1 + i] = origin_[i];
        }
        std::fill(length_.begin(), length_.end(), 0);
        running_ = ~Word();
        run(early_);
        const Word over = signal(network_.terminal);
        running_ &= ~over;
    }

    void step(Tally& tally) override {
        advance(tally);
        const Word ended = running_ & signal(network_.terminal);
        if (any(ended)) {
            read_off(ended, tally);
            // Put back to the start, and their gates evaluated again.
            for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
                values_[1 + i] = (values_[1 + i] & ~ended) | (origin_[i] & ended);
            }
            run(early_);
        }
    }

    void deal(std::span<const State* const> states, std::size_t each, bool note_moves) override {
        groups_ = states.size();
        each_ = each > 0 ? each : width / groups_;
        masks_.assign(groups_, Word());
        for (std::size_t lane = 0; lane < groups_ * each_; ++lane)
            masks_[lane / each_].bits[lane / 64] |= std::uint64_t{1} << (lane % 64);
        std::fill(origin_.begin(), origin_.end(), Word());
        running_ = Word();
        for (std::size_t g = 0; g < groups_; ++g) {
            running_ |= masks_[g];
            const State& state = *states[g];
            for (std::size_t w = 0; w < state.size(); ++w) {
                for (std::uint64_t rest = state[w]; rest != 0; rest &= rest - 1)
                    origin_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))] |= masks_[g];
            }
        }
        std::copy(origin_.begin(), origin_.end(), values_.begin() + 1);
        std::fill(length_.begin(), length_.end(), 0);
        finished_ = Word();
        reached_.resize(network_.roles.size());
        for (std::size_t r = 0; r < reached_.size(); ++r)
            reached_[r].assign(network_.goals[r].size(), Word());
        note_moves_ = note_moves;
        played_.assign(note_moves ? network_.first_gate - network_.first_move : 0, Word());
        run(early_);
        running_ &= ~signal(network_.terminal);
    }

    void lead(std::span<const JointMove* const> joints) override {
        for (std::uint32_t node = network_.first_move; node < network_.first_gate; ++node)
            values_[node] = Word();
        for (std::size_t g = 0; g < groups_; ++g) {
            for (std::size_t r = 0; r < network_.moves.size(); ++r)
                values_[network_.moves[r][(*joints[g])[r]].node] |= masks_[g];
        }
        run(late_);
        for (std::size_t i = 0; i < fresh_.size(); ++i)
            fresh_[i] = (signal(network_.next[i]) & running_) | (values_[1 + i] & ~running_);
        std::memcpy(values_.data() + 1, fresh_.data(), fresh_.size() * sizeof(Word));
        std::copy(fresh_.begin(), fresh_.end(), origin_.begin());
        run(early_);
        running_ &= ~signal(network_.terminal);
    }

    void look(std::vector<Look>& out) const override {
        out.resize(groups_);
        Word first{};  // lane of each group
        for (std::size_t g = 0; g < groups_; ++g)
            first.bits[g * each_ / 64] |= std::uint64_t{1} << (g * each_ % 64);
        const Word over = signal(network_.terminal);
        for (std::size_t g = 0; g < groups_; ++g) {
            Look& one = out[g];
            one.terminal = bit(over, g * each_);
            one.state.assign(machine_.initial().size(), 0);
            one.goals.assign(one.terminal ? network_.roles.size() : 0, -1);
            one.legal.resize(network_.roles.size());
            for (auto& moves : one.legal) moves.clear();
        }
        const auto each_group = [&](const Word& word, auto work) {
            for (std::size_t p = 0; p < parts; ++p) {
                for (std::uint64_t rest = word[p] & first[p]; rest != 0; rest &= rest - 1)
                    work((p * 64 + static_cast<std::size_t>(std::countr_zero(rest))) / each_);
            }
        };
        for (std::size_t i = 0; i < network_.fluents.size(); ++i)
            each_group(values_[1 + i],
                       [&](std::size_t g) { out[g].state[i / 64] |= std::uint64_t{1} << (i % 64); });
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            for (MoveId m = 0; m < network_.moves[r].size(); ++m)
                each_group(signal(network_.moves[r][m].legal) & ~over,
                           [&](std::size_t g) { out[g].legal[r].push_back(m); });
            Word open = over;
            for (const auto& goal : network_.goals[r]) {
                const Word reached = signal(goal.holds) & open;
                open &= ~reached;
                each_group(reached, [&](std::size_t g) { out[g].goals[r] = goal.value; });
            }
        }
    }

    void yield(std::size_t group, Yield& out) const override {
        out.playouts = count(finished_ & masks_[group]);
        out.goals.assign(reached_.size(), 0);
        for (std::size_t r = 0; r < reached_.size(); ++r) {
            for (std::size_t g = 0; g < reached_[r].size(); ++g)
                out.goals[r] +=
                    static_cast<double>(network_.goals[r][g].value) * count(reached_[r][g] & masks_[group]);
        }
    }

    void uses(std::size_t group, std::vector<Use>& out) const override {
        out.clear();
        // The group lies in few parts of a word.
        const std::size_t first = group * each_ / 64;
        const std::size_t last = (group * each_ + each_ - 1) / 64;
        const Word mask = masks_[group] & finished_;
        for (std::uint32_t r = 0; r < network_.moves.size(); ++r) {
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                const Word& played = played_[network_.moves[r][m].node - network_.first_move];
                Use use{r, m, 0, 0};
                for (std::size_t p = first; p <= last; ++p)
                    use.playouts += static_cast<std::uint32_t>(std::popcount(played[p] & mask[p]));
                if (use.playouts == 0) continue;
                for (std::size_t g = 0; g < reached_[r].size(); ++g) {
                    int number = 0;
                    for (std::size_t p = first; p <= last; ++p)
                        number += std::popcount(played[p] & mask[p] & reached_[r][g][p]);
                    use.goals += static_cast<double>(network_.goals[r][g].value) * number;
                }
                out.push_back(use);
            }
        }
    }

    bool drain(Tally& tally, std::uint64_t steps) override {
        running_ &= ~signal(network_.terminal);
        for (; steps > 0 && any(running_); --steps) {
            advance(tally);
            const Word ended = running_ & signal(network_.terminal);
            finished_ |= ended;
            read_off(ended, tally);
            running_ &= ~ended;
        }
        // Lanes that have ended move on beyond their end; they stay marked until the next start.
        return !any(running_);
    }

    State state(std::size_t lane) const override {
        State result(machine_.initial().size(), 0);
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            if (bit(values_[1 + i], lane)) result[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return result;
    }

    JointMove moves(std::size_t lane) const override {
        JointMove result;
        for (const auto& role : network_.moves) {
            MoveId chosen = ~MoveId{0};
            for (MoveId m = 0; m < role.size(); ++m) {
                if (bit(values_[role[m].node], lane)) chosen = m;
            }
            result.push_back(chosen);
        }
        return result;
    }

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

    static bool bit(const Word& word, std::size_t lane) { return (word[lane / 64] >> (lane % 64) & 1) != 0; }
    static std::uint32_t count(const Word& word) {
        int sum = 0;
        for (std::size_t p = 0; p < parts; ++p) sum += std::popcount(static_cast<std::uint64_t>(word[p]));
        return static_cast<std::uint32_t>(sum);
    }
    static bool any(const Word& word) {
        std::uint64_t all = 0;
        for (std::size_t p = 0; p < parts; ++p) all |= word[p];
        return all != 0;
    }
    [[nodiscard]] Word signal(Signal s) const { return s.negated() ? ~values_[s.node()] : values_[s.node()]; }

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
        Word* const values = values_.data();
        for (std::uint32_t i = 0; i < run.count; ++i, at += 1 + P + N) {
            Word word = P > 0 ? values[at[1]] : ~values[at[1]];
            for (int k = 1; k < P; ++k) word &= values[at[1 + k]];
            for (int k = (P > 0 ? 0 : 1); k < N; ++k) word &= ~values[at[1 + P + k]];
            values[at[0]] = word;
        }
    }

    void run_any(const Run& run) {
        const std::uint32_t* at = code_.data() + run.first;
        Word* const values = values_.data();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::uint32_t output = *at++;
            Word word = ~Word();
            for (std::uint32_t k = 0; k < run.positive; ++k) word &= values[*at++];
            for (std::uint32_t k = 0; k < run.negative; ++k) word &= ~values[*at++];
            values[output] = word;
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
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) values_[gate] = ~Word();
        for (bool grown = true; grown;) {
            Word difference{};
            for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) values_[gate] = evaluate(gate);
            for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
                const Word word = evaluate(gate);
                difference |= word ^ values_[gate];
                values_[gate] = word;
            }
            grown = any(difference);
        }
    }

    void advance(Tally& tally) {
        Word stuck{};
        for (std::size_t r = 0; r < network_.moves.size(); ++r) stuck |= choose(r);
        stuck &= running_;
        if (note_moves_) {
            for (std::size_t m = 0; m < played_.size(); ++m)
                played_[m] |= values_[network_.first_move + m] & running_;
        }
        run(late_);
        for (std::size_t i = 0; i < fresh_.size(); ++i) fresh_[i] = signal(network_.next[i]);
        if (any(stuck)) {
            // A role without a legal move: the description is broken there, and the playout is given up.
            for (std::size_t i = 0; i < fresh_.size(); ++i)
                fresh_[i] = (fresh_[i] & ~stuck) | (origin_[i] & stuck);
            for (std::size_t lane = 0; lane < width; ++lane) {
                if (!bit(stuck, lane)) continue;
                ++tally.stuck;
                length_[lane] = ~std::uint32_t{0};
            }
        }
        std::memcpy(values_.data() + 1, fresh_.data(), fresh_.size() * sizeof(Word));
        run(early_);
        for (std::size_t lane = 0; lane < width; ++lane) ++length_[lane];
        for (std::size_t p = 0; p < parts; ++p)
            tally.states += static_cast<std::uint64_t>(std::popcount(running_[p]));
    }

    void read_off(const Word& ended, Tally& tally) {
        tally.goals.resize(network_.roles.size(), 0);
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            Word open = ended;
            for (std::size_t g = 0; g < network_.goals[r].size(); ++g) {
                const auto& goal = network_.goals[r][g];
                const Word reached = signal(goal.holds) & open;
                open &= ~reached;
                if (groups_ > 0) reached_[r][g] |= reached;
                tally.goals[r] += static_cast<double>(goal.value) * count(reached);
            }
        }
        for (std::size_t p = 0; p < parts; ++p) {
            for (std::uint64_t rest = ended[p]; rest != 0; rest &= rest - 1) {
                const std::size_t lane = p * 64 + static_cast<std::size_t>(std::countr_zero(rest));
                ++tally.playouts;
                tally.length += length_[lane];
                if (!tally.lengths.empty())
                    ++tally.lengths[std::min<std::size_t>(length_[lane], tally.lengths.size() - 1)];
                length_[lane] = 0;
            }
        }
    }

    // One random legal move in every lane; the lanes without any come back.
    Word choose(std::size_t role) {
        const std::vector<Network::Move>& moves = network_.moves[role];
        const bool all = network_.likely.empty();
        const auto open_to = [&](std::size_t m) {
            return signal(all ? moves[m].legal : network_.likely[role][m]);
        };
        std::array<Word, most_planes> planes{};
        std::size_t used = 0;
        for (std::size_t m = 0; m < moves.size(); ++m) {
            Word carry = open_to(m);
            for (std::size_t p = 0; any(carry); ++p) {
                if (p == used) {
                    if (used == most_planes) break;
                    planes[used++] = Word();
                }
                const Word next = planes[p] & carry;
                planes[p] ^= carry;
                carry = next;
            }
        }
        Word some{};
        for (std::size_t p = 0; p < used; ++p) some |= planes[p];
        if (used <= 1) {
            // At most one move everywhere.
            for (std::size_t m = 0; m < moves.size(); ++m) values_[moves[m].node] = open_to(m);
            return ~some;
        }
        draw(planes, used);
        Word open = some;
        for (std::size_t m = 0; m < moves.size(); ++m) {
            Word borrow = open_to(m) & open;
            Word& chosen = values_[moves[m].node];
            if (!any(borrow)) {
                chosen = Word();
                continue;
            }
            for (std::size_t p = 0; p < used; ++p) {
                const Word next = borrow & ~planes[p];
                planes[p] ^= borrow;
                borrow = next;
                if (!any(borrow)) break;
            }
            chosen = borrow;  // the counter stood at zero
            open &= ~borrow;
        }
        return ~some;
    }

    // Each lane's count becomes a random number below it.
    void draw(std::array<Word, most_planes>& planes, std::size_t used) {
        alignas(64) std::uint16_t numbers[width];
        to_numbers(planes, used, numbers);
        for (std::size_t i = 0; i < width; i += 2) {
            std::uint64_t& state = random_[(i / 2) % random_.size()];
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            numbers[i] = static_cast<std::uint16_t>((state & 0xFFFFFFFFULL) * numbers[i] >> 32);
            numbers[i + 1] = static_cast<std::uint16_t>((state >> 32) * numbers[i + 1] >> 32);
        }
        to_planes(numbers, planes, used);
    }

    // An 8 × 8 matrix of bits on its side (Hacker's Delight, 7-3).
    static std::uint64_t transpose(std::uint64_t x) {
        std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
        x ^= t ^ (t << 7);
        t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
        x ^= t ^ (t << 14);
        t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
        return x ^ t ^ (t << 28);
    }

    static void to_numbers(const std::array<Word, most_planes>& planes, std::size_t used,
                           std::uint16_t* numbers) {
        std::memset(numbers, 0, width * sizeof(*numbers));
        for (std::size_t half = 0; half * 8 < used; ++half) {
            const std::size_t count = std::min<std::size_t>(8, used - half * 8);
            for (std::size_t byte = 0; byte < Bytes; ++byte) {
                std::uint64_t matrix = 0;
                for (std::size_t p = 0; p < count; ++p) {
                    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&planes[half * 8 + p]);
                    matrix |= static_cast<std::uint64_t>(bytes[byte]) << (8 * p);
                }
                matrix = transpose(matrix);
                for (std::size_t k = 0; k < 8; ++k) {
                    numbers[byte * 8 + k] |=
                        static_cast<std::uint16_t>((matrix >> (8 * k) & 0xFF) << (8 * half));
                }
            }
        }
    }

    static void to_planes(const std::uint16_t* numbers, std::array<Word, most_planes>& planes,
                          std::size_t used) {
        for (std::size_t half = 0; half * 8 < used; ++half) {
            const std::size_t count = std::min<std::size_t>(8, used - half * 8);
            for (std::size_t byte = 0; byte < Bytes; ++byte) {
                std::uint64_t matrix = 0;
                for (std::size_t k = 0; k < 8; ++k) {
                    matrix |= static_cast<std::uint64_t>(numbers[byte * 8 + k] >> (8 * half) & 0xFF)
                              << (8 * k);
                }
                matrix = transpose(matrix);
                for (std::size_t p = 0; p < count; ++p) {
                    auto* bytes = reinterpret_cast<std::uint8_t*>(&planes[half * 8 + p]);
                    bytes[byte] = static_cast<std::uint8_t>(matrix >> (8 * p));
                }
            }
        }
    }

    const Machine& machine_;
    const Network& network_;
    template <class T>
    struct Allocator {
        using value_type = T;
        Allocator() = default;
        template <class U>
        Allocator(const Allocator<U>&) {}
        T* allocate(std::size_t n) {
            return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
        }
        void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
        friend bool operator==(const Allocator&, const Allocator&) { return true; }
    };
    std::vector<Word, Allocator<Word>> values_;  // by node
    std::vector<Word, Allocator<Word>> fresh_;   // by fluent: its next value
    std::vector<Word, Allocator<Word>> origin_;  // by fluent: where playouts start
    Word running_ = ~Word();
    std::vector<std::uint32_t> length_;  // by lane
    // Of lanes that were dealt out; no groups otherwise.
    std::size_t groups_ = 0;
    std::size_t each_ = 0;
    bool note_moves_ = false;
    Word finished_;
    std::vector<Word, Allocator<Word>> masks_;                 // by group
    std::vector<std::vector<Word, Allocator<Word>>> reached_;  // by role and goal
    std::vector<Word, Allocator<Word>> played_;                // by node from first_move
    std::vector<std::uint32_t> code_;
    Code early_;
    Code late_;
    std::array<std::uint64_t, width / 2> random_{};
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
