// Legality in a strategic CSP (Bessiere and Verger 2006, definition 2): do the state variables still have
// values with which every acting constraint holds?
//
// Propagation decides most cases: it fails, or no acting constraint can be violated any more. Where it does
// not decide, the values of the last solution are tried all at once, because successive positions often share
// it; then a nested depth-first search of Gecode decides.

#pragma once

#include <map>

#include "core/limits.hpp"
#include "kernel/gecode/position.hpp"

namespace zermelo::kernel::gecode {

class Consistency {
public:
    explicit Consistency(const Program& program) : program_(program) {}

    struct Statistics {
        std::uint64_t by_values = 0;  // the values of the last solution held again
        std::uint64_t by_search = 0;  // a nested search decided ...
        std::uint64_t nodes = 0;      // ... with so many nodes in all
    };

    // Of a position that is propagated and has not failed. Nothing when a limit was reached.
    [[nodiscard]] std::optional<bool> holds(Position& position, const Limits& limits,
                                            Gecode::StatusStatistics& propagation);

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

private:
    [[nodiscard]] bool try_values(Position& position, Gecode::StatusStatistics& propagation);
    [[nodiscard]] std::optional<bool> search(Position& position, const Limits& limits,
                                             Gecode::StatusStatistics& propagation);
    void remember(const Position& solution);

    const Program& program_;
    std::vector<model::VarId> open_;                    // the state variables that are open
    std::map<model::VarId, model::Value> last_values_;  // of the last solution
    Statistics statistics_;
};

}  // namespace zermelo::kernel::gecode
