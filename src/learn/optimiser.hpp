// Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019) on mini-batches, and the moving average
// of the weights that it passes through (Polyak and Juditsky 1992), which is what plays.

#pragma once

#include "learn/network.hpp"

namespace zermelo::learn {

class Optimiser {
public:
    explicit Optimiser(const Network& network);

    // One update by the mean gradient of the examples, on so many threads; the same on any number of them but for rounding.
    Loss step(Network& network, std::span<const Example> batch, double rate, unsigned threads = 1);

    [[nodiscard]] Network average(const Network& network) const;
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

    // All that it remembers, for a checkpoint.
    struct Memory {
        std::uint64_t& steps;
        std::vector<float>& means;
        std::vector<float>& squares;
        std::vector<float>& average;
    };
    [[nodiscard]] Memory memory() { return {steps_, means_, squares_, average_}; }

private:
    std::uint64_t steps_ = 0;
    std::vector<float> means_;
    std::vector<float> squares_;
    std::vector<float> average_;
    std::vector<std::vector<float>> gradients_;  // by thread
};

}  // namespace zermelo::learn
