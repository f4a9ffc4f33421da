// Distributed value lookup: the first process asks for the values of states, and the processes that hold them
// answer.

#pragma once

#include "cluster/retrograde/retrograde.hpp"

namespace zermelo::cluster {

struct RankedOutcome {
    game::Rank rank = game::outside();
    std::uint8_t outcome = 0;  // in Values::outcomes
    bool known = false;
    std::uint16_t unused = 0;
};

class ValueLookup {
public:
    // Collective. Where states were taken out of memory, those up to `deepest_level` are read again.
    ValueLookup(Comm& comm, const Explored& explored, const Values& values, std::size_t deepest_level);
    // Collective: the others answer until the first one is done with it.
    ~ValueLookup();
    ValueLookup(const ValueLookup&) = delete;
    ValueLookup& operator=(const ValueLookup&) = delete;

    // Asks about rows that lie one after the other; the first process only.
    [[nodiscard]] std::vector<RankedOutcome> ask(std::span<const std::uint64_t> rows);

private:
    enum Tag : int { question = 11, answer = 12, enough = 13 };
    [[nodiscard]] RankedOutcome worth(std::span<const std::uint64_t> row);
    [[nodiscard]] Bytes reply(std::span<const std::byte> rows);
    void serve();

    Comm& comm_;
    const Explored& explored_;
    const Values& values_;
    std::vector<game::RowTable> read_again_;  // by shard here, where states were taken out of memory
};

}  // namespace zermelo::cluster
