// Models with chance in C++: zermelo::stochastic::StochasticBuilder, policies and exact expected utilities.

#pragma once

#include "stochastic/builder.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"
