#include "web/http/worker_pool.hpp"

#include <gtest/gtest.h>

#include <latch>

#include "core/limits.hpp"
#include "net/raw.hpp"

namespace zermelo::web {
namespace {

using net::becomes_true;

Gone here() { return std::make_shared<std::atomic<bool>>(false); }

void wait_for_limits() {
    const Limits limits;
    while (limits.reached() == Stop::none) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(WorkerPool, DoesAllWorkAndNoMoreAtOnceThanAllowed) {
    std::atomic<int> now{0};
    std::atomic<int> most{0};
    std::atomic<int> done{0};
    WorkerPool pool(3, 100);
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(pool.add(here(), [&] {
            const int running = ++now;
            for (int seen = most; seen < running && !most.compare_exchange_weak(seen, running);) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            --now;
            ++done;
        }));
    }
    EXPECT_TRUE(becomes_true([&] { return done == 50; }));
    EXPECT_LE(most, 3);
    EXPECT_TRUE(becomes_true([&] { return pool.running() == 0; }));
    EXPECT_EQ(pool.waiting(), 0);
}

TEST(WorkerPool, RefusesWhatIsTooMuch) {
    std::latch go(1);
    WorkerPool pool(1, 2);
    const auto wait = [&] { go.wait(); };
    EXPECT_TRUE(pool.add(here(), wait));
    EXPECT_TRUE(becomes_true([&] { return pool.running() == 1; }));
    EXPECT_TRUE(pool.add(here(), wait));
    EXPECT_TRUE(pool.add(here(), wait));
    EXPECT_EQ(pool.waiting(), 2);
    EXPECT_FALSE(pool.add(here(), wait));
    go.count_down();
}

TEST(WorkerPool, WhoeverGoesWhileWaitingMakesRoom) {
    std::latch go(1);
    std::atomic<bool> done{false};
    WorkerPool pool(1, 1);
    EXPECT_TRUE(pool.add(here(), [&] { go.wait(); }));
    EXPECT_TRUE(becomes_true([&] { return pool.running() == 1; }));
    const Gone leaving = here();
    EXPECT_TRUE(pool.add(leaving, [&] { ADD_FAILURE() << "nobody waits for this"; }));
    *leaving = true;
    EXPECT_EQ(pool.waiting(), 0);
    EXPECT_TRUE(pool.add(here(), [&] { done = true; }));
    go.count_down();
    EXPECT_TRUE(becomes_true([&] { return done.load(); }));
}

TEST(WorkerPool, WorkEndsWhenItsClientGoes) {
    WorkerPool pool(2, 2);
    const Gone gone = here();
    EXPECT_TRUE(pool.add(gone, wait_for_limits));
    EXPECT_TRUE(becomes_true([&] { return pool.running() == 1; }));
    *gone = true;
    EXPECT_TRUE(becomes_true([&] { return pool.running() == 0; }));
}

TEST(WorkerPool, EndsWithAllItsWork) {
    std::atomic<int> begun{0};
    {
        WorkerPool pool(2, 10);
        for (int i = 0; i < 5; ++i) {
            ASSERT_TRUE(pool.add(here(), [&] {
                ++begun;
                wait_for_limits();
            }));
        }
        EXPECT_TRUE(becomes_true([&] { return begun == 2; }));
    }
    EXPECT_EQ(begun, 2);
}

TEST(WorkerPool, OutlivesWorkThatThrows) {
    std::atomic<bool> done{false};
    WorkerPool pool(1, 2);
    EXPECT_TRUE(pool.add(here(), [] { throw std::runtime_error("lost"); }));
    EXPECT_TRUE(pool.add(here(), [&] { done = true; }));
    EXPECT_TRUE(becomes_true([&] { return done.load(); }));
}

}  // namespace
}  // namespace zermelo::web
