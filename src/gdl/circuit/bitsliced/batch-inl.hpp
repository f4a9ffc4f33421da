// The implementation of bitsliced_batch.hpp for one width of word (word.hpp). Included by one source file for each
// width, compiled for the processors that have it.

#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "gdl/circuit/bitsliced/random_moves-inl.hpp"
#include "gdl/circuit/bitsliced/rows-inl.hpp"
#include "gdl/circuit/bitsliced_batch.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

class WordBatch final : public BitslicedBatch {
public:
    WordBatch(const Machine& machine, std::size_t states, std::uint64_t seed)
        : machine_(machine),
          network_(machine.network()),
          gates_(network_),
          random_moves_(network_, seed),
          states_(states),
          blocks_((states + lanes_of_word - 1) / lanes_of_word, gates_.values) {
        for (std::uint32_t r = 0; r < network_.moves.size(); ++r) {
            first_action_.push_back(static_cast<std::int32_t>(role_of_.size()));
            for (std::size_t m = 0; m < network_.moves[r].size(); ++m) {
                role_of_.push_back(r);
                node_of_.push_back(network_.moves[r][m].node);
            }
        }
        const auto is_chance = [&](TermId role) {
            return network_.terms.symbol(role) == kw_random && network_.terms.arguments(role).empty();
        };
        const auto first = std::ranges::find_if_not(network_.roles, is_chance);
        first_player_ = static_cast<std::size_t>(first - network_.roles.begin());
        fresh_.resize(network_.fluents.size());
        choice_.resize(network_.roles.size());
        start(machine.initial(), {});
    }

    std::size_t states() const override { return states_; }
    std::size_t actions() const override { return role_of_.size(); }

    void start(const State& state, std::span<const bool> which) override {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            Word mask{};
            for (std::size_t lane = 0; lane < lanes_in(b); ++lane) {
                if (which.empty() || which[b * lanes_of_word + lane]) set_bit(mask, lane);
            }
            if (any(mask)) in_block(b, [&] { put(state, mask); });
        }
    }

    std::size_t restart() override {
        std::size_t ended = 0;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            in_block(b, [&] {
                const Word over = gates_.signal(network_.terminal) & lanes(b);
                if (!any(over)) return;
                ended += count(over);
                put(machine_.initial(), over);
            });
        }
        return ended;
    }

    State state(std::size_t number) const override {
        const Words& values = blocks_[number / lanes_of_word];
        State result(machine_.initial().size(), 0);
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            if (bit(values[1 + i], number % lanes_of_word)) result[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return result;
    }

    void step(std::span<const std::int32_t> actions, std::size_t columns) override {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            in_block(b, [&] { set_moves(b, actions, columns); });
        }
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            in_block(b, [&] { advance(); });
        }
    }

    void fluents(std::span<std::uint8_t> out) const override { write_fluents(out); }
    void fluents(std::span<float> out) const override { write_fluents(out); }

    void legal(std::span<std::uint8_t> out) const override {
        Words columns(actions());
        Words choice(network_.roles.size());
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Words& values = blocks_[b];
            (void)find_choices(values, choice);
            for (std::size_t a = 0; a < columns.size(); ++a) {
                const auto& moves = network_.moves[role_of_[a]];
                const Signal open = moves[a - static_cast<std::size_t>(first_action_[role_of_[a]])].legal;
                columns[a] = signal(values, open) & choice[role_of_[a]];
            }
            write_rows(columns.data(), columns.size(), lanes_in(b), out.data() + row(b) * columns.size());
        }
    }

    void over(std::span<std::uint8_t> out) const override {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Word word = signal(blocks_[b], network_.terminal);
            write_rows(&word, 1, lanes_in(b), out.data() + row(b));
        }
    }

    void movers(std::span<std::int8_t> out) const override {
        Words choice(network_.roles.size());
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            std::int8_t* const at = out.data() + row(b);
            const Word crowd = find_choices(blocks_[b], choice);
            for (std::size_t r = 0; r < choice.size(); ++r) {
                each_lane(choice[r], b, [&](std::size_t lane) { at[lane] = static_cast<std::int8_t>(r); });
            }
            each_lane(crowd, b, [&](std::size_t lane) { at[lane] = several; });
            each_lane(signal(blocks_[b], network_.terminal), b, [&](std::size_t lane) { at[lane] = nobody; });
        }
    }

    void goals(std::span<std::int16_t> out) const override {
        const std::size_t roles = network_.roles.size();
        std::ranges::fill(out, std::int16_t{-1});
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            std::int16_t* const at = out.data() + row(b) * roles;
            for (std::size_t r = 0; r < roles; ++r) {
                Word open = signal(blocks_[b], network_.terminal);
                for (const Network::Goal& goal : network_.goals[r]) {
                    const Word reached = signal(blocks_[b], goal.holds) & open;
                    open &= ~reached;
                    each_lane(reached, b, [&](std::size_t lane) {
                        at[lane * roles + r] = static_cast<std::int16_t>(goal.value);
                    });
                }
            }
        }
    }

    void random_actions(std::span<std::int32_t> out, std::size_t columns) override {
        std::ranges::fill(out, -1);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            in_block(b, [&] {
                const Word crowd = find_choices(gates_.values, choice_);
                std::int32_t* const at = out.data() + row(b) * columns;
                for (std::size_t r = 0; r < network_.moves.size(); ++r) {
                    Word chooses = choice_[r] & (columns == 1 ? ~crowd : ~Word());
                    if (!any(chooses)) continue;
                    (void)random_moves_.choose(gates_, r);
                    for (std::size_t m = 0; m < network_.moves[r].size(); ++m) {
                        const auto action = first_action_[r] + static_cast<std::int32_t>(m);
                        each_lane(
                            gates_.values[network_.moves[r][m].node] & chooses, b,
                            [&](std::size_t lane) { at[lane * columns + (columns == 1 ? 0 : r)] = action; });
                    }
                }
            });
        }
    }

