// Any bytes as a game description; see gdl_any.hpp.

#include "gdl_any.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

void gdl(const std::string& text) { (void)gdl::run_any_description(text, gdl::Budget::small()); }

}  // namespace zermelo::fuzz
