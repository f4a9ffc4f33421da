#include "learn/kernels/kernels-inl.hpp"

namespace zermelo::learn {

const Kernels& kernels_128();
const Kernels& kernels_128() { return these; }

}  // namespace zermelo::learn
