// Metrics: counters of what a player did, in the text exposition format of Prometheus.

#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace zermelo::ggp {

class Metrics {
public:
    void message(const std::string& verb);  // that was understood
    void refusal(const std::string& why);   // malformed, too many, unknown match, …
    void match(const std::string& what);    // started, stopped, aborted, abandoned, resumed, refused, lost
    // A move left with so many seconds on the clock.
    void move(double seconds_left, bool stopgap);

    struct Now {
        std::size_t matches = 0;
        std::size_t connections = 0;
    };
    [[nodiscard]] std::string text(const Now& now) const;
    // What moves left on their clocks, as the parts of all moves that had less than each bound.
    struct Share {
        double seconds;
        double share;
    };
    [[nodiscard]] std::vector<Share> distribution() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::uint64_t> messages_;
    std::map<std::string, std::uint64_t> refusals_;
    std::map<std::string, std::uint64_t> matches_;
    std::vector<std::uint64_t> left_;  // by bound: moves with at most so much left
    std::uint64_t moves_ = 0;
    std::uint64_t stopgaps_ = 0;
    double sum_ = 0;
    double least_ = 0;
};

}  // namespace zermelo::ggp
