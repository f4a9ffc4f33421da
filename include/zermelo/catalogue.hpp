// The shipped games: zermelo::catalogue::Library lists a folder of games with their titles, rules in words and tags.

#pragma once

#include "catalogue/library.hpp"
