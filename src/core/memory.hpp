// Memory that was freed, given back to the system.

#pragma once

#include <malloc.h>

namespace zermelo {

// The allocator keeps what was freed for the threads that used it, even when these have gone. For servers, when large work has
// ended; it takes some milliseconds.
inline void return_freed_memory() {
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

}  // namespace zermelo
