#include "quantified/guide/bus.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::quantified {

Hash128 position_after(const Hash128& position, const strategy::Move& move) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(move.variable));
    hasher.add(static_cast<std::uint64_t>(move.value));
    const Hash128 own = hasher.value();
    return {position.low + own.low, position.high + own.high};
}

Hash128 position_after(std::span<const strategy::Move> play) {
    Hash128 position;
    for (const strategy::Move& move : play) position = position_after(position, move);
    return position;
}

void Bus::post_position(std::span<const strategy::Move> play) {
    const std::lock_guard lock(mutex_);
    position_.assign(play.begin(), play.end());
    ++positions_;
    wake_explorers();
}

void Bus::post_decision(std::span<const strategy::Move> play, bool won) {
    const Hash128 position = position_after(play);
    const std::lock_guard lock(mutex_);
    latest_decisions_.push_back({position, won});
    if (latest_decisions_.size() > capacity_.decisions) latest_decisions_.pop_front();
    ++decisions_;
    wake_explorers();
}

void reorder(std::vector<model::Value>& values, const Advice& advice) {
    std::unordered_map<model::Value, double> worth;
    for (const auto& [value, score] : advice.estimates) {
        if (std::isfinite(score)) worth.insert_or_assign(value, score);
    }
    double sum = 0;
    std::size_t estimated = 0;
    for (const model::Value value : values) {
        const auto known = worth.find(value);
        if (known == worth.end()) continue;
        sum += known->second;
        ++estimated;
    }
    if (estimated == 0) return;
    const double average = sum / static_cast<double>(estimated);
    const auto score_of = [&](model::Value value) {
        const auto known = worth.find(value);
        return known == worth.end() ? average : known->second;
    };
    std::stable_sort(values.begin(), values.end(),
                     [&](model::Value a, model::Value b) { return score_of(a) > score_of(b); });
}

std::optional<Advice> Bus::advice(std::span<const strategy::Move> play, model::VarId variable,
                                  std::chrono::nanoseconds time) const {
    const Hash128 position = position_after(play);
    std::unique_lock lock(mutex_);
    auto found = advice_.find(position);
    if (found == advice_.end() && time > std::chrono::nanoseconds::zero()) {
        ++waiting_for_advice_;
        advised_.wait_for(lock, time, [&] {
            found = advice_.find(position);
            return found != advice_.end();
        });
        --waiting_for_advice_;
    }
    if (found == advice_.end() || found->second.variable != variable) return std::nullopt;
    return found->second;
}

bool Bus::read(Bookmark& bookmark, News& news) const {
    news.decisions.clear();
    const std::lock_guard lock(mutex_);
    if (!has_news(bookmark)) return false;
    if (bookmark.positions < positions_) news.position = position_;
    const auto missed = std::min<std::uint64_t>(decisions_ - bookmark.decisions, latest_decisions_.size());
    news.decisions.assign(latest_decisions_.end() - static_cast<std::ptrdiff_t>(missed),
                          latest_decisions_.end());
    bookmark = {positions_, decisions_};
    return true;
}

void Bus::wait(const Bookmark& bookmark, const std::stop_token& stop) const {
    std::unique_lock lock(mutex_);
    ++waiting_for_news_;
    news_.wait(lock, stop, [&] { return has_news(bookmark); });
    --waiting_for_news_;
}

// The search posts at every node: it notifies only if an explorer waits.
void Bus::wake_explorers() const {
    if (waiting_for_news_ > 0) news_.notify_all();
}

void Bus::post(std::vector<Advice> advice) {
    const std::lock_guard lock(mutex_);
    for (Advice& item : advice) {
        if (item.estimates.empty()) continue;
        const auto [at, added] = advice_.try_emplace(item.position);
        if (added) oldest_.push_back(item.position);
        estimates_ += item.estimates.size();
        estimates_ -= at->second.estimates.size();
        at->second = std::move(item);
    }
    while (estimates_ > capacity_.estimates) {
        const auto oldest = advice_.find(oldest_.front());
        estimates_ -= oldest->second.estimates.size();
        advice_.erase(oldest);
        oldest_.pop_front();
    }
    if (waiting_for_advice_ > 0) advised_.notify_all();
}

BusGuide::BusGuide(std::vector<Explorer> explorers, const WaitBudget& wait_budget,
                   const Bus::Capacity& capacity)
    : explorers_(std::move(explorers)), wait_budget_(wait_budget), capacity_(capacity) {}

void BusGuide::start(const model::Model& model) {
    stop();
    structure_ = std::make_unique<const model::Structure>(analyse(model));
    bus_ = std::make_unique<Bus>(capacity_);
    started_ = Clock::now();
    waited_ = 0;
    exploring_ = explorers_.size();
    for (const Explorer& explorer : explorers_) {
        threads_.emplace_back([this, &model, &explorer](const std::stop_token& stop) {
            try {
                explorer(*bus_, model, *structure_, stop);
            } catch (...) {  // The search goes on without it.
            }
            --exploring_;
        });
    }
}

void BusGuide::now_at(std::span<const strategy::Move> play) {
    if (bus_) bus_->post_position(play);
}

std::chrono::nanoseconds BusGuide::time_to_wait() const {
    if (exploring_ == 0) return {};
    const Clock::duration passed = Clock::now() - started_;
    const auto share =
        Clock::duration(static_cast<Clock::rep>(wait_budget_.share * static_cast<double>(passed.count())));
    return std::min<std::chrono::nanoseconds>(wait_budget_.initial + share - Clock::duration(waited_),
                                              wait_budget_.per_question);
}

void BusGuide::advise(std::span<const strategy::Move> play, model::VarId variable,
                      std::vector<model::Value>& values) {
    if (!bus_ || values.size() < 2) return;
    auto advice = bus_->advice(play, variable);
    if (const auto time = time_to_wait(); !advice && time.count() > 0) {
        const Clock::time_point before = Clock::now();
        advice = bus_->advice(play, variable, time);
        waited_ += (Clock::now() - before).count();
    }
    if (advice) reorder(values, *advice);
}

void BusGuide::learn(std::span<const strategy::Move> play, bool won) {
    if (bus_) bus_->post_decision(play, won);
}

void BusGuide::stop() {
    for (std::jthread& thread : threads_) thread.request_stop();
    threads_.clear();  // waits for them
    bus_.reset();
    structure_.reset();
}

}  // namespace zermelo::quantified
