// Search on the kernel of copied Gecode spaces.

#include "quantified/parallel/distributed_search-inl.hpp"
#include "quantified/parallel/parallel_search-inl.hpp"
#include "quantified/search-inl.hpp"

namespace zermelo::quantified {

template class Search<kernel::gecode::Kernel>;
template Answer solve_in_parallel(const kernel::Program&, const SolveOptions&, SharedSearchState&,
                                  const std::vector<Part<kernel::gecode::Kernel>>&);
template Answer solve_distributed<kernel::gecode::Kernel>(const kernel::Program&, const SolveOptions&,
                                                          SharedSearchState&);

}  // namespace zermelo::quantified
