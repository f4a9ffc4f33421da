#include "gdl/compiled/word_group.hpp"

#include <algorithm>
#include <set>

namespace zermelo::gdl {

namespace {

// Instructions, about: of a transfer, of its mask, of a reduction, of a lane that is reduced.
constexpr double transfer_cost = 2.5;
constexpr double mask_cost = 1.5;
constexpr double reduction_cost = 2.5;
constexpr double lane_cost = 2;

void add_transfers(WordPlan::Group& group, std::uint32_t code,
                   const std::vector<std::vector<std::uint8_t>>& by_lane) {
    std::size_t rounds = 0;
    std::uint64_t lanes = 0;
    std::size_t some = 0;
    for (std::size_t i = 0; i < by_lane.size(); ++i) {
        rounds = std::max(rounds, by_lane[i].size());
        if (by_lane[i].empty()) continue;
        lanes |= std::uint64_t{1} << i;
        some = i;
    }
    const bool whole = std::ranges::none_of(by_lane, [](const auto& bits) { return bits.empty(); });
    for (std::size_t k = 0; k < rounds; ++k) {
        WordPlan::Transfer transfer{code / 2, code % 2 != 0, whole, lanes, {}};
        for (std::size_t i = 0; i < 64; ++i) {
            // Lanes that have no further input repeat one: a conjunction does not mind.
            const auto& bits = by_lane[i < by_lane.size() && !by_lane[i].empty() ? i : some];
            transfer.from[i] = bits[std::min(k, bits.size() - 1)];
        }
        group.transfers.push_back(transfer);
    }
}

void add_reductions(WordPlan::Group& group, const LaneReads& reads) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, WordPlan::Reduction> all;  // by lane and source
    for (const auto& [code, by_lane] : reads) {
        for (std::uint32_t i = 0; i < by_lane.size(); ++i) {
            if (by_lane[i].empty()) continue;
            auto& reduction =
                all.try_emplace({i, code / 2}, WordPlan::Reduction{i, code / 2, 0, 0}).first->second;
            for (const std::uint8_t bit : by_lane[i])
                (code % 2 != 0 ? reduction.negative : reduction.positive) |= std::uint64_t{1} << bit;
        }
    }
    for (auto at = all.rbegin(); at != all.rend(); ++at) group.reductions.push_back(at->second);
}

}  // namespace

WordPlan::Group make_group(std::size_t lanes, const LaneReads& reads, double& cost) {
    WordPlan::Group group;
    group.lanes = static_cast<std::uint32_t>(lanes);
    for (const auto& [code, by_lane] : reads) add_transfers(group, code, by_lane);
    add_reductions(group, reads);
    double packed = 0;
    for (const auto& transfer : group.transfers) packed += transfer_cost + (transfer.whole ? 0 : mask_cost);
    const double reduced = reduction_cost * static_cast<double>(group.reductions.size()) +
                           lane_cost * static_cast<double>(lanes);
    group.reduce = reduced < packed;
    cost += std::min(packed, reduced);
    if (group.reduce) {
        group.transfers.clear();
    } else {
        group.reductions.clear();
    }
    return group;
}

// A row differs from that of no move where the move is felt.
std::vector<std::uint64_t> move_table(const Network& network, std::size_t role,
                                      const std::vector<std::uint32_t>& gates,
                                      const std::vector<WordPlan::Place>& places, std::uint32_t first_row,
                                      std::uint32_t row_words) {
    std::vector<std::uint8_t> value(network.nodes, 0);
    std::vector<std::vector<std::uint32_t>> readers(network.nodes);
    value[0] = 1;
    const auto evaluate = [&](std::uint32_t gate) {
        return std::ranges::all_of(network.inputs_of(gate),
                                   [&](Signal s) { return (value[s.node()] != 0) != s.negated(); });
    };
    const auto is_read = [&](std::uint32_t gate) {
        return places[gate].word >= first_row && places[gate].word < first_row + row_words;
    };
    const auto flip = [&](std::vector<std::uint64_t>& row, std::uint32_t gate) {
        row[places[gate].word - first_row] ^= std::uint64_t{1} << places[gate].bit;
    };
    std::vector<std::uint64_t> none(row_words, 0);
    for (const std::uint32_t gate : gates) {
        value[gate] = evaluate(gate) ? 1 : 0;
        for (const Signal s : network.inputs_of(gate)) readers[s.node()].push_back(gate);
        if (is_read(gate) && value[gate] != 0) flip(none, gate);
    }
    std::vector<std::uint64_t> rows;
    for (const auto& move : network.moves[role]) {
        std::vector<std::uint64_t> row = none;
        std::vector<std::uint32_t> changed{move.node};
        std::set<std::uint32_t> open(readers[move.node].begin(), readers[move.node].end());
        value[move.node] = 1;
        while (!open.empty()) {
            const std::uint32_t gate = *open.begin();
            open.erase(open.begin());
            const std::uint8_t now = evaluate(gate) ? 1 : 0;
            if (now == value[gate]) continue;
            value[gate] = now;
            changed.push_back(gate);
            open.insert(readers[gate].begin(), readers[gate].end());
            if (is_read(gate)) flip(row, gate);
        }
        for (const std::uint32_t node : changed) value[node] ^= 1;
        rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
}

}  // namespace zermelo::gdl
