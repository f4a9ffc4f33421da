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

void reorder(std::vector<model::Value>& values, const Opinion& opinion) {
    std::unordered_map<model::Value, double> worth;
    for (const auto& [value, promise] : opinion.promises) {
        if (std::isfinite(promise)) worth.insert_or_assign(value, promise);
    }
    double sum = 0;
    std::size_t spoken_of = 0;
    for (const model::Value value : values) {
        const auto known = worth.find(value);
        if (known == worth.end()) continue;
        sum += known->second;
        ++spoken_of;
    }
    if (spoken_of == 0) return;
    const double average = sum / static_cast<double>(spoken_of);
    const auto worth_of = [&](model::Value value) {
        const auto known = worth.find(value);
        return known == worth.end() ? average : known->second;
    };
    std::stable_sort(values.begin(), values.end(),
                     [&](model::Value a, model::Value b) { return worth_of(a) > worth_of(b); });
}

std::optional<Opinion> Bus::opinion(std::span<const strategy::Move> play, model::VarId variable,
                                    std::chrono::nanoseconds time) const {
    const Hash128 position = position_after(play);
    std::unique_lock lock(mutex_);
    auto found = opinions_.find(position);
    if (found == opinions_.end() && time > std::chrono::nanoseconds::zero()) {
        ++listening_;
        spoken_.wait_for(lock, time, [&] {
            found = opinions_.find(position);
            return found != opinions_.end();
        });
        --listening_;
    }
    if (found == opinions_.end() || found->second.variable != variable) return std::nullopt;
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
    ++waiting_;
    posted_.wait(lock, stop, [&] { return has_news(bookmark); });
    --waiting_;
}

// The search posts at every node: it must not pay for waking nobody.
void Bus::wake_explorers() const {
    if (waiting_ > 0) posted_.notify_all();
}

void Bus::post(std::vector<Opinion> opinions) {
    const std::lock_guard lock(mutex_);
    for (Opinion& opinion : opinions) {
        if (opinion.promises.empty()) continue;
        const auto [at, added] = opinions_.try_emplace(opinion.position);
        if (added) oldest_opinions_.push_back(opinion.position);
        promises_ += opinion.promises.size();
        promises_ -= at->second.promises.size();
        at->second = std::move(opinion);
    }
    while (promises_ > capacity_.opinions) {
        const auto oldest = opinions_.find(oldest_opinions_.front());
        promises_ -= oldest->second.promises.size();
        opinions_.erase(oldest);
        oldest_opinions_.pop_front();
    }
    if (listening_ > 0) spoken_.notify_all();
}

BusGuide::BusGuide(std::vector<Explorer> explorers, const Patience& patience, const Bus::Capacity& capacity)
    : explorers_(std::move(explorers)), patience_(patience), capacity_(capacity) {}

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
            } catch (...) {  // Whatever has befallen it, the search goes on without it.
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
        Clock::duration(static_cast<Clock::rep>(patience_.share * static_cast<double>(passed.count())));
    return std::min<std::chrono::nanoseconds>(patience_.at_first + share - Clock::duration(waited_),
                                              patience_.at_once);
}

void BusGuide::advise(std::span<const strategy::Move> play, model::VarId variable,
                      std::vector<model::Value>& values) {
    if (!bus_ || values.size() < 2) return;
    auto opinion = bus_->opinion(play, variable);
    if (const auto time = time_to_wait(); !opinion && time.count() > 0) {
        const Clock::time_point before = Clock::now();
        opinion = bus_->opinion(play, variable, time);
        waited_ += (Clock::now() - before).count();
    }
    if (opinion) reorder(values, *opinion);
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
