#include "quantified/guide/guide.hpp"

#include <algorithm>
#include <set>

namespace zermelo::quantified {

void consult(Guide& guide, std::span<const strategy::Move> play, model::VarId variable,
             std::vector<model::Value>& values) {
    std::vector<model::Value> advised = values;
    guide.advise(play, variable, advised);
    std::set<model::Value> left(values.begin(), values.end());
    const auto take = [&](model::Value value) { return left.erase(value) > 0; };
    std::erase_if(advised, [&](model::Value value) { return !take(value); });
    std::copy_if(values.begin(), values.end(), std::back_inserter(advised), take);
    values = std::move(advised);
}

}  // namespace zermelo::quantified
