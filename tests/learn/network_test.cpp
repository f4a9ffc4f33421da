// Networks: the gradient is that of the loss, Adam learns what can be learned, and whole numbers say what floats say.

#include "learn/network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "learn/optimiser.hpp"
#include "learn/quantised.hpp"

namespace zermelo::learn {
namespace {

const Shape shape{.inputs = 100, .hidden = 32, .second = 32, .seats = 2, .moves = {7, 0, 5}};

Example random_example(Random& random) {
    Example example;
    for (std::uint32_t f = 0; f < shape.inputs; ++f) {
        if (random.chance(0.2)) example.features.push_back(f);
    }
    for (std::size_t s = 0; s < shape.seats; ++s)
        example.values.push_back(static_cast<float>(random.fraction()));
    for (const std::uint32_t role : {0U, 2U}) {
        PolicyTarget target{.role = role, .moves = {}, .shares = {}};
        float sum = 0;
        for (std::uint32_t m = 0; m < shape.moves[role]; ++m) {
            if (m > 0 && random.chance(0.3)) continue;
            target.moves.push_back(m);
            sum += target.shares.emplace_back(static_cast<float>(0.1 + random.fraction()));
        }
        for (float& share : target.shares) share /= sum;
        example.policies.push_back(target);
    }
    return example;
}

// All weights are drawn, also those that are zero at first.
Network random_network(std::uint64_t seed) {
    Network network(shape, seed);
    Random random(seed + 1);
    for (float& w : network.weights()) w += static_cast<float>(0.2 * (random.fraction() - 0.5));
    return network;
}

double loss_of(const Network& network, const Example& example) {
    std::vector<float> unused(network.weights().size());
    const Loss loss = network.add_gradient(example, unused);
    return loss.value + loss.policy;
}

TEST(Network, GradientIsThatOfTheLoss) {
    Random random(3);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Network network = random_network(seed);
        const Example example = random_example(random);
        std::vector<float> gradient(network.weights().size(), 0.0F);
        (void)network.add_gradient(example, gradient);
        std::size_t checked = 0;
        std::size_t not_zero = 0;
        for (std::size_t i = 0; i < gradient.size(); i += 1 + random.below(5)) {
            const float before = network.weights()[i];
            constexpr float step = 2e-3F;
            const auto at = [&](float by) {
                network.weights()[i] = before + by;
                const double loss = loss_of(network, example);
                network.weights()[i] = before;
                return loss;
            };
            const double up = (at(step) - at(0)) / double{step};
            const double down = (at(0) - at(-step)) / double{step};
            // Not where the clipped ReLU has a corner.
            if (std::abs(up - down) > 0.05 * (std::abs(up) + std::abs(down)) + 5e-3) continue;
            ++checked;
            if (std::abs(gradient[i]) > 1e-3F) ++not_zero;
            EXPECT_NEAR((up + down) / 2, double{gradient[i]}, 0.05 * std::abs(double{gradient[i]}) + 3e-3)
                << "seed " << seed << ", weight " << i;
        }
        EXPECT_GT(checked, 1000U);
        EXPECT_GT(not_zero, 100U);
    }
}

TEST(Network, KnowsNothingAtFirst) {
    Random random(1);
    const Network network(shape, 1);
    for (int i = 0; i < 20; ++i) {
        const Example example = random_example(random);
        const auto answer = network.answer(example);
        for (const float value : answer.values) EXPECT_NEAR(value, 0.5F, 0.25F);
        for (const auto& policy : answer.policies) {
            for (const float share : policy) EXPECT_FLOAT_EQ(share, 1 / static_cast<float>(policy.size()));
        }
    }
}

// The value is one if two features hold at the same time, which no sum of weights tells; the move is one of two.
Example exclusive(Random& random) {
    Example example = random_example(random);
    const auto has = [&](std::uint32_t f) {
        return std::find(example.features.begin(), example.features.end(), f) != example.features.end();
    };
    example.values = {has(1) != has(2) ? 1.0F : 0.0F, has(3) ? 1.0F : 0.0F};
    example.policies = {{.role = 0, .moves = {2, 6}, .shares = {has(3) ? 1.0F : 0.0F, has(3) ? 0.0F : 1.0F}}};
    return example;
}

TEST(Optimiser, LearnsWhatASumCannotTell) {
    Random random(5);
    Network network(shape, 1);
    Optimiser optimiser(network);
    for (int step = 0; step < 1500; ++step) {
        std::vector<Example> batch;
        for (int i = 0; i < 64; ++i) batch.push_back(exclusive(random));
        (void)optimiser.step(network, batch, 2e-3);
    }
    const Network average = optimiser.average(network);
    int right = 0;
    for (int i = 0; i < 500; ++i) {
        const Example example = exclusive(random);
        const auto answer = average.answer(example);
        right += (answer.values[0] > 0.5F) == (example.values[0] > 0.5F) ? 1 : 0;
        right += (answer.policies[0][0] > 0.5F) == (example.policies[0].shares[0] > 0.5F) ? 1 : 0;
    }
    EXPECT_GT(right, 960);  // of 1000
}

TEST(Optimiser, ThreadsChangeOnlyRoundingErrors) {
    Random random(5);
    std::vector<Example> batch;
    for (int i = 0; i < 128; ++i) batch.push_back(random_example(random));
    const auto learned = [&](unsigned threads) {
        Network network(shape, 1);
        Optimiser optimiser(network);
        for (int step = 0; step < 20; ++step) (void)optimiser.step(network, batch, 1e-3, threads);
        return network.weights();
    };
    const auto one = learned(1);
    EXPECT_EQ(one, learned(1));
    const auto several = learned(4);
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) sum += std::abs(double{one[i]} - double{several[i]});
    EXPECT_LT(sum / static_cast<double>(one.size()), 1e-3);
}

