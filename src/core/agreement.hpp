// Agreement of several processes that do the same work: one that was stopped stops all of them.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/limits.hpp"

namespace zermelo {

// Called by every process with what stopped it; throws LimitReached in all of them where one was stopped. Empty
// where there is one process.
using Agreement = std::function<void(Stop mine, const std::string& during)>;

// What every process has to make for itself: nobody goes on where one of them was stopped.
template <class Make>
[[nodiscard]] auto made_by_all(const Agreement& agree, const Make& make, const std::string& during) {
    if (!agree) return make();
    std::optional<decltype(make())> made;
    auto stop = Stop::none;
    try {
        made.emplace(make());
    } catch (const LimitReached& limit) {
        stop = limit.stop();
    }
    agree(stop, during);
    return *std::move(made);
}

}  // namespace zermelo
