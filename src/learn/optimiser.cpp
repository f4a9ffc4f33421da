#include "learn/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

namespace {

constexpr float first_decay = 0.9F;
constexpr float second_decay = 0.999F;
constexpr float weight_decay = 1e-4F;
constexpr float most_weight = 4;
constexpr double averaged_steps = 200;

}  // namespace

Optimiser::Optimiser(const Network& network)
    : means_(network.weights().size(), 0.0F),
      squares_(network.weights().size(), 0.0F),
      average_(network.weights()) {}

Loss Optimiser::step(Network& network, std::span<const Example> batch, double rate, unsigned threads) {
    if (batch.empty()) return {};
    const Kernels& k = kernels();
    const std::size_t size = network.weights().size();
    const std::size_t parts = std::clamp<std::size_t>(batch.size() / 32, 1, std::max(1U, threads));
    gradients_.resize(std::max(gradients_.size(), parts));
    std::vector<Loss> losses(parts);
    const auto work = [&](std::size_t part) {
        gradients_[part].assign(size, 0.0F);
        for (std::size_t i = part; i < batch.size(); i += parts)
            losses[part] += network.add_gradient(batch[i], gradients_[part]);
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t part = 1; part < parts; ++part) others.emplace_back(work, part);
        work(0);
    }
    std::vector<float>& gradient = gradients_.front();
    for (std::size_t part = 1; part < parts; ++part) {
        k.add_scaled(gradient.data(), gradients_[part].data(), 1, size);
        losses.front() += losses[part];
    }
    const float scale = 1 / static_cast<float>(batch.size());
    for (float& g : gradient) g *= scale;
    ++steps_;
    const double steps = static_cast<double>(steps_);
    k.adam(network.weights().data(), means_.data(), squares_.data(), gradient.data(), size,
           {.rate = static_cast<float>(rate),
            .first = first_decay,
            .second = second_decay,
            .correct1 = static_cast<float>(1 / (1 - std::pow(double{first_decay}, steps))),
            .correct2 = static_cast<float>(1 / (1 - std::pow(double{second_decay}, steps))),
            .shrink = weight_decay,
            .most = most_weight});
    // At first over all steps, and then over the last ones.
    const auto keep = static_cast<float>(1 - 1 / std::min(averaged_steps, 1 + steps / 2));
    for (std::size_t i = 0; i < size; ++i)
        average_[i] = keep * average_[i] + (1 - keep) * network.weights()[i];
    return {losses.front().value / static_cast<double>(batch.size()),
            losses.front().policy / static_cast<double>(batch.size())};
}

Network Optimiser::average(const Network& network) const { return {network.shape(), average_}; }

}  // namespace zermelo::learn