TEST(QuantisedNetwork, SaysWhatFloatsSay) {
    Random random(7);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Network network = random_network(seed);
        const QuantisedNetwork quantised(quantise(network));
        for (int i = 0; i < 50; ++i) {
            const Example example = random_example(random);
            const auto expected = network.answer(example);
            std::vector<std::int16_t> sums(shape.hidden);
            std::vector<std::int16_t> active(shape.hidden);
            quantised.begin(sums.data());
            quantised.add(sums.data(), example.features);
            quantised.activate(sums.data(), active.data());
            std::vector<float> values(shape.seats);
            quantised.values(active.data(), values);
            for (std::size_t s = 0; s < values.size(); ++s) EXPECT_NEAR(values[s], expected.values[s], 0.02F);
            for (std::size_t p = 0; p < example.policies.size(); ++p) {
                const PolicyTarget& target = example.policies[p];
                std::vector<float> policy(target.moves.size());
                quantised.policy(active.data(), target.role, target.moves, policy);
                for (std::size_t m = 0; m < policy.size(); ++m)
                    EXPECT_NEAR(policy[m], expected.policies[p][m], 0.02F);
            }
        }
    }
}

// Weights may be so large that a careless scale overflows.
TEST(QuantisedNetwork, NoSumOverflows) {
    Network network = random_network(1);
    for (std::size_t i = 0; i < shape.inputs * shape.hidden; ++i) network.weights()[i] = 4;
    const QuantisedNetwork quantised(quantise(network));
    std::vector<std::uint32_t> all;
    for (std::uint32_t f = 0; f < shape.inputs; ++f) all.push_back(f);
    std::vector<std::int16_t> sums(shape.hidden);
    std::vector<std::int16_t> active(shape.hidden);
    quantised.begin(sums.data());
    quantised.add(sums.data(), all);
    quantised.activate(sums.data(), active.data());
    for (const std::int16_t one : active) EXPECT_EQ(one, 127);
}

}  // namespace
}  // namespace zermelo::learn
