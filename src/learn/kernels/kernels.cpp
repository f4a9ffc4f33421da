#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

// One source file a width; the wider ones are compiled for the processors that have such registers.
const Kernels& kernels_128();
const Kernels& kernels_256();
const Kernels& kernels_512();

const Kernels& kernels() {
#if defined(__x86_64__)
    const bool has_512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                         __builtin_cpu_supports("avx512vl") != 0;
    const bool has_256 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    if (has_512) return kernels_512();
    if (has_256) return kernels_256();
#endif
    return kernels_128();
}

}  // namespace zermelo::learn
