#include "learn/kernels/kernels-inl.hpp"

namespace zermelo::learn {

const Kernels& kernels_256();
const Kernels& kernels_256() { return these; }

}  // namespace zermelo::learn
