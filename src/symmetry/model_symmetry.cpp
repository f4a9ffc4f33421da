#include "symmetry/model_symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/hash.hpp"
#include "symmetry/coloured_graph.hpp"
#include "symmetry/model_shape.hpp"

namespace zermelo::symmetry {

namespace {

constexpr std::size_t most_vertices = 400'000;
constexpr std::size_t most_edges = 4'000'000;

// The parts of a model that a symmetry permutes, numbered: the variables, then the values that may be
// exchanged, then the constraints.
class Parts {
public:
    Parts(const model::Model& model, const model::Structure& structure, const std::vector<bool>& exchangeable)
        : variables_(model.variables.size()), constraints_(model.constraints.size()) {
        first_value_.push_back(variables_);
        for (std::size_t v = 0; v < variables_; ++v) {
            if (exchangeable[v]) {
                structure.domain[v].each([&](model::Value value) {
                    values_.push_back({static_cast<model::VarId>(v), Operand::Kind::value, value});
                });
            }
            first_value_.push_back(variables_ + values_.size());
        }
    }

    [[nodiscard]] std::size_t variables() const { return variables_; }
    [[nodiscard]] std::size_t constraints() const { return constraints_; }
    [[nodiscard]] std::size_t first_constraint() const { return variables_ + values_.size(); }
    [[nodiscard]] std::size_t count() const { return first_constraint() + constraints_; }

    [[nodiscard]] bool exchangeable(model::VarId v) const { return begin(v) != end(v); }
    [[nodiscard]] std::size_t begin(model::VarId v) const { return first_value_[v]; }  // of its values
    [[nodiscard]] std::size_t end(model::VarId v) const { return first_value_[v + 1]; }
    [[nodiscard]] const Operand& value(std::size_t part) const { return values_[part - variables_]; }

    // The value `value` of `v`, which is exchangeable and has it.
    [[nodiscard]] std::size_t value(model::VarId v, model::Value value) const {
        const auto first = values_.begin() + static_cast<std::ptrdiff_t>(begin(v) - variables_);
        const auto last = values_.begin() + static_cast<std::ptrdiff_t>(end(v) - variables_);
        const auto found = std::lower_bound(
            first, last, value, [](const Operand& o, model::Value wanted) { return o.value < wanted; });
        return variables_ + static_cast<std::size_t>(found - values_.begin());
    }

private:
    std::size_t variables_;
    std::size_t constraints_;
    std::vector<Operand> values_;
    std::vector<std::size_t> first_value_;  // by variable, and one more
};

// Which block and which kind of variable it is, and its values where they stay.
Label kind_of(const model::Structure& structure, const Parts& parts, const std::vector<bool>& is_state,
              model::VarId v) {
    Label kind{structure.block_of[v], structure.level[v], is_state[v] ? 1 : 0, parts.exchangeable(v) ? 1 : 0};
    if (parts.exchangeable(v)) {
        kind.push_back(static_cast<model::Value>(structure.domain[v].size()));
    } else {
        for (const auto& [low, high] : structure.domain[v].ranges()) kind.insert(kind.end(), {low, high});
    }
    return kind;
}

std::vector<Label> kinds(const model::Structure& structure, const Parts& parts) {
    std::vector<bool> is_state(parts.variables(), false);
    for (const model::VarId v : structure.state) is_state[v] = true;
    std::vector<Label> result;
    for (std::size_t v = 0; v < parts.variables(); ++v)
        result.push_back(kind_of(structure, parts, is_state, static_cast<model::VarId>(v)));
    return result;
}

// Parts that nothing tells apart are numbered, so that nobody exchanges them: values of a variable that
// occur in the same groups lead to the same position, and a variable that occurs nowhere leads nowhere. By
// variable and exchangeable value.
std::vector<model::Value> numbers_among_equals(const Parts& parts, const std::vector<Shape>& shapes) {
    std::vector<std::vector<std::size_t>> occurs(parts.first_constraint());
    std::size_t number = 0;
    for (const Shape& shape : shapes) {
        for (const Group& group : shape.groups) {
            ++number;
            for (const Operand& operand : group.operands) {
                occurs[operand.variable].push_back(number);
                if (operand.kind == Operand::Kind::value && parts.exchangeable(operand.variable))
                    occurs[parts.value(operand.variable, operand.value)].push_back(number);
            }
        }
    }
    std::vector<model::Value> result;
    for (std::size_t v = 0; v < parts.variables(); ++v)
        result.push_back(occurs[v].empty() ? static_cast<model::Value>(v) + 1 : 0);
    for (std::size_t v = 0; v < parts.variables(); ++v) {
        std::map<std::vector<std::size_t>, model::Value> equals;
        for (std::size_t i = parts.begin(static_cast<model::VarId>(v));
             i < parts.end(static_cast<model::VarId>(v)); ++i)
            result.push_back(equals[occurs[i]]++);
    }
    return result;
}

// The first vertices are the variables and the values that may be exchanged, each value joined to its
// variable. A shape is joined to its groups, and a group to its operands; a negation and a value that stays
// have a vertex beside the variable that they belong to.
class ModelGraph {
public:
    ModelGraph(const Parts& parts, const std::vector<Label>& variable_kinds,
               const std::vector<model::Value>& numbers)
        : parts_(parts) {
        for (std::size_t v = 0; v < parts.variables(); ++v) {
            Label kind = variable_kinds[v];
            kind.push_back(numbers[v]);
            graph_.add(colour(variable, std::move(kind)));
        }
        for (std::size_t i = parts.variables(); i < parts.first_constraint(); ++i)
            join(graph_.add(colour(value, {numbers[i]})), static_cast<Vertex>(parts.value(i).variable));
    }

