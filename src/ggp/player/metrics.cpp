#include "ggp/player/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace zermelo::ggp {

namespace {

constexpr std::array bounds = {0.0, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0};  // seconds

std::string family(const std::string& name, const std::string& type, const std::string& help) {
    return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

std::string counters(const std::string& name, const std::string& help, const std::string& label,
                     const std::map<std::string, std::uint64_t>& counts) {
    std::string text = family(name, "counter", help);
    for (const auto& [value, count] : counts)
        text += fmt::format("{}{{{}=\"{}\"}} {}\n", name, label, value, count);
    return text;
}

}  // namespace

void Metrics::message(const std::string& verb) {
    const std::lock_guard lock(mutex_);
    ++messages_[verb];
}

void Metrics::refusal(const std::string& why) {
    const std::lock_guard lock(mutex_);
    ++refusals_[why];
}

void Metrics::match(const std::string& what) {
    const std::lock_guard lock(mutex_);
    ++matches_[what];
}

void Metrics::move(double seconds_left, bool stopgap) {
    const std::lock_guard lock(mutex_);
    left_.resize(bounds.size());
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (seconds_left <= bounds[i]) ++left_[i];
    }
    least_ = moves_ == 0 ? seconds_left : std::min(least_, seconds_left);
    sum_ += seconds_left;
    ++moves_;
    if (stopgap) ++stopgaps_;
}

std::vector<Metrics::Share> Metrics::distribution() const {
    const std::lock_guard lock(mutex_);
    std::vector<Share> shares;
    for (std::size_t i = 0; i < left_.size(); ++i)
        shares.push_back({bounds[i], static_cast<double>(left_[i]) / static_cast<double>(moves_)});
    return shares;
}

std::string Metrics::text(const Now& now) const {
    const std::lock_guard lock(mutex_);
    std::string text = counters("zermelo_messages_total", "Messages accepted.", "verb", messages_) +
                       counters("zermelo_refusals_total", "Messages rejected.", "reason", refusals_) +
                       counters("zermelo_matches_total", "Matches by outcome.", "what", matches_);
    text += family("zermelo_matches", "gauge", "Matches in progress.") +
            fmt::format("zermelo_matches {}\n", now.matches);
    text += family("zermelo_connections", "gauge", "Open connections.") +
            fmt::format("zermelo_connections {}\n", now.connections);
    text += family("zermelo_stopgap_moves_total", "counter", "Moves chosen by the fallback player.") +
            fmt::format("zermelo_stopgap_moves_total {}\n", stopgaps_);
    const std::string name = "zermelo_clock_left_seconds";
    text += family(name, "histogram", "Seconds left on the play clock when a move was sent.");
    for (std::size_t i = 0; i < left_.size(); ++i)
        text += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, bounds[i], left_[i]);
    text += fmt::format("{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2}\n{0}_count {1}\n", name, moves_, sum_);
    text += family("zermelo_clock_left_least_seconds", "gauge", "Least time left on the play clock.") +
            fmt::format("zermelo_clock_left_least_seconds {}\n", least_);
    return text;
}

}  // namespace zermelo::ggp
