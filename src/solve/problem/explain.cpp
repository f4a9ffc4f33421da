#include "solve/problem/explain.hpp"

namespace zermelo {

game::Explanation explain(const Problem& problem, const game::ExplainOptions& options) {
    if (problem.gdl() != nullptr) return game::explain(*problem.gdl(), options);
    if (problem.graph() != nullptr) return game::explain(*problem.graph(), options);
    if (problem.model() != nullptr) return game::explain(*problem.model(), options);
    throw Error({problem.file()}, "a model with chance has no best play to explain",
                "use `zermelo solve`, whose policy tells what to do");
}

}  // namespace zermelo
