#include "learn/judgement.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::learn {

Judgement::Judgement(Features features, QuantisedWeights weights, bool opposed, bool trusted)
    : features_(std::move(features)), network_(std::move(weights)), opposed_(opposed), trusted_(trusted) {}

void Judgement::settle(std::span<float> values) const {
    if (!opposed_) return;
    const float first = 0.5F * (values[0] + 1 - values[1]);
    values[0] = first;
    values[1] = 1 - first;
}

Judge::Judge(std::shared_ptr<const Judgement> judgement) : judgement_(std::move(judgement)) {}

void Judge::look_at(std::span<const State* const> states) {
    const QuantisedNetwork& network = judgement_->network();
    const std::size_t hidden = network.hidden();
    const std::size_t seats = judgement_->seats();
    const std::size_t wide = judgement_->features().words();
    active_.resize(states.size() * hidden);
    values_.resize(states.size() * seats);
    last_sums_.resize(hidden);
    for (std::size_t first = 0; first < states.size(); first += Features::lanes) {
        const std::size_t count = std::min(Features::lanes, states.size() - first);
        judgement_->features().extract(states.subspan(first, count), rows_);
        for (std::size_t i = 0; i < count; ++i) {
            list_features(std::span(rows_).subspan(i * wide, wide), some_);
            network.begin(last_sums_.data());
            network.add(last_sums_.data(), some_);
            std::int16_t* active = active_.data() + (first + i) * hidden;
            network.activate(last_sums_.data(), active);
            const std::span<float> values = std::span(values_).subspan((first + i) * seats, seats);
            network.values(active, values);
            judgement_->settle(values);
        }
    }
    last_row_.clear();  // the sums are of another state now
}

std::span<const float> Judge::values(std::size_t state) const {
    return std::span(values_).subspan(state * judgement_->seats(), judgement_->seats());
}

void Judge::policy(std::size_t state, std::size_t role, std::span<const MoveId> legal,
                   std::span<float> out) const {
    const QuantisedNetwork& network = judgement_->network();
    network.policy(active_.data() + state * network.hidden(), role, legal, out);
}

std::span<const float> Judge::nearby(const State& state) {
    const QuantisedNetwork& network = judgement_->network();
    const State* one = &state;
    judgement_->features().extract({&one, 1}, rows_);
    last_active_.resize(network.hidden());
    last_values_.resize(judgement_->seats());
    if (last_row_.empty()) {
        last_sums_.resize(network.hidden());
        last_row_.assign(rows_.size(), 0);
        network.begin(last_sums_.data());
    }
    const auto change = [&](bool come) {
        some_.clear();
        for (std::size_t word = 0; word < rows_.size(); ++word) {
            const std::uint64_t changed =
                come ? rows_[word] & ~last_row_[word] : last_row_[word] & ~rows_[word];
            for (std::uint64_t left = changed; left != 0; left &= left - 1)
                some_.push_back(
                    static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
        }
    };
    change(true);
    network.add(last_sums_.data(), some_);
    change(false);
    network.subtract(last_sums_.data(), some_);
    last_row_ = rows_;
    network.activate(last_sums_.data(), last_active_.data());
    network.values(last_active_.data(), last_values_);
    judgement_->settle(last_values_);
    return last_values_;
}

}  // namespace zermelo::learn
