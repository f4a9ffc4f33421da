// Games in GDL: zermelo::gdl::Game reads and grounds one. simulate() runs random playouts, Runner steps through plays one
// state at a time, Stepper does so with undo, BitslicedBatch many states at once, Reasoner reads the rules as they
// stand, perft() counts positions.

#pragma once

#include "gdl/circuit/bitsliced_batch.hpp"
#include "gdl/circuit/machine.hpp"
#include "gdl/game.hpp"
#include "gdl/perft.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/simulate.hpp"
#include "gdl/stepper.hpp"
#include "gdl/syntax/parse.hpp"
