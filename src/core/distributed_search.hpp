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

// Moves from the position that the question is about, as the search numbers them.
using Line = std::vector<std::int64_t>;

struct Solved {
    bool won = false;
    Bytes certificate;  // what whoever puts the answers together needs of this one
};

// What a position is divided into.
struct Split {
    struct Branch {
        Line moves;   // from the position that was divided
        Hash128 key;  // positions with the same key and as many moves before them have the same answer
    };
    std::optional<Solved> solved;  // there is nothing to divide
    bool ours = true;              // one branch that is won is enough; otherwise, one that is lost
    bool all = false;              // the answer to every branch is asked for, enough or not
    bool enough = false;           // with `all`: a branch that is not open has decided it
    std::vector<Branch> open;
};

// A search in one process. Its functions are called by one thread at a time.
class DivisibleSearch {
public:
    virtual ~DivisibleSearch() = default;
    DivisibleSearch() = default;
    DivisibleSearch(const DivisibleSearch&) = delete;
    DivisibleSearch& operator=(const DivisibleSearch&) = delete;

    // Names the question: the same one has the same name in every process and every run.
    [[nodiscard]] virtual Hash128 name() const = 0;

    // The position after `line`. Nothing where the thread's work was cancelled or a limit reached. Meanwhile,
    // it calls DistributedSearch::exchange now and then.
    virtual std::optional<Solved> solve(const Line& line) = 0;
    virtual Split split(const Line& line) = 0;

    // What was found since this was last asked for that may be of use to others, and what others found.
    virtual Bytes news() = 0;
    virtual void learn(std::span<const std::byte> news) = 0;
};

// How a question was answered.
struct Division {
    struct Leaf {
        Hash128 key;  // as the split tells it; the question's name where it was not divided
        Solved answer;
    };
    bool won = false;
    std::vector<Leaf> leaves;    // positions that were solved, some of them for nothing
    std::vector<Hash128> inner;  // positions that were split
};

class DistributedSearch {
public:
    virtual ~DistributedSearch() = default;
    DistributedSearch() = default;
    DistributedSearch(const DistributedSearch&) = delete;
    DistributedSearch& operator=(const DistributedSearch&) = delete;

    // All partners ask the same question at the same time. Everybody gets the answer, and the first of them
    // how it was found. Throws LimitReached, and what a search threw anywhere as Error, in all of them.
    virtual Division decide(DivisibleSearch& question, const Limits& limits) = 0;
    [[nodiscard]] virtual bool first() const = 0;
    // All together: what everybody has to say, the first one first.
    [[nodiscard]] virtual std::vector<Bytes> gather(std::span<const std::byte> mine) = 0;

    // For the question that is being answered, on the thread that solves a part of it.
    virtual void exchange() = 0;
};

}  // namespace zermelo