    // False when the graph has become too large.
    bool add(const Shape& shape) {
        const Vertex whole = graph_.add(colour(constraint, shape.label));
        for (const Group& each : shape.groups) {
            const Vertex part = graph_.add(colour(group, each.label));
            join(whole, part);
            for (const Operand& operand : each.operands) join(part, vertex(operand));
        }
        return graph_.colour.size() <= most_vertices && graph_.edges.size() <= most_edges;
    }

    [[nodiscard]] const ColouredGraph& graph() const { return graph_; }

private:
    enum Kind : model::Value { variable, value, fixed_value, negation, constraint, group };

    std::uint64_t colour(Kind kind, Label label) {
        label.push_back(kind);
        return colours_.try_emplace(std::move(label), colours_.size()).first->second;
    }
    void join(Vertex a, Vertex b) { graph_.edges.emplace_back(a, b); }

    Vertex vertex(const Operand& operand) {
        if (operand.kind == Operand::Kind::variable) return static_cast<Vertex>(operand.variable);
        if (operand.kind == Operand::Kind::value && parts_.exchangeable(operand.variable))
            return static_cast<Vertex>(parts_.value(operand.variable, operand.value));
        const auto [found, added] = others_.try_emplace(operand, 0);
        if (added) {
            found->second = operand.kind == Operand::Kind::negation
                                ? graph_.add(colour(negation, {}))
                                : graph_.add(colour(fixed_value, {operand.value}));
            join(found->second, static_cast<Vertex>(operand.variable));
        }
        return found->second;
    }

    const Parts& parts_;
    ColouredGraph graph_;
    std::map<Label, std::uint64_t> colours_;
    std::map<Operand, Vertex> others_;
};

// Finds out whether a permutation of variables and values maps the model onto itself; knows nothing of the
// graph.
class Check {
public:
    Check(const Parts& parts, const std::vector<Label>& variable_kinds, const std::vector<Shape>& shapes)
        : parts_(parts), kinds_(variable_kinds), shapes_(shapes) {
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            auto& alike = known_[&shapes[s]];
            rank_.push_back(alike.size());
            alike.push_back(s);
        }
    }

    // The permutation of all parts, constraints included; none if it is not a symmetry. Constraints that say
    // the same keep their order.
    [[nodiscard]] std::optional<Permutation> completed(const Permutation& on_graph) const {
        Permutation image(on_graph.begin(),
                          on_graph.begin() + static_cast<std::ptrdiff_t>(parts_.first_constraint()));
        if (!keeps_kinds(image)) return std::nullopt;
        for (std::size_t s = 0; s < shapes_.size(); ++s) {
            const Shape mapped = renamed(shapes_[s], image);
            const auto found = known_.find(&mapped);
            if (found == known_.end()) return std::nullopt;
            if (found->second.size() != known_.find(&shapes_[s])->second.size()) return std::nullopt;
            const std::size_t to = found->second[rank_[s]];
            if (s < parts_.constraints())
                image.push_back(static_cast<Vertex>(parts_.first_constraint() + to));
        }
        return image;
    }

private:
    struct ByContent {
        bool operator()(const Shape* a, const Shape* b) const { return *a < *b; }
    };

    [[nodiscard]] bool keeps_kinds(const Permutation& image) const {
        std::vector<bool> met(parts_.first_constraint(), false);
        for (const Vertex to : image) {
            if (to >= met.size() || met[to]) return false;
            met[to] = true;
        }
        for (std::size_t v = 0; v < parts_.variables(); ++v) {
            if (image[v] >= parts_.variables() || kinds_[image[v]] != kinds_[v]) return false;
        }
        for (std::size_t i = parts_.variables(); i < parts_.first_constraint(); ++i) {
            if (image[i] < parts_.variables()) return false;
            if (static_cast<Vertex>(parts_.value(image[i]).variable) != image[parts_.value(i).variable])
                return false;
        }
        return true;
    }