private:
    [[nodiscard]] std::size_t row(std::size_t block) const { return block * lanes_of_word; }
    [[nodiscard]] std::size_t lanes_in(std::size_t block) const {
        return std::min(lanes_of_word, states_ - row(block));
    }
    // The lanes that hold a state.
    [[nodiscard]] Word lanes(std::size_t block) const {
        if (lanes_in(block) == lanes_of_word) return ~Word();
        Word mask{};
        for (std::size_t lane = 0; lane < lanes_in(block); ++lane) set_bit(mask, lane);
        return mask;
    }
    static void set_bit(Word& word, std::size_t lane) {
        word.bits[lane / 64] |= std::uint64_t{1} << (lane % 64);
    }
    [[nodiscard]] static Word signal(const Words& values, Signal s) {
        return s.negated() ? ~values[s.node()] : values[s.node()];
    }
    template <class Visit>
    void each_lane(const Word& word, std::size_t block, Visit visit) const {
        const Word here = lanes_in(block) == lanes_of_word ? word : word & lanes(block);
        for (std::size_t p = 0; p < parts_of_word; ++p) {
            for (std::uint64_t rest = here[p]; rest != 0; rest &= rest - 1)
                visit(p * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }
    // The gates work on the values of one block at a time.
    template <class Work>
    void in_block(std::size_t block, Work work) {
        struct Lent {
            Words& a;
            Words& b;
            Lent(Words& lent, Words& place) : a(lent), b(place) { a.swap(b); }
            ~Lent() { a.swap(b); }
        } const lent(gates_.values, blocks_[block]);
        work();
    }

    void put(const State& state, const Word& mask) {
        for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
            Word& value = gates_.values[1 + i];
            value = (state[i / 64] >> (i % 64) & 1) != 0 ? value | mask : value & ~mask;
        }
        gates_.run_early();
    }

    // By role: the lanes in which the state's actions are moves of it. The lanes with several such roles come back.
    Word find_choices(const Words& values, Words& choice) const {
        const Word running = ~signal(values, network_.terminal);
        Word one{};
        Word more{};
        for (std::size_t r = 0; r < network_.moves.size(); ++r) {
            Word some{};
            Word two{};
            for (const Network::Move& move : network_.moves[r]) {
                const Word open = signal(values, move.legal);
                two |= some & open;
                some |= open;
            }
            choice[r] = two & running;
            more |= one & choice[r];
            one |= choice[r];
        }
        choice[first_player_] |= running & ~one;
        return more;
    }

    // Moves that are given, and the only legal ones of all other roles.
    void set_moves(std::size_t b, std::span<const std::int32_t> actions, std::size_t columns) {
        Words& values = gates_.values;
        std::fill(values.begin() + network_.first_move, values.begin() + network_.first_gate, Word());
        const std::int32_t* at = actions.data() + row(b) * columns;
        const auto known = static_cast<std::uint32_t>(role_of_.size());
        for (std::size_t lane = 0; lane < lanes_in(b); ++lane) {
            const std::uint64_t mask = std::uint64_t{1} << (lane % 64);
            for (std::size_t c = 0; c < columns; ++c, ++at) {
                const auto action = static_cast<std::uint32_t>(*at);
                if (action < known) {
                    reinterpret_cast<std::uint64_t*>(&values[node_of_[action]])[lane / 64] |= mask;
                } else if (*at >= 0) {
                    refuse(b, lane, *at);
                }
            }
        }
        const Word running = ~gates_.signal(network_.terminal) & lanes(b);
        Word wrong{};
        for (std::size_t r = 0; r < network_.moves.size(); ++r) wrong |= complete(r);
        wrong &= running;
        if (any(wrong)) complain(b, wrong, actions, columns);
    }

    // The lanes in which the role's move is illegal, missing, or not the only one given.
    Word complete(std::size_t role) {
        Word given{};
        Word wrong{};
        for (const Network::Move& move : network_.moves[role]) {
            const Word here = gates_.values[move.node];
            wrong |= (given & here) | (here & ~gates_.signal(move.legal));
            given |= here;
        }
        const Word open = ~given;
        if (!any(open)) return wrong;
        Word filled{};
        for (const Network::Move& move : network_.moves[role]) {
            const Word here = gates_.signal(move.legal) & open;
            wrong |= filled & here;
            filled |= here;
            gates_.values[move.node] |= here;
        }
        return wrong | (open & ~filled);
    }

    void advance() {
        const Word over = gates_.signal(network_.terminal);
        gates_.run_late();
        for (std::size_t i = 0; i < fresh_.size(); ++i)
            fresh_[i] = (gates_.signal(network_.next[i]) & ~over) | (gates_.values[1 + i] & over);
        std::memcpy(gates_.values.data() + 1, fresh_.data(), fresh_.size() * sizeof(Word));
        gates_.run_early();
    }

    [[noreturn]] void refuse(std::size_t b, std::size_t lane, std::int32_t action) const {
        throw Error(
            "state " + std::to_string(row(b) + lane) + ": there is no action " + std::to_string(action),
            "actions are numbered from 0 to " + std::to_string(role_of_.size() - 1));
    }

    [[noreturn]] void complain(std::size_t b, const Word& wrong, std::span<const std::int32_t> actions,
                               std::size_t columns) const {
        std::size_t lane = 0;
        while (!bit(wrong, lane)) ++lane;
        std::string given;
        for (std::size_t c = 0; c < columns; ++c)
            given += (c == 0 ? "" : ", ") + std::to_string(actions[(row(b) + lane) * columns + c]);
        throw Error("state " + std::to_string(row(b) + lane) + " cannot make the actions " + given,
                    "give one legal action to each role that has a choice");
    }

    template <class T>
    void write_fluents(std::span<T> out) const {
        const std::size_t fluents = network_.fluents.size();
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            write_rows(blocks_[b].data() + 1, fluents, lanes_in(b), out.data() + row(b) * fluents);
    }

    const Machine& machine_;
    const Network& network_;
    WordGates gates_;  // with the values of the block at work
    RandomMoves random_moves_;
    std::size_t states_;
    std::vector<Words> blocks_;               // values, by node
    std::vector<std::uint32_t> role_of_;      // by action
    std::vector<std::uint32_t> node_of_;      // by action
    std::vector<std::int32_t> first_action_;  // by role
    std::size_t first_player_ = 0;
    Words fresh_;   // by fluent: its next value
    Words choice_;  // by role
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
