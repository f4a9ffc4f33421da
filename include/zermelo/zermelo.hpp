// Zermelo for embedding programs: everything at once. Each capability also has a header of its own:
//
//     <zermelo/solve.hpp>        read rules, solve, check and save the certificate
//     <zermelo/model.hpp>        write a quantified model in C++
//     <zermelo/stochastic.hpp>   write a model with chance in C++
//     <zermelo/gdl.hpp>          games in GDL: run playouts, step through plays, count positions
//     <zermelo/game.hpp>         graphs and the forward view; attractors and heuristics
//     <zermelo/play.hpp>         players: the built-in ones, and how to write one's own
//     <zermelo/arena.hpp>        matches and tournaments
//     <zermelo/ggp.hpp>          the protocol of General Game Playing
//     <zermelo/catalogue.hpp>    the shipped games; boards as text
//     <zermelo/network.hpp>      a turn of a game as a constraint network
//     <zermelo/pictures.hpp>     strategies and graphs drawn in DOT
//
// Names live in namespace zermelo and its parts, one for each room of src/. What is wrong with an input is told by
// zermelo::Error.

#pragma once

#include "zermelo/arena.hpp"
#include "zermelo/catalogue.hpp"
#include "zermelo/game.hpp"
#include "zermelo/gdl.hpp"
#include "zermelo/ggp.hpp"
#include "zermelo/model.hpp"
#include "zermelo/network.hpp"
#include "zermelo/pictures.hpp"
#include "zermelo/play.hpp"
#include "zermelo/solve.hpp"
#include "zermelo/stochastic.hpp"
#include "zermelo/version.hpp"