    [[nodiscard]] Operand renamed(const Operand& operand, const Permutation& image) const {
        if (operand.kind == Operand::Kind::value && parts_.exchangeable(operand.variable))
            return parts_.value(image[parts_.value(operand.variable, operand.value)]);
        return {static_cast<model::VarId>(image[operand.variable]), operand.kind, operand.value};
    }
    [[nodiscard]] Shape renamed(Shape shape, const Permutation& image) const {
        for (Group& group : shape.groups) {
            for (Operand& operand : group.operands) operand = renamed(operand, image);
        }
        shape.sort();
        return shape;
    }

    const Parts& parts_;
    const std::vector<Label>& kinds_;
    const std::vector<Shape>& shapes_;
    std::map<const Shape*, std::vector<std::size_t>, ByContent> known_;
    std::vector<std::size_t> rank_;  // by shape: how many that say the same stand before it
};

// What tells symmetries apart: the variables that somebody chooses, and their values.
std::vector<Vertex> points(const model::Structure& structure, const Parts& parts) {
    std::vector<Vertex> result;
    const auto add = [&](model::VarId v) {
        result.push_back(static_cast<Vertex>(v));
        for (std::size_t i = parts.begin(v); i < parts.end(v); ++i) result.push_back(static_cast<Vertex>(i));
    };
    for (const model::Block& block : structure.prefix) {
        for (const model::VarId v : block.variables) add(v);
    }
    for (const model::VarId v : structure.state) add(v);
    return result;
}

Permutation composed(const Permutation& first, const Permutation& then) {
    Permutation result(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) result[i] = then[first[i]];
    return result;
}

// The products of generators, shortest first; of those that agree on all points only the first.
std::vector<Permutation> products(const std::vector<Permutation>& generators,
                                  const std::vector<Vertex>& points, std::size_t parts, std::size_t most,
                                  const Limits& limits) {
    const auto on_points = [&](const Permutation& image) {
        Hasher hasher;
        for (const Vertex p : points) hasher.add(image[p]);
        return hasher.value();
    };
    Permutation identity(parts);
    std::iota(identity.begin(), identity.end(), Vertex{0});
    std::unordered_set<Hash128, LowBitsHash> known{on_points(identity)};
    std::vector<Permutation> elements{std::move(identity)};
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const Permutation& generator : generators) {
            if (elements.size() > most) return elements;
            if (limits.reached() != Stop::none) return {};
            Permutation product = composed(elements[i], generator);
            if (known.insert(on_points(product)).second) elements.push_back(std::move(product));
        }
    }
    return elements;
}

ModelSymmetry symmetry_of(const Parts& parts, const Permutation& image) {
    ModelSymmetry result;
    for (std::size_t v = 0; v < parts.variables(); ++v)
        result.variable.push_back(static_cast<model::VarId>(image[v]));
    for (std::size_t c = 0; c < parts.constraints(); ++c)
        result.constraint.push_back(
            static_cast<int>(image[parts.first_constraint() + c] - parts.first_constraint()));
    for (std::size_t v = 0; v < parts.variables(); ++v) {
        std::map<model::Value, model::Value> values;
        bool changed = false;
        for (std::size_t i = parts.begin(static_cast<model::VarId>(v));
             i < parts.end(static_cast<model::VarId>(v)); ++i) {
            const model::Value to = parts.value(image[i]).value;
            changed = changed || to != parts.value(i).value;
            values.emplace(parts.value(i).value, to);
        }
        if (changed) result.values.emplace(static_cast<model::VarId>(v), std::move(values));
    }
    return result;
}

}  // namespace

std::vector<ModelSymmetry> symmetries(const model::Model& model, const model::Structure& structure,
                                      std::size_t most, const Limits& limits, Exchange exchange) {
    const Shapes shapes = shapes_of(model, structure, exchange);
    const Parts parts(model, structure, shapes.exchangeable);
    const std::vector<Label> variable_kinds = kinds(structure, parts);
    ModelGraph graph(parts, variable_kinds, numbers_among_equals(parts, shapes.all));
    for (const Shape& shape : shapes.all) {
        if (!graph.add(shape)) return {};
    }
    const Check check(parts, variable_kinds, shapes.all);
    std::vector<Permutation> checked;
    for (const Permutation& generator : generators(graph.graph(), limits)) {
        if (auto image = check.completed(generator)) checked.push_back(std::move(*image));
    }
    // Where not all can be taken, a symmetry that moves much is worth more than one that exchanges two
    // values.
    const std::vector<Vertex> chosen = points(structure, parts);
    const auto moved = [&](const Permutation& image) {
        return std::count_if(chosen.begin(), chosen.end(), [&](Vertex p) { return image[p] != p; });
    };
    std::stable_sort(checked.begin(), checked.end(),
                     [&](const Permutation& a, const Permutation& b) { return moved(a) > moved(b); });
    std::vector<ModelSymmetry> result;
    for (const Permutation& image : products(checked, chosen, parts.count(), most, limits))
        result.push_back(symmetry_of(parts, image));
    if (!result.empty()) result.erase(result.begin());  // the identity
    return result;
}

}  // namespace zermelo::symmetry
