// Debian's libasmjit.a is compiled for programs, not for shared objects: it reads `stderr` as if that were in the same
// file. The linker is told (--wrap, see CMakeLists.txt) to let it read this copy, which is.

#include <cstdio>

extern "C" {
extern std::FILE* __real_stderr;
__attribute__((visibility("hidden"))) extern std::FILE* __wrap_stderr;
std::FILE* __wrap_stderr = __real_stderr;
}
