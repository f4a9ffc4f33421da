#include "symmetry/automorphisms.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "symmetry/game_graph.hpp"

namespace zermelo::symmetry {

namespace {

using gdl::Network;
using Term = NormalForm::Term;

// Whether a permutation of signals maps the normal form onto itself; knows nothing of the graph.
class Check {
public:
    Check(const Network& network, const NormalForm& form, const Permutation& image)
        : network_(network), form_(form), image_(image) {}

    [[nodiscard]] bool holds() const {
        return keeps_negation() && keeps_inputs() && keeps_disjunctions() && keeps_outputs();
    }

private:
    [[nodiscard]] Signal map(Signal s) const { return {image_[s.code()] >> 1, (image_[s.code()] & 1) != 0}; }

    [[nodiscard]] bool keeps_negation() const {
        for (std::uint32_t node = 0; node < form_.nodes(); ++node) {
            if (image_[2 * node] >= 2 * form_.nodes() || (image_[2 * node] & 1) != 0) return false;
            if (image_[2 * node + 1] != image_[2 * node] + 1) return false;
        }
        return map(Network::always) == Network::always;
    }

    [[nodiscard]] bool keeps_inputs() const {
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) {
            const std::uint32_t to = map(Signal(1 + f, false)).node();
            if (to < 1 || to >= network_.first_move || network_.initial[to - 1] != network_.initial[f])
                return false;
        }
        for (const auto& role : network_.moves) {
            std::vector<std::uint32_t> nodes;
            std::vector<std::uint32_t> images;
            for (const auto& move : role) {
                nodes.push_back(move.node);
                images.push_back(map(Signal(move.node, false)).node());
            }
            std::sort(images.begin(), images.end());
            std::sort(nodes.begin(), nodes.end());
            if (nodes != images) return false;
        }
        return true;
    }

    [[nodiscard]] bool keeps_disjunctions() const {
        for (std::uint32_t i = 0; i < form_.ors.size(); ++i) {
            const std::uint32_t to = map(Signal(form_.first_or + i, false)).node();
            if (to < form_.first_or) return false;
            if (to == form_.first_or + i && !moves(form_.ors[i].terms)) continue;
            const NormalForm::Or& image = form_.ors[to - form_.first_or];
            if (image.kind != form_.ors[i].kind || image.answers != form_.ors[i].answers) return false;
            if (mapped(form_.ors[i].terms) != codes(image.terms)) return false;
        }
        return true;
    }

    [[nodiscard]] bool moves(const std::vector<Term>& terms) const {
        return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
            return std::any_of(term.begin(), term.end(),
                               [&](Signal s) { return image_[s.code()] != s.code(); });
        });
    }

    using Codes = std::vector<std::vector<std::uint32_t>>;

    [[nodiscard]] Codes mapped(const std::vector<Term>& terms) const {
        Codes result;
        for (const Term& term : terms) {
            auto& images = result.emplace_back();
            for (const Signal s : term) images.push_back(image_[s.code()]);
            std::sort(images.begin(), images.end());
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    [[nodiscard]] static Codes codes(const std::vector<Term>& terms) {
        Codes result;
        for (const Term& term : terms) {
            auto& own = result.emplace_back();
            for (const Signal s : term) own.push_back(s.code());
        }
        return result;
    }

    [[nodiscard]] bool keeps_outputs() const {
        for (std::uint32_t f = 0; f < form_.next.size(); ++f) {
            if (form_.next[map(Signal(1 + f, false)).node() - 1] != map(form_.next[f])) return false;
        }
        std::vector<std::uint32_t> move_at(network_.first_gate - network_.first_move);
        for (std::size_t role = 0; role < form_.legal.size(); ++role) {
            const auto& moves = network_.moves[role];
            for (std::uint32_t m = 0; m < moves.size(); ++m) move_at[moves[m].node - network_.first_move] = m;
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const std::uint32_t to = map(Signal(moves[m].node, false)).node();
                if (form_.legal[role][move_at[to - network_.first_move]] != map(form_.legal[role][m]))
                    return false;
            }
            if (!keeps_goals(role) || !keeps_percepts(role)) return false;
        }
        return map(form_.terminal) == form_.terminal;
    }

    [[nodiscard]] bool keeps_goals(std::size_t role) const {
        std::vector<std::pair<int, std::uint32_t>> own;
        std::vector<std::pair<int, std::uint32_t>> images;
        for (std::size_t g = 0; g < form_.goals[role].size(); ++g) {
            const int value = network_.goals[role][g].value;
            own.emplace_back(value, form_.goals[role][g].code());
            images.emplace_back(value, image_[form_.goals[role][g].code()]);
        }
        std::sort(own.begin(), own.end());
        std::sort(images.begin(), images.end());
        return own == images;
    }

    [[nodiscard]] bool keeps_percepts(std::size_t role) const {
        std::vector<std::uint32_t> own;
        std::vector<std::uint32_t> images;
        for (const Signal s : form_.sees[role]) {
            own.push_back(s.code());
            images.push_back(image_[s.code()]);
        }
        std::sort(own.begin(), own.end());
        std::sort(images.begin(), images.end());
        return own == images;
    }

    const Network& network_;
    const NormalForm& form_;
    const Permutation& image_;
};

