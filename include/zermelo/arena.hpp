// Matches and tournaments: zermelo::arena::run plays what a Plan says; referee() plays a single match.

#pragma once

#include "arena/ratings.hpp"
#include "arena/record.hpp"
#include "arena/referee.hpp"
#include "arena/report/report.hpp"
#include "arena/standings.hpp"
#include "arena/tournament.hpp"
