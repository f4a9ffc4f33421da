// The implementation of bitsliced_playouts.hpp for one width of word (word.hpp). Included by one source file
// for each width, compiled for the processors that have it.

#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "gdl/circuit/bitsliced/random_moves-inl.hpp"
#include "gdl/circuit/bitsliced_playouts.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

class WordPlayouts final : public BitslicedPlayouts {
public:
    WordPlayouts(const Machine& machine, std::uint64_t seed)
        : machine_(machine), network_(machine.network()), gates_(network_), random_moves_(network_, seed) {
        fresh_.resize(network_.fluents.size());
        length_.assign(lanes_of_word, 0);
        origin_.assign(network_.fluents.size(), Word());
    }

    std::size_t lanes() const override { return lanes_of_word; }

    void start(const State& state) override {
        groups_ = 0;
        record_moves_ = false;
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            origin_[i] = (state[i / 64] >> (i % 64) & 1) != 0 ? ~Word() : Word();
            gates_.values[1 + i] = origin_[i];
        }
        std::fill(length_.begin(), length_.end(), 0);
        running_ = ~Word();
        gates_.run_early();
        const Word over = gates_.signal(network_.terminal);
        running_ &= ~over;
    }

    void step(Tally& tally) override {
        advance(tally);
        const Word ended = running_ & gates_.signal(network_.terminal);
        if (any(ended)) {
            read_off(ended, tally);
            // Put back to the start, and their gates evaluated again.
            for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
                gates_.values[1 + i] = (gates_.values[1 + i] & ~ended) | (origin_[i] & ended);
            }
            gates_.run_early();
        }
    }

    void assign_groups(std::span<const State* const> states, std::size_t each, bool record_moves) override {
        groups_ = states.size();
        each_ = each > 0 ? each : lanes_of_word / groups_;
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
        std::copy(origin_.begin(), origin_.end(), gates_.values.begin() + 1);
        std::fill(length_.begin(), length_.end(), 0);
        finished_ = Word();
        reached_.resize(network_.roles.size());
        for (std::size_t r = 0; r < reached_.size(); ++r)
            reached_[r].assign(network_.goals[r].size(), Word());
        record_moves_ = record_moves;
        played_.assign(record_moves ? network_.first_gate - network_.first_move : 0, Word());
        gates_.run_early();
        running_ &= ~gates_.signal(network_.terminal);
    }

    void play_in_groups(std::span<const JointMove* const> joints) override {
        for (std::uint32_t node = network_.first_move; node < network_.first_gate; ++node)
            gates_.values[node] = Word();
        for (std::size_t g = 0; g < groups_; ++g) {
            for (std::size_t r = 0; r < network_.moves.size(); ++r)
                gates_.values[network_.moves[r][(*joints[g])[r]].node] |= masks_[g];
        }
        gates_.run_late();
        for (std::size_t i = 0; i < fresh_.size(); ++i)
            fresh_[i] = (gates_.signal(network_.next[i]) & running_) | (gates_.values[1 + i] & ~running_);
        std::memcpy(gates_.values.data() + 1, fresh_.data(), fresh_.size() * sizeof(Word));
        std::copy(fresh_.begin(), fresh_.end(), origin_.begin());
        gates_.run_early();
        running_ &= ~gates_.signal(network_.terminal);
    }

    void group_states(std::vector<GroupState>& out) const override {
        out.resize(groups_);
        Word first{};  // lane of each group
        for (std::size_t g = 0; g < groups_; ++g)
            first.bits[g * each_ / 64] |= std::uint64_t{1} << (g * each_ % 64);
        const Word over = gates_.signal(network_.terminal);
        for (std::size_t g = 0; g < groups_; ++g) {
            GroupState& one = out[g];
            one.terminal = bit(over, g * each_);
            one.state.assign(machine_.initial().size(), 0);
            one.goals.assign(one.terminal ? network_.roles.size() : 0, -1);
            one.legal.resize(network_.roles.size());
            for (auto& moves : one.legal) moves.clear();
        }
        const auto each_group = [&](const Word& word, auto work) {
            for (std::size_t p = 0; p < parts_of_word; ++p) {
                for (std::uint64_t rest = word[p] & first[p]; rest != 0; rest &= rest - 1)
                    work((p * 64 + static_cast<std::size_t>(std::countr_zero(rest))) / each_);
            }
        };
        for (std::size_t i = 0; i < network_.fluents.size(); ++i)
            each_group(gates_.values[1 + i],
                       [&](std::size_t g) { out[g].state[i / 64] |= std::uint64_t{1} << (i % 64); });
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            for (MoveId m = 0; m < network_.moves[r].size(); ++m)
                each_group(gates_.signal(network_.moves[r][m].legal) & ~over,
                           [&](std::size_t g) { out[g].legal[r].push_back(m); });
            Word open = over;
            for (const auto& goal : network_.goals[r]) {
                const Word reached = gates_.signal(goal.holds) & open;
                open &= ~reached;
                each_group(reached, [&](std::size_t g) { out[g].goals[r] = goal.value; });
            }
        }
    }

    void group_result(std::size_t group, GroupResult& out) const override {
        out.playouts = count(finished_ & masks_[group]);
        out.goals.assign(reached_.size(), 0);
        for (std::size_t r = 0; r < reached_.size(); ++r) {
            for (std::size_t g = 0; g < reached_[r].size(); ++g)
                out.goals[r] +=
                    static_cast<double>(network_.goals[r][g].value) * count(reached_[r][g] & masks_[group]);
        }
    }

    void move_statistics(std::size_t group, std::vector<MoveStatistics>& out) const override {
        out.clear();
        // The group lies in few parts of a word.
        const std::size_t first = group * each_ / 64;
        const std::size_t last = (group * each_ + each_ - 1) / 64;
        const Word mask = masks_[group] & finished_;
        for (std::uint32_t r = 0; r < network_.moves.size(); ++r) {
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                const Word& played = played_[network_.moves[r][m].node - network_.first_move];
                MoveStatistics use{r, m, 0, 0};
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
        running_ &= ~gates_.signal(network_.terminal);
        for (; steps > 0 && any(running_); --steps) {
            advance(tally);
            const Word ended = running_ & gates_.signal(network_.terminal);
            finished_ |= ended;
            read_off(ended, tally);
            running_ &= ~ended;
        }
        // Lanes that have ended move on beyond their end; they stay marked until the next start.
        return !any(running_);
    }

    void free_lanes() override {
        groups_ = 0;
        record_moves_ = false;
        running_ = waiting_ = Word();
    }

    void put(std::size_t lane, const State& state) override {
        const std::uint64_t mask = std::uint64_t{1} << (lane % 64);
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            const std::uint64_t holds = std::uint64_t{0} - (state[i / 64] >> (i % 64) & 1);
            auto& word = origin_[i].bits;
            word[lane / 64] = (word[lane / 64] & ~mask) | (holds & mask);
        }
        waiting_.bits[lane / 64] |= mask;
    }

    void step_lanes(std::vector<std::uint32_t>& ended, std::vector<int>& goals) override {
        ended.clear();
        goals.clear();
        Tally unused;
        if (any(running_))
            make_moves(unused);
        else
            std::copy_n(gates_.values.begin() + 1, fresh_.size(), fresh_.begin());
        if (any(waiting_)) {
            for (std::size_t i = 0; i < fresh_.size(); ++i)
                fresh_[i] = (fresh_[i] & ~waiting_) | (origin_[i] & waiting_);
            running_ |= waiting_;
            waiting_ = Word();
        }
        settle();
        const Word over = running_ & gates_.signal(network_.terminal);
        running_ &= ~over;
        for (std::size_t p = 0; p < parts_of_word; ++p) {
            for (std::uint64_t rest = over[p]; rest != 0; rest &= rest - 1)
                read_goals(p * 64 + static_cast<std::size_t>(std::countr_zero(rest)), ended, goals);
        }
    }

    State state(std::size_t lane) const override {
        State result(machine_.initial().size(), 0);
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            if (bit(gates_.values[1 + i], lane)) result[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return result;
    }

    JointMove moves(std::size_t lane) const override {
        JointMove result;
        for (const auto& role : network_.moves) {
            MoveId chosen = ~MoveId{0};
            for (MoveId m = 0; m < role.size(); ++m) {
                if (bit(gates_.values[role[m].node], lane)) chosen = m;
            }
            result.push_back(chosen);
        }
        return result;
    }

private:
    void advance(Tally& tally) {
        make_moves(tally);
        settle();
        for (std::size_t lane = 0; lane < lanes_of_word; ++lane) ++length_[lane];
        for (std::size_t p = 0; p < parts_of_word; ++p)
            tally.states += static_cast<std::uint64_t>(std::popcount(running_[p]));
    }

    // The next state becomes the current one.
    void settle() {
        std::memcpy(gates_.values.data() + 1, fresh_.data(), fresh_.size() * sizeof(Word));
        gates_.run_early();
    }

    void read_goals(std::size_t lane, std::vector<std::uint32_t>& ended, std::vector<int>& goals) {
        ended.push_back(static_cast<std::uint32_t>(lane));
        for (const auto& of_role : network_.goals) {
            const auto holds = [&](const auto& goal) { return bit(gates_.signal(goal.holds), lane); };
            const auto reached = std::ranges::find_if(of_role, holds);
            goals.push_back(reached == of_role.end() ? -1 : reached->value);
        }
    }

    // One random move in every lane; the next states are in fresh_.
    void make_moves(Tally& tally) {
        Word stuck{};
        for (std::size_t r = 0; r < network_.moves.size(); ++r) stuck |= random_moves_.choose(gates_, r);
        stuck &= running_;
        if (record_moves_) {
            for (std::size_t m = 0; m < played_.size(); ++m)
                played_[m] |= gates_.values[network_.first_move + m] & running_;
        }
        gates_.run_late();
        for (std::size_t i = 0; i < fresh_.size(); ++i) fresh_[i] = gates_.signal(network_.next[i]);
        if (any(stuck)) {
            // A role without a legal move: the description is broken there, and the playout is given up.
            for (std::size_t i = 0; i < fresh_.size(); ++i)
                fresh_[i] = (fresh_[i] & ~stuck) | (origin_[i] & stuck);
            for (std::size_t lane = 0; lane < lanes_of_word; ++lane) {
                if (!bit(stuck, lane)) continue;
                ++tally.stuck;
                length_[lane] = ~std::uint32_t{0};
            }
        }
    }

    void read_off(const Word& ended, Tally& tally) {
        tally.goals.resize(network_.roles.size(), 0);
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            Word open = ended;
            for (std::size_t g = 0; g < network_.goals[r].size(); ++g) {
                const auto& goal = network_.goals[r][g];
                const Word reached = gates_.signal(goal.holds) & open;
                open &= ~reached;
                if (groups_ > 0) reached_[r][g] |= reached;
                tally.goals[r] += static_cast<double>(goal.value) * count(reached);
            }
        }
        for (std::size_t p = 0; p < parts_of_word; ++p) {
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

    const Machine& machine_;
    const Network& network_;
    WordGates gates_;
    RandomMoves random_moves_;
    Words fresh_;   // by fluent: its next value
    Words origin_;  // by fluent: where playouts start
    Word running_ = ~Word();
    Word waiting_{};                     // lanes that start with the next step
    std::vector<std::uint32_t> length_;  // by lane
    // Of lanes that were dealt out; no groups otherwise.
    std::size_t groups_ = 0;
    std::size_t each_ = 0;
    bool record_moves_ = false;
    Word finished_;
    Words masks_;                 // by group
    std::vector<Words> reached_;  // by role and goal
    Words played_;                // by node from first_move
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