// What a permutation of the graph does to the inputs of the network: by node, up to the first gate.
Permutation on_inputs(const Network& network, const Permutation& on_graph) {
    Permutation result(network.first_gate);
    for (std::uint32_t node = 0; node < network.first_gate; ++node) result[node] = on_graph[2 * node] >> 1;
    return result;
}

bool moves_fluents(const Network& network, const Permutation& image) {
    return !std::is_sorted(image.begin(), image.begin() + network.first_move);
}

// Of the images of the first so many.
Hash128 hash_of(const Permutation& permutation, std::size_t so_many) {
    Hasher hasher;
    for (std::size_t i = 0; i < so_many; ++i) hasher.add(permutation[i]);
    return hasher.value();
}

Permutation composed(const Permutation& first, const Permutation& then) {
    Permutation result(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) result[i] = then[first[i]];
    return result;
}

// A group that grows generator by generator, and refuses a generator that would make it too large. Elements
// are told apart by what they do to the first `points` of the inputs, which they map among themselves.
class Group {
public:
    Group(std::size_t inputs, std::size_t points, std::size_t most, const Limits& limits)
        : points_(points), most_(most), limits_(limits) {
        Permutation identity(inputs);
        std::iota(identity.begin(), identity.end(), Vertex{0});
        known_.insert(hash_of(identity, points_));
        elements_.push_back(std::move(identity));
    }

    // Every generator that is taken at least doubles the group, so there are few of them.
    void take(const Permutation& generator) {
        if (known_.contains(hash_of(generator, points_)) || 2 * elements_.size() > most_) return;
        generators_.push_back(generator);
        if (!close()) generators_.pop_back();
    }

    [[nodiscard]] const std::vector<Permutation>& elements() const {
        return elements_;
    }  // the identity first

private:
    static constexpr std::uint64_t most_work = 500'000'000;  // images computed, over all generators

    bool close() {
        std::vector<Permutation> elements{elements_.front()};
        std::unordered_set<Hash128, LowBitsHash> known{hash_of(elements_.front(), points_)};
        for (std::size_t i = 0; i < elements.size(); ++i) {
            for (const Permutation& generator : generators_) {
                work_ += generator.size();
                if (work_ > most_work || limits_.reached() != Stop::none) return false;
                Permutation product = composed(elements[i], generator);
                if (!known.insert(hash_of(product, points_)).second) continue;
                if (elements.size() == most_) return false;
                elements.push_back(std::move(product));
            }
        }
        elements_ = std::move(elements);
        known_ = std::move(known);
        return true;
    }

    std::size_t points_;
    std::size_t most_;
    const Limits& limits_;
    std::vector<Permutation> generators_;
    std::vector<Permutation> elements_;
    std::unordered_set<Hash128, LowBitsHash> known_;
    std::uint64_t work_ = 0;
};

