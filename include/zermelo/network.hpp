// One turn of a game as a stochastic constraint network: zermelo::scsp::make_micro_scsp makes it, preprocess() makes it
// small, write_dot() draws it.

#pragma once

#include "scsp/micro_scsp.hpp"
#include "scsp/mutex_groups.hpp"
#include "scsp/preprocess.hpp"
