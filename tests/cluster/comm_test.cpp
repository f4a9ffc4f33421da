#include <gtest/gtest.h>

#include <map>

#include "cluster/comm/exchange.hpp"
#include "cluster/processes.hpp"
#include "core/random.hpp"

namespace zermelo::cluster {
namespace {

TEST(Comm, GathersWhatEverybodySaysByRank) {
    Comm& comm = processes();
    const auto all = gather_all(comm, 100 + comm.rank());
    ASSERT_EQ(all.size(), comm.size());
    for (Rank r = 0; r < comm.size(); ++r) EXPECT_EQ(all[r], 100 + r);
    EXPECT_EQ(sum(comm, comm.rank()), std::uint64_t{comm.size()} * (comm.size() - 1) / 2);
    EXPECT_EQ(greatest(comm, comm.rank()), comm.size() - 1);
    EXPECT_TRUE(any_process(comm, comm.rank() == comm.size() - 1));
    EXPECT_FALSE(any_process(comm, false));
    const std::uint32_t word = 4711 + comm.rank();
    const Bytes heard = from_first(comm, std::as_bytes(std::span(&word, 1)));
    std::span<const std::byte> rest = heard;
    EXPECT_EQ(take<std::uint32_t>(rest), 4711U);
}

struct Letter {
    Rank from;
    std::uint32_t number;
    Rank to;
    std::uint32_t phase;
};

// How many letters a process sends to another in a phase; everybody knows.
std::uint32_t letters(Rank from, Rank to, std::uint32_t phase) {
    Random random(from * 7919 + to * 104'729 + phase);
    return random.chance(0.2) ? 0 : static_cast<std::uint32_t>(random.below(phase % 4 == 0 ? 60'000 : 200));
}

TEST(Exchange, DeliversEveryRecordOnceAndInTheOrderOfItsSender) {
    Comm& comm = processes();
    for (std::uint32_t phase = 0; phase < 24; ++phase) {
        std::map<Rank, std::uint32_t> next;
        Exchange exchange(comm, [&](Rank from, std::span<const std::byte> records) {
            while (!records.empty()) {
                const auto letter = take<Letter>(records);
                ASSERT_EQ(letter.from, from);
                ASSERT_EQ(letter.to, comm.rank());
                ASSERT_EQ(letter.phase, phase);
                ASSERT_EQ(letter.number, next[from]++);
            }
        });
        for (Rank to = 0; to < comm.size(); ++to) {
            const std::uint32_t count = letters(comm.rank(), to, phase);
            for (std::uint32_t i = 0; i < count; ++i)
                exchange.put_value(to, Letter{comm.rank(), i, to, phase});
        }
        exchange.finish();
        for (Rank from = 0; from < comm.size(); ++from) {
            EXPECT_EQ(next[from], letters(from, comm.rank(), phase)) << "phase " << phase << " from " << from;
        }
    }
}

}  // namespace
}  // namespace zermelo::cluster
