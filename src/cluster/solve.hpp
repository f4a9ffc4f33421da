// Solving together: the way through of solve/solve.hpp, taken by all processes of a Comm at once.
//
// With several processes, all states of a game are explored and valued level by level (retrograde/solve.hpp);
// alpha-beta and quantified search divide their tree (search/distributed_search.hpp). With one process it is
// solve(), and what only this room has: levels with a disk behind the memory, and checkpoints of quantified
// search. All processes call it; the first one gets the certificate.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cluster/comm/comm.hpp"
#include "solve/solve.hpp"

namespace zermelo::cluster {

struct TogetherOptions {
    SolveOptions solve = {};  // with levels, `checkpoint` is a folder
    bool levels = false;      // level by level, also where there is one process
    std::string spill = {};   // with levels: a folder for what does not fit into memory
};

struct TogetherVerdict {
    Verdict verdict;
    bool forgotten = false;  // states were taken out of memory, so there are no plans
    std::shared_ptr<const nlohmann::json> work =
        {};  // what the processes did, for --json; null: one did it as ever
    std::vector<std::shared_ptr<const nlohmann::json>> questions = {};  // the same by threshold question
};

// Throws Error where the engine works in one process only.
[[nodiscard]] TogetherVerdict solve(const Problem& problem, Comm& comm, const TogetherOptions& options);

// Throws LimitReached in all processes where one of them was stopped. Empty where there is one process.
[[nodiscard]] Agreement agreement(Comm& comm);

}  // namespace zermelo::cluster
