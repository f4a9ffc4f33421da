// The rational numbers of core, under the names of this room.

#pragma once

#include "core/format/rational.hpp"

namespace zermelo::stochastic {

using zermelo::Rational;
using zermelo::Rationals;
using zermelo::read_rational;
using zermelo::text;

}  // namespace zermelo::stochastic
