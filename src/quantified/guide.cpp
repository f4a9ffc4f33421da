#include "quantified/guide.hpp"

#include <algorithm>
#include <set>

namespace zermelo {

void consult(Guide& guide, std::span<const Move> play, VarId variable, std::vector<Value>& values) {
    std::vector<Value> advised = values;
    guide.advise(play, variable, advised);
    std::set<Value> left(values.begin(), values.end());
    const auto take = [&](Value value) { return left.erase(value) > 0; };
    std::erase_if(advised, [&](Value value) { return !take(value); });
    std::copy_if(values.begin(), values.end(), std::back_inserter(advised), take);
    values = std::move(advised);
}

}  // namespace zermelo
