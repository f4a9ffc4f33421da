#include "stochastic/search/front.hpp"

#include <algorithm>

namespace zermelo::stochastic {

bool at_least(const Rationals& utilities, const Rationals& others) {
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        if (utilities[p] < others[p]) return false;
    }
    return true;
}

bool below(const Rationals& utilities, const Floor& floor) {
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        if (floor[p] && utilities[p] < *floor[p]) return true;
    }
    return false;
}

void Front::add(Point point) {
    if (covers(point.utilities)) return;
    std::erase_if(points_, [&](const Point& old) { return at_least(point.utilities, old.utilities); });
    points_.push_back(std::move(point));
}

bool Front::covers(const Rationals& utilities) const {
    return std::any_of(points_.begin(), points_.end(),
                       [&](const Point& point) { return at_least(point.utilities, utilities); });
}

const Point* Front::enough(const Window& window) const {
    if (!window.high) return nullptr;
    const auto found = std::find_if(points_.begin(), points_.end(), [&](const Point& point) {
        return !below(point.utilities, *window.high);
    });
    return found == points_.end() ? nullptr : &*found;
}

Window narrowed(const Window& window, const Front& found) {
    Window result = window;
    if (window.low.size() == 1 && !found.empty()) {
        const Rational& best = found.points().front().utilities.front();
        if (!result.low.front() || *result.low.front() < best) result.low.front() = best;
    }
    return result;
}

Mixture::Mixture(const Window& window, std::vector<Branch> branches)
    : window_(window), branches_(std::move(branches)), rest_(branches_.size()) {
    const Rationals nothing(window.low.size(), 0);
    Bounds later{nothing, nothing};
    for (std::size_t i = branches_.size(); i-- > 0;) {
        rest_[i] = later;
        for (std::size_t p = 0; p < nothing.size(); ++p) {
            later.least[p] += branches_[i].probability * branches_[i].bounds.least[p];
            later.most[p] += branches_[i].probability * branches_[i].bounds.most[p];
        }
    }
    partials_.push_back({nothing, {}});
}

bool Mixture::hopeless() const {
    Rationals most = rest_.front().most;
    for (std::size_t p = 0; p < most.size(); ++p)
        most[p] += branches_.front().probability * branches_.front().bounds.most[p];
    return below(most, window_.low);
}

// low: what this branch has to give when all later ones give the most. high: what is enough when they give
// the least; that can be said only where there is one way so far.
Window Mixture::window_of(std::size_t branch) const {
    Window result;
    const Rational& probability = branches_[branch].probability;
    for (std::size_t p = 0; p < window_.low.size(); ++p) {
        Rational most = partials_.front().sum[p];
        for (const Partial& partial : partials_) most = std::max(most, partial.sum[p]);
        std::optional<Rational> low;
        if (window_.low[p]) low = (*window_.low[p] - most - rest_[branch].most[p]) / probability;
        result.low.push_back(std::move(low));
    }
    if (!window_.high || partials_.size() != 1) return result;
    result.high.emplace();
    for (std::size_t p = 0; p < window_.low.size(); ++p) {
        std::optional<Rational> high;
        if ((*window_.high)[p])
            high = (*(*window_.high)[p] - partials_.front().sum[p] - rest_[branch].least[p]) / probability;
        result.high->push_back(std::move(high));
    }
    return result;
}

bool Mixture::add(std::size_t branch, const Front& front) {
    const auto& [value, probability, bounds] = branches_[branch];
    std::vector<Partial> grown;
    for (const Partial& partial : partials_) {
        for (const Point& point : front.points()) {
            Partial next = partial;
            Rationals most = rest_[branch].most;
            for (std::size_t p = 0; p < next.sum.size(); ++p) {
                next.sum[p] += probability * point.utilities[p];
                most[p] += next.sum[p];
            }
            if (below(most, window_.low)) continue;
            const bool beaten = std::any_of(grown.begin(), grown.end(), [&](const Partial& other) {
                return at_least(other.sum, next.sum);
            });
            if (beaten) continue;
            std::erase_if(grown, [&](const Partial& other) { return at_least(next.sum, other.sum); });
            next.edges.push_back({{value}, probability, point.node});
            grown.push_back(std::move(next));
        }
    }
    partials_ = std::move(grown);
    return !partials_.empty();
}

Front Mixture::result(model::VarId variable, PolicyBuilder& policies) const {
    Front front;
    for (const Partial& partial : partials_) front.add({partial.sum, policies.node(variable, partial.edges)});
    return front;
}

}  // namespace zermelo::stochastic
