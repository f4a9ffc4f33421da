// The planner behind word_plan.hpp, for one order of the fluents.

#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/limits.hpp"
#include "gdl/compiled/word_group.hpp"

namespace zermelo::gdl {

class WordPlanner {
public:
    // `slots` say at which bit, counted over the words, each fluent lies.
    WordPlanner(const Network& network, std::span<const Signal> extra, std::span<const std::uint32_t> slots)
        : network_(network), extra_(extra), slots_(slots) {}

    WordPlan run() {
        classify();
        count_uses();
        find_levels();
        place_inputs();
        place_enter();
        plan_.cost = 0;
        place_gates(WordPlan::outcome);
        place_gates(WordPlan::rest);
        place_legal();
        place_gates(WordPlan::late);
        place_next();
        place_leave();
        read_outputs();
        return std::move(plan_);
    }

    // `network` has no moves.
    WordPlan run_query(std::span<const Signal> outputs) {
        outputs_ = outputs;
        classify();
        count_uses();
        find_levels();
        place_inputs();
        place_enter();
        place_gates(WordPlan::rest);
        begin_stage();
        std::vector<Lane> lanes;
        for (const Signal& s : outputs) lanes.push_back(output_lane(s));
        plan_.first_output = plan_.words;
        place_outputs(lanes);
        end_stage(WordPlan::legal);
        auto& all = plan_.stages[WordPlan::outcome];
        for (const auto section : {WordPlan::enter, WordPlan::rest, WordPlan::legal}) {
            all.insert(all.end(), plan_.stages[section].begin(), plan_.stages[section].end());
            plan_.stages[section].clear();
        }
        return std::move(plan_);
    }

private:
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    static constexpr const char* planning = "while compiling the rules";
    static constexpr std::size_t many_inputs = 10;           // gates with as many are packed among themselves
    static constexpr std::size_t largest_table = 4'000'000;  // words of all rows of a role

    using Key = std::vector<std::uint32_t>;  // of the words that a lane reads: word * 2 + negated, ascending

    struct Lane {
        std::span<const Signal> inputs;
        bool flip = false;
        Key key = {};
        std::uint32_t tag = 0;  // the gate, or the move
    };

    [[nodiscard]] bool is_gate(std::uint32_t node) const { return node >= network_.first_gate; }

