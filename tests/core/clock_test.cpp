#include "core/clock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace zermelo {
namespace {

TEST(Clock, OfTheProcessorStandsStillInSleep) {
    using namespace std::chrono_literals;
    Clock::count_cpu_time(true);
    const auto start = Clock::now();
    EXPECT_GT(start, Clock::time_point{});
    std::this_thread::sleep_for(200ms);
    EXPECT_LT(Clock::now() - start, 100ms);
    while (Clock::now() - start < 5ms) {
    }
    Clock::count_cpu_time(false);
}

TEST(Clock, OfTheWallGoesOnInSleep) {
    using namespace std::chrono_literals;
    const auto start = Clock::now();
    std::this_thread::sleep_for(20ms);
    EXPECT_GE(seconds_since(start), 0.02);
}

}  // namespace
}  // namespace zermelo
