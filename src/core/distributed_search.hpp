// Distributed AND/OR search by tree splitting (cf. Finkel and Manber 1987): the interface between a search
// and the processes that it shares its tree with.
//
// The question is whether a position is won or lost. It can be split wherever the answer follows from the
// answers to the successor positions. A search implements DivisibleSearch; whoever runs it in several
// processes implements DistributedSearch. How the processes communicate is not known here (see
// cluster/search).

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/limits.hpp"

namespace zermelo {

// Moves from the root position of the question, as the search numbers them.
using Line = std::vector<std::int64_t>;

struct Solved {
    bool won = false;
    Bytes certificate;  // what the combination of the answers needs of this one
};

// A position divided into its successors.
struct Split {
    struct Branch {
        Line moves;   // from the position that was divided
        Hash128 key;  // positions with the same key and as many moves before them have the same answer
    };
    std::optional<Solved> solved;  // the position needs no search
    bool ours = true;     // OR node: one won branch is enough; otherwise an AND node: one lost branch is
    bool all = false;     // every branch is to be answered, even if one is enough
    bool enough = false;  // with `all`: a branch that is already answered decides the position
    std::vector<Branch> open;
};

// A search in one process. Its functions are called by one thread at a time.
class DivisibleSearch {
public:
    virtual ~DivisibleSearch() = default;
    DivisibleSearch() = default;
    DivisibleSearch(const DivisibleSearch&) = delete;
    DivisibleSearch& operator=(const DivisibleSearch&) = delete;

    // Identifies the question: the same in every process and every run.
    [[nodiscard]] virtual Hash128 name() const = 0;

    // Solves the position after `line`; calls DistributedSearch::exchange now and then meanwhile. Nothing
    // where the thread's work was cancelled or a limit reached.
    virtual std::optional<Solved> solve(const Line& line) = 0;
    virtual Split split(const Line& line) = 0;

    // Results since the last call that may be useful to other processes, and results of other processes.
    virtual Bytes news() = 0;
    virtual void learn(std::span<const std::byte> news) = 0;
};

// How a question was answered: the leaves and inner nodes of the tree of splits.
struct Division {
    struct Leaf {
        Hash128 key;  // as given by the split; the question's name where it was not split
        Solved answer;
    };
    bool won = false;
    std::vector<Leaf> leaves;    // positions that were solved, perhaps more than were needed
    std::vector<Hash128> inner;  // positions that were split
};

class DistributedSearch {
public:
    virtual ~DistributedSearch() = default;
    DistributedSearch() = default;
    DistributedSearch(const DistributedSearch&) = delete;
    DistributedSearch& operator=(const DistributedSearch&) = delete;

    // A collective call: all partners ask the same question at the same time. All get the answer, and the
    // first of them also how it was found. Throws LimitReached, and an exception of any search as Error, in
    // all of them.
    virtual Division decide(DivisibleSearch& question, const Limits& limits) = 0;
    [[nodiscard]] virtual bool first() const = 0;  // among the partners: the one that writes results
    // A collective call: the contributions of all partners, in their order.
    [[nodiscard]] virtual std::vector<Bytes> gather(std::span<const std::byte> mine) = 0;

    // Exchanges results with the partners; called on the thread that runs DivisibleSearch::solve.
    virtual void exchange() = 0;
};

}  // namespace zermelo