    // Which section each gate belongs to, and which gates depend on one role's move alone.
    void classify() {
        const std::uint32_t nodes = network_.nodes;
        late_.assign(nodes, false);
        pure_.assign(nodes, nowhere);
        loop_of_.assign(nodes, nowhere);
        for (std::uint32_t r = 0; r < network_.moves.size(); ++r) {
            for (const auto& move : network_.moves[r]) {
                late_[move.node] = true;
                pure_[move.node] = r;
            }
        }
        for (std::uint32_t i = 0; i < network_.stretches.size(); ++i) {
            const auto& stretch = network_.stretches[i];
            stay_within_limits(planning);
            bool late = false;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
                std::uint32_t role = nowhere;
                bool pure = !stretch.loop;
                for (const Signal s : network_.inputs_of(gate)) {
                    if (late_[s.node()]) late_[gate] = true;
                    if (s.node() == 0) continue;
                    if (pure_[s.node()] == nowhere || (role != nowhere && role != pure_[s.node()]))
                        pure = false;
                    role = pure_[s.node()];
                }
                if (pure) pure_[gate] = role;
                late = late || late_[gate];
                if (stretch.loop) loop_of_[gate] = i;
            }
            if (!stretch.loop || !late) continue;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) late_[gate] = true;
        }
        forget_large_tables();
        find_outcome();
    }

    // Gates of a role with very many moves are computed like all others.
    void forget_large_tables() {
        std::vector<std::size_t> gates(network_.roles.size(), 0);
        for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
            if (pure_[gate] != nowhere) ++gates[pure_[gate]];
        }
        for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
            const std::uint32_t role = pure_[gate];
            if (role != nowhere && network_.moves[role].size() * (gates[role] / 64 + 1) > largest_table)
                pure_[gate] = nowhere;
        }
    }

    void find_outcome() {
        outcome_.assign(network_.nodes, false);
        std::vector<std::uint32_t> todo;
        const auto want = [&](Signal s) {
            if (!is_gate(s.node()) || outcome_[s.node()] || late_[s.node()]) return;
            outcome_[s.node()] = true;
            todo.push_back(s.node());
        };
        want(network_.terminal);
        for (const auto& goals : network_.goals) {
            for (const auto& goal : goals) want(goal.holds);
        }
        for (const Signal s : extra_) want(s);
        while (!todo.empty()) {
            const std::uint32_t gate = todo.back();
            todo.pop_back();
            for (const Signal s : network_.inputs_of(gate)) want(s);
            if (loop_of_[gate] == nowhere) continue;
            const auto& loop = network_.stretches[loop_of_[gate]];  // is computed as a whole
            for (std::uint32_t other = loop.first; other < loop.last; ++other) want({other, false});
        }
    }

    // Gates that only one next value or one legal move needs are computed there.
    void count_uses() {
        std::vector<std::uint32_t> uses(network_.nodes, 0);
        constexpr std::uint32_t many = 2;
        for (const Signal s : network_.inputs) uses[s.node()] += many;
        uses[network_.terminal.node()] += many;
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            for (const auto& goal : network_.goals[r]) uses[goal.holds.node()] += many;
            for (const auto& percept : network_.sees[r]) uses[percept.seen.node()] += many;
            for (const auto& move : network_.moves[r]) ++uses[move.legal.node()];
        }
        for (const Signal s : network_.next) ++uses[s.node()];
        for (const Signal s : outputs_) ++uses[s.node()];
        for (const Signal s : extra_) uses[s.node()] += many;
        inlined_.assign(network_.nodes, false);
        const auto inline_if_alone = [&](Signal s) {
            const std::uint32_t node = s.node();
            if (is_gate(node) && uses[node] == 1 && pure_[node] == nowhere && loop_of_[node] == nowhere)
                inlined_[node] = true;
        };
        for (const Signal s : network_.next) inline_if_alone(s);
        for (const Signal s : outputs_) inline_if_alone(s);
        for (const auto& moves : network_.moves) {
            for (const auto& move : moves) inline_if_alone(move.legal);
        }
        used_.resize(network_.nodes);
        for (std::uint32_t node = 0; node < network_.nodes; ++node) used_[node] = uses[node] > 0;
    }

    // A loop has one level.
    void find_levels() {
        level_.assign(network_.nodes, 0);
        for (const auto& stretch : network_.stretches) {
            std::uint32_t common = 0;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
                for (const Signal s : network_.inputs_of(gate)) {
                    if (stretch.loop && s.node() >= stretch.first && s.node() < stretch.last) continue;
                    level_[gate] = std::max(level_[gate], level_[s.node()] + 1);
                }
                common = std::max(common, level_[gate]);
            }
            if (!stretch.loop) continue;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) level_[gate] = common;
        }
    }

    void place_inputs() {
        place_.assign(network_.nodes, {nowhere, 0});
        place_[0] = {0, 0};
        plan_.state_words = static_cast<std::uint32_t>((network_.fluents.size() + 63) / 64);
        plan_.fluent_words = slots_.empty() ? 0 : std::ranges::max(slots_) / 64 + 1;
        plan_.words = plan_.first_entered + plan_.state_words;
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) fluents_.emplace_back(1 + f, false);
        // Distinct slots that ascend and start at 0 without a gap are the fluents in their own order.
        reordered_ =
            !std::ranges::is_sorted(slots_) || (!slots_.empty() && slots_.back() + 1 != slots_.size());
        plan_.first_fluent = reordered_ ? plan_.words : plan_.first_entered;
        if (reordered_) plan_.words += plan_.fluent_words;
        plan_.roles.resize(network_.roles.size());
        for (std::uint32_t r = 0; r < plan_.roles.size(); ++r) place_moves(r);
    }

    // The fluents are at these slots from word `first` on.
    void place_fluents(std::uint32_t first, std::span<const std::uint32_t> slots) {
        for (std::uint32_t f = 0; f < slots.size(); ++f)
            place_[1 + f] = {first + slots[f] / 64, slots[f] % 64};
    }
    // One lane a slot; what is in none is false.
    [[nodiscard]] std::vector<Lane> by_slot(std::span<const Signal> outputs) const {
        std::vector<Lane> lanes(std::size_t{plan_.fluent_words} * 64);
        for (Lane& lane : lanes) lane.flip = true;
        for (std::size_t f = 0; f < outputs.size(); ++f) lanes[slots_[f]] = output_lane(outputs[f]);
        return lanes;
    }
    [[nodiscard]] std::vector<std::uint32_t> order_of_network() const {
        std::vector<std::uint32_t> order(network_.fluents.size());
        std::iota(order.begin(), order.end(), 0U);
        return order;
    }

    void place_enter() {
        if (reordered_) {
            place_fluents(plan_.first_entered, order_of_network());
            begin_stage();
            const std::vector<Lane> lanes = by_slot(fluents_);
            for (std::uint32_t w = 0; w < plan_.fluent_words; ++w)
                add_group(plan_.first_fluent + w, std::span(lanes).subspan(std::size_t{w} * 64, 64));
            end_stage(WordPlan::enter);
        }
        place_fluents(plan_.first_fluent, slots_);
    }

    void place_leave() {
        plan_.first_left = plan_.first_next;
        if (!reordered_) return;
        place_fluents(plan_.first_next, slots_);
        plan_.first_left = plan_.words;
        std::vector<Lane> lanes;
        for (const Signal& s : fluents_) lanes.push_back(output_lane(s));
        begin_stage();
        const double cost = plan_.cost;
        place_outputs(lanes);
        plan_.cost = cost;
        end_stage(WordPlan::leave);
        place_fluents(plan_.first_fluent, slots_);
    }

    // The moves that are read as they are, and a table for gates that depend on nothing else.
    void place_moves(std::uint32_t r) {
        WordPlan::Role& role = plan_.roles[r];
        std::vector<bool> read(network_.nodes, false);  // by a gate that is not in the table, or from outside
        const auto reads = [&](Signal s) { read[s.node()] = true; };
        for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
            if (pure_[gate] != nowhere) continue;
            for (const Signal s : network_.inputs_of(gate)) reads(s);
        }
        for (const Signal s : network_.next) reads(s);
        for (const auto& percepts : network_.sees) {
            for (const auto& percept : percepts) reads(percept.seen);
        }
        for (const Signal s : extra_) reads(s);

        std::uint32_t bits = 0;
        for (const auto& move : network_.moves[r]) {
            if (!read[move.node]) {
                role.move.push_back({0, 0, true});
                continue;
            }
            place_[move.node] = {plan_.words + bits / 64, bits % 64};
            role.move.push_back({plan_.words + bits / 64, bits % 64, false});
            ++bits;
        }
        plan_.words += (bits + 63) / 64;

        role.first_row = plan_.words;
        bits = 0;
        std::vector<std::uint32_t> gates;  // of the role
        for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
            if (pure_[gate] != r) continue;
            gates.push_back(gate);
            if (!read[gate]) continue;
            place_[gate] = {plan_.words + bits / 64, bits % 64};
            ++bits;
        }
        role.row_words = (bits + 63) / 64;
        plan_.words += role.row_words;
        if (role.row_words > 0)
            role.rows = move_table(network_, r, gates, place_, role.first_row, role.row_words);
    }

    [[nodiscard]] WordPlan::Section section_of(std::uint32_t gate) const {
        return late_[gate] ? WordPlan::late : outcome_[gate] ? WordPlan::outcome : WordPlan::rest;
    }

    void place_gates(WordPlan::Section section) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> levels;  // level, loop
        for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
            if (inlined_[gate] || pure_[gate] != nowhere || !used_[gate] || section_of(gate) != section)
                continue;
            levels[{level_[gate], loop_of_[gate]}].push_back(gate);
        }
        for (const auto& [where, gates] : levels) {
            if (where.second != nowhere) {
                place_loop(section, network_.stretches[where.second]);
            } else {
                begin_stage();
                pack(lanes_of(gates));
                end_stage(section);
            }
        }
    }

    void begin_stage() { stage_first_ = static_cast<std::uint32_t>(plan_.groups.size()); }
    void end_stage(WordPlan::Section section) {
        const auto last = static_cast<std::uint32_t>(plan_.groups.size());
        if (last > stage_first_) plan_.stages[section].push_back({stage_first_, last});
    }

    // Rule gates in order of their levels within the loop, then its atoms.
    void place_loop(WordPlan::Section section, const Network::Stretch& loop) {
        begin_stage();
        // The places of the atoms come first: the rules read them.
        std::vector<std::uint32_t> atoms;
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) atoms.push_back(gate);
        const std::uint32_t first_atoms = plan_.words;
        for (std::uint32_t i = 0; i < atoms.size(); ++i) place_[atoms[i]] = {first_atoms + i / 64, i % 64};
        plan_.words += static_cast<std::uint32_t>((atoms.size() + 63) / 64);
        std::map<std::uint32_t, std::vector<std::uint32_t>> by_depth;
        std::vector<std::uint32_t> depth(loop.last - loop.first, 0);
        for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) {
            std::uint32_t& own = depth[gate - loop.first];
            for (const Signal s : network_.inputs_of(gate)) {
                if (s.node() >= loop.rules && s.node() < gate)
                    own = std::max(own, depth[s.node() - loop.first] + 1);
            }
            by_depth[own].push_back(gate);
        }
        for (const auto& [own, gates] : by_depth) pack(lanes_of(gates));
        const auto atom_groups = static_cast<std::uint32_t>(plan_.groups.size());
        const std::vector<Lane> lanes = lanes_of(atoms);
        for (std::uint32_t i = 0; i * 64 < lanes.size(); ++i)
            add_group(first_atoms + i,
                      std::span(lanes).subspan(i * 64, std::min<std::size_t>(64, lanes.size() - i * 64)));
        plan_.stages[section].push_back(
            {stage_first_, static_cast<std::uint32_t>(plan_.groups.size()), true, atom_groups});
    }

    [[nodiscard]] std::vector<Lane> lanes_of(const std::vector<std::uint32_t>& gates) const {
        std::vector<Lane> lanes;
        for (const std::uint32_t gate : gates) {
            lanes.push_back({network_.inputs_of(gate)});
            lanes.back().tag = gate;
        }
        return lanes;
    }

    void find_key(Lane& lane) const {
        for (const Signal s : lane.inputs)
            lane.key.push_back(place_[s.node()].word * 2 + (s.negated() ? 1 : 0));
        std::ranges::sort(lane.key);
    }

    void sort_by_words(std::vector<Lane>& lanes) const {
        stay_within_limits(planning);
        for (Lane& lane : lanes) find_key(lane);
        std::ranges::stable_sort(lanes, [](const Lane& a, const Lane& b) {
            const bool many_a = a.inputs.size() >= many_inputs;
            const bool many_b = b.inputs.size() >= many_inputs;
            return many_a != many_b ? many_b : a.key < b.key;
        });
    }

    void pack(std::vector<Lane> lanes) {
        sort_by_words(lanes);
        for (std::size_t first = 0; first < lanes.size();) {
            const bool many = lanes[first].inputs.size() >= many_inputs;
            std::size_t last = first;
            while (last < lanes.size() && last < first + 64 &&
                   (lanes[last].inputs.size() >= many_inputs) == many)
                ++last;
            const std::uint32_t word = plan_.words++;
            for (std::size_t i = first; i < last; ++i)
                place_[lanes[i].tag] = {word, static_cast<std::uint32_t>(i - first)};
            add_group(word, std::span(lanes).subspan(first, last - first));
            first = last;
        }
    }

    WordPlan::Group& add_group(std::uint32_t word, std::span<const Lane> lanes) {
        stay_within_limits(planning);
        LaneReads reads;
        std::uint64_t flip = 0;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (lanes[i].flip) flip |= std::uint64_t{1} << i;
            for (const Signal s : lanes[i].inputs) {
                const WordPlan::Place place = place_[s.node()];
                auto& by_lane = reads[place.word * 2 + (s.negated() ? 1 : 0)];
                by_lane.resize(lanes.size());
                by_lane[i].push_back(static_cast<std::uint8_t>(place.bit));
            }
        }
        WordPlan::Group& group = plan_.groups.emplace_back(make_group(lanes.size(), reads, plan_.cost));
        group.word = word;
        group.flip = flip;
        return group;
    }

    // The lane of an output: the gate that only it needs, or a copy of a bit, or a constant.
    [[nodiscard]] Lane output_lane(const Signal& s) const {
        Lane lane;
        lane.flip = s.negated();
        if (s.node() == 0) return lane;
        if (inlined_[s.node()]) {
            lane.inputs = network_.inputs_of(s.node());
        } else {
            lane.inputs = std::span(&s, 1);
            lane.flip = false;
        }
        return lane;
    }

    static std::uint64_t first_bits(std::size_t n) {
        return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    }

    void place_outputs(std::span<const Lane> lanes) {
        for (std::size_t first = 0; first < lanes.size(); first += 64) {
            const auto part = lanes.subspan(first, std::min<std::size_t>(64, lanes.size() - first));
            add_group(plan_.words++, part).mask = first_bits(part.size());
        }
    }

    void place_legal() {
        begin_stage();
        for (std::uint32_t r = 0; r < plan_.roles.size(); ++r) place_legal(r);
        end_stage(WordPlan::legal);
    }

    void place_legal(std::uint32_t r) {
        WordPlan::Role& role = plan_.roles[r];
        const auto& moves = network_.moves[r];
        std::vector<Lane> lanes;
        for (MoveId m = 0; m < moves.size(); ++m) {
            lanes.push_back(output_lane(moves[m].legal));
            lanes.back().tag = m;
        }
        if (lanes.size() > 64) sort_by_words(lanes);
        for (const Lane& lane : lanes) role.order.push_back(lane.tag);
        role.ascending = std::ranges::is_sorted(role.order);
        role.first_legal = plan_.words;
        place_outputs(lanes);
        role.legal_words = plan_.words - role.first_legal;
    }

    void place_next() {
        plan_.first_next = plan_.words;
        begin_stage();
        place_outputs(by_slot(network_.next));
        end_stage(WordPlan::next);
    }

    [[nodiscard]] WordPlan::Bit bit_of(Signal s) const {
        return {place_[s.node()].word, place_[s.node()].bit, s.negated()};
    }

    void read_outputs() {
        plan_.terminal = bit_of(network_.terminal);
        for (std::size_t r = 0; r < plan_.roles.size(); ++r) {
            for (const auto& goal : network_.goals[r])
                plan_.roles[r].goals.push_back({goal.value, bit_of(goal.holds)});
            for (const auto& percept : network_.sees[r]) plan_.roles[r].sees.push_back(bit_of(percept.seen));
        }
        for (const Signal s : extra_) plan_.extra.push_back(bit_of(s));
    }

    const Network& network_;
    std::span<const Signal> extra_;
    std::span<const Signal> outputs_;  // of a query
    std::span<const std::uint32_t> slots_;
    WordPlan plan_;
    bool reordered_ = false;
    std::vector<Signal> fluents_;
    std::vector<bool> late_;     // by node: depends on moves
    std::vector<bool> outcome_;  // by node: terminal or a goal depends on it
    std::vector<bool> inlined_;  // by node: computed in an output's lane
    std::vector<bool> used_;
    std::vector<std::uint32_t> pure_;     // by node: the role on whose move alone it depends
    std::vector<std::uint32_t> loop_of_;  // by node: its stretch, when this is a loop
    std::vector<std::uint32_t> level_;
    std::vector<WordPlan::Place> place_;
    std::uint32_t stage_first_ = 0;
};

}  // namespace zermelo::gdl
