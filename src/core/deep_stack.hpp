// Runs a function on a thread with a large stack, for searches whose recursion is as deep as the game is
// long.

#pragma once

#include <cstddef>
#include <functional>

namespace zermelo {

// `levels` is the depth of the recursion. Waits for `work`, and rethrows its exceptions; the caller's
// cancellation flag applies to it.
void with_deep_stack(std::size_t levels, const std::function<void()>& work);

}  // namespace zermelo