Symmetry symmetry_of(const Network& network, const Permutation& image) {
    Symmetry result;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) result.fluent.push_back(image[1 + f] - 1);
    std::vector<gdl::MoveId> move_at(network.first_gate);
    for (const auto& role : network.moves) {
        for (gdl::MoveId m = 0; m < role.size(); ++m) move_at[role[m].node] = m;
        auto& moves = result.move.emplace_back();
        for (const auto& move : role) moves.push_back(move_at[image[move.node]]);
    }
    return result;
}

bool counts_few(const NormalForm& form) {
    const std::size_t many = NormalFormOptions{}.least_counted;
    return std::any_of(form.ors.begin(), form.ors.end(), [&](const NormalForm::Or& one) {
        return one.kind == NormalForm::Kind::count && one.terms.size() < many;
    });
}

// A constant fluent is the image of itself: that some of them can be exchanged says nothing about states.
void keep_constants(const Network& network, const NormalForm& form, Permutation& image) {
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        if (form.next[f].node() != 0 || (form.next[f] == Network::always) != network.initial[f]) continue;
        for (const Signal s : {Signal(1 + f, false), Signal(1 + f, true)}) image[s.code()] = s.code();
    }
}

bool is_identity(const Permutation& image) { return std::is_sorted(image.begin(), image.end()); }

// Small counts come about by chance where disjunctions are taken apart, and then hide symmetries; where the
// rules count few things, multiplying out hides them. Gates that are large products hide what those that are
// hardly multiplied out show, and the other way round. So all of it is tried: each finds symmetries only.
std::vector<Permutation> checked_generators(const Network& network, const Limits& limits) {
    constexpr std::size_t few = 3;
    constexpr std::size_t hardly = 16;
    std::vector<Permutation> checked;
    bool counts = true;
    const auto look = [&](const NormalFormOptions& options) {
        const auto found = game_graph(network, options, limits);
        if (!found) return;
        const auto& [form, graph] = *found;
        for (Permutation& generator : generators(graph, limits)) {
            keep_constants(network, form, generator);
            if (!Check(network, form, generator).holds()) continue;
            Permutation image = on_inputs(network, generator);
            if (!is_identity(image)) checked.push_back(std::move(image));
        }
        counts = counts_few(form);
    };
    look({.most_terms = hardly});
    look({.least_counted = few});
    if (counts) look({});
    return checked;
}

std::vector<Symmetry> symmetries_on(const Network& network, std::size_t points, std::size_t most,
                                    const Limits& limits) {
    std::vector<Permutation> checked = checked_generators(network, limits);
    // Where not all can be taken, those that tell states apart are worth more than those that exchange moves.
    std::stable_partition(checked.begin(), checked.end(),
                          [&](const Permutation& image) { return moves_fluents(network, image); });
    Group group(network.first_gate, points, most, limits);
    for (const Permutation& generator : checked) group.take(generator);
    if (limits.reached() != Stop::none) return {};
    std::vector<Symmetry> result;
    for (std::size_t i = 1; i < group.elements().size(); ++i) {
        result.push_back(symmetry_of(network, group.elements()[i]));
    }
    return result;
}

}  // namespace

std::vector<Symmetry> symmetries(const Network& network, std::size_t most, const Limits& limits) {
    return symmetries_on(network, network.first_gate, most, limits);
}

std::vector<Symmetry> state_symmetries(const Network& network, std::size_t most, const Limits& limits) {
    return symmetries_on(network, network.first_move, most, limits);
}

std::vector<Symmetry> generating_symmetries(const Network& network, const Limits& limits) {
    std::vector<Symmetry> result;
    for (const Permutation& generator : checked_generators(network, limits)) {
        Symmetry one = symmetry_of(network, generator);
        if (std::find(result.begin(), result.end(), one) == result.end()) result.push_back(std::move(one));
    }
    if (limits.reached() != Stop::none) return {};
    return result;
}

gdl::State image(const Symmetry& symmetry, const gdl::State& state) {
    gdl::State result(state.size(), 0);
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (std::uint64_t left = state[word]; left != 0; left &= left - 1) {
            const std::uint32_t to =
                symmetry.fluent[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
            result[to / 64] |= std::uint64_t{1} << (to % 64);
        }
    }
    return result;
}

}  // namespace zermelo::symmetry
