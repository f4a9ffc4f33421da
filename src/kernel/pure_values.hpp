// Pure values (Nightingale 2009): values of a variable that satisfy every constraint it takes part in, whatever
// the other variables do.

#pragma once

#include <map>

#include "kernel/reading.hpp"

namespace zermelo::kernel {

template <class Position>
class PureValues {
public:
    explicit PureValues(const Program& program) : program_(program) {}

    // Does `variable`, open when `sizes_around` was asked and fixed now, leave everything else as it was and
    // satisfied? That is: no constraint that it takes part in, directly or through definitions, demands
    // anything any more, and none has narrowed a variable that does not depend on it. Rules, cuts and a winning
    // condition that is not demanded yet count as demanding.
    using Sizes = std::vector<std::uint64_t>;
    [[nodiscard]] Sizes sizes_around(model::VarId variable, const Position& before);
    [[nodiscard]] bool satisfied_by(model::VarId variable, const Sizes& before, const Position& after);

    // Does one of these constraints still demand something?
    [[nodiscard]] bool demands(const Position& position, const std::vector<int>& constraints) const;

private:
    // By variable of the prefix: the constraints it reaches, the other variables of these that do not depend
    // on it, and whether it reaches a rule, a cut or the condition.
    struct Reach {
        std::vector<int> constraints;
        std::vector<model::VarId> independents;
        bool conditioned = false;
    };
    [[nodiscard]] const Reach& reach(model::VarId variable);

    const Program& program_;
    mutable Terms terms_;
    std::map<model::VarId, Reach> reach_;
};

}  // namespace zermelo::kernel
