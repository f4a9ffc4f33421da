#include "learn/kernels/kernels-inl.hpp"

namespace zermelo::learn {

const Kernels& kernels_512();
const Kernels& kernels_512() { return these; }

}  // namespace zermelo::learn
