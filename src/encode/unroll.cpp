#include "encode/unroll.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace zermelo::encode {

namespace {

using Options = ChoiceCircuit::Options;

constexpr std::size_t most_flattened_inputs = 16;

Options common(const Options& a, const Options& b) {
    Options result;
    std::ranges::set_intersection(a, b, std::back_inserter(result));
    return result;
}

Options others(const Options& options, std::size_t alternatives) {
    Options result;
    for (std::uint32_t i = 0; i < alternatives; ++i) {
        if (!std::ranges::binary_search(options, i)) result.push_back(i);
    }
    return result;
}

bool by_code(gdl::Signal a, gdl::Signal b) { return a.code() < b.code(); }

}  // namespace

// ------------------------------------------------------------------------------------------ the circuit

std::size_t ChoiceCircuit::add_choice(std::size_t alternatives) {
    alternatives_.push_back(alternatives);
    return alternatives_.size() - 1;
}

template <class Same>
std::uint32_t ChoiceCircuit::intern(std::uint64_t hash, Node node, Same same) {
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
        if (same(nodes_[at->second])) return at->second;
    }
    known_.emplace(hash, nodes());
    nodes_.push_back(std::move(node));
    return nodes() - 1;
}

// A set and the rest of the alternatives share a node: that of the smaller of the two. Halves have one each,
// since a symmetry may exchange them.
gdl::Signal ChoiceCircuit::chosen(std::size_t choice, Options among) {
    const std::size_t all = alternatives_[choice];
    if (among.empty()) return gdl::Network::never;
    if (among.size() == all) return gdl::Network::always;
    const bool negated = 2 * among.size() > all;
    if (negated) among = others(among, all);
    Hasher hasher;
    hasher.add(choice);
    for (const std::uint32_t option : among) hasher.add(option);
    const auto same = [&](const Node& node) { return node.choice == choice && node.options == among; };
    return {intern(hasher.value().high, {choice, among}, same), negated};
}

Options ChoiceCircuit::options_with(gdl::Signal s) const {
    const Node& node = nodes_[s.node()];
    return s.negated() ? others(node.options, alternatives_[node.choice]) : node.options;
}

gdl::Signal ChoiceCircuit::conjunction(std::vector<gdl::Signal> inputs) {
    flatten(inputs);
    if (!merge_choices(inputs) || !normalise_inputs(inputs) || !absorb_implied(inputs))
        return gdl::Network::never;
    if (inputs.empty()) return gdl::Network::always;
    if (inputs.size() == 1) return inputs.front();
    Hasher hasher;
    for (const gdl::Signal s : inputs) hasher.add(s.code());
    const auto same = [&](const Node& node) { return node.inputs == inputs; };
    return {intern(hasher.value().low, {none, {}, inputs}, same), false};
}

// Conjunctions among the inputs are replaced by their own inputs, as long as these are few.
void ChoiceCircuit::flatten(std::vector<gdl::Signal>& inputs) const {
    for (std::size_t i = 0; i < inputs.size();) {
        const gdl::Signal s = inputs[i];
        const auto& parts = nodes_[s.node()].inputs;
        const bool taken = is_gate(s.node()) && !s.negated() && !nodes_[s.node()].kept &&
                           inputs.size() + parts.size() <= most_flattened_inputs;
        if (!taken) {
            ++i;
            continue;
        }
        inputs[i] = parts.front();
        inputs.insert(inputs.end(), parts.begin() + 1, parts.end());
    }
}

// All that is said about a choice becomes one input; false where nothing can be chosen any more.
bool ChoiceCircuit::merge_choices(std::vector<gdl::Signal>& inputs) {
    std::map<std::size_t, Options> left;
    std::erase_if(inputs, [&](gdl::Signal s) {
        if (!is_choice(s)) return false;
        const Options options = options_with(s);
        const auto [at, added] = left.try_emplace(nodes_[s.node()].choice, options);
        if (!added) at->second = common(at->second, options);
        return true;
    });
    for (auto& [choice, options] : left) {
        const gdl::Signal s = chosen(choice, std::move(options));
        if (s == gdl::Network::never) return false;
        inputs.push_back(s);
    }
    return true;
}

// Each input once and no constants; false where one is never true, or two contradict each other.
bool ChoiceCircuit::normalise_inputs(std::vector<gdl::Signal>& inputs) const {
    std::sort(inputs.begin(), inputs.end(), by_code);
    std::size_t kept = 0;
    for (const gdl::Signal s : inputs) {
        if (s == gdl::Network::always || (kept > 0 && inputs[kept - 1] == s)) continue;
        if (s == gdl::Network::never || (kept > 0 && inputs[kept - 1] == !s)) return false;
        inputs[kept++] = s;
    }
    inputs.resize(kept);
    return true;
}

// What sorted inputs say about another signal.
enum class Relation : std::uint8_t { implied, excluded, open };

class ChoiceCircuit::KnownInputs {
public:
    KnownInputs(const ChoiceCircuit& circuit, std::vector<gdl::Signal> inputs)
        : circuit_(circuit), inputs_(std::move(inputs)) {
        for (const gdl::Signal s : inputs_) {
            if (circuit_.is_choice(s)) options_[circuit_.choice_of(s.node())] = circuit_.options_with(s);
        }
    }

    [[nodiscard]] Relation about(gdl::Signal s) const {
        if (!circuit_.is_choice(s))
            return contains(s) ? Relation::implied : contains(!s) ? Relation::excluded : Relation::open;
        const auto found = options_.find(circuit_.choice_of(s.node()));
        if (found == options_.end()) return Relation::open;
        const std::size_t shared = common(found->second, circuit_.options_with(s)).size();
        if (shared == 0) return Relation::excluded;
        return shared == found->second.size() ? Relation::implied : Relation::open;
    }

private:
    [[nodiscard]] bool contains(gdl::Signal s) const {
        return std::binary_search(inputs_.begin(), inputs_.end(), s, by_code);
    }

    const ChoiceCircuit& circuit_;
    std::vector<gdl::Signal> inputs_;
    std::map<std::size_t, Options> options_;  // by choice
};

// Compares the inputs with those of the gates among them. What such a gate says anyway is dropped, so is a
// disjunction that another input satisfies, and a disjunction with one open part is this part. Each input is
// compared with smaller ones only, so that no two of them justify each other.
bool ChoiceCircuit::absorb_implied(std::vector<gdl::Signal>& inputs) {
    const KnownInputs known(*this, inputs);
    std::vector<gdl::Signal> said;
    bool changed = false;
    for (gdl::Signal& s : inputs) {
        if (!is_gate(s.node())) continue;
        std::vector<gdl::Signal> open;
        bool excluded = false;
        for (const gdl::Signal part : nodes_[s.node()].inputs) {
            const Relation relation = known.about(part);
            excluded = excluded || relation == Relation::excluded;
            if (relation == Relation::open) open.push_back(part);
            if (!s.negated()) said.push_back(part);
        }
        if (s.negated() ? open.empty() && !excluded : excluded) return false;
        if (!s.negated() || (!excluded && open.size() > 1)) continue;
        s = excluded ? gdl::Network::always : !open.front();
        changed = true;
    }
    std::sort(said.begin(), said.end(), by_code);
    std::erase_if(inputs,
                  [&](gdl::Signal s) { return std::binary_search(said.begin(), said.end(), s, by_code); });
    return !changed || (merge_choices(inputs) && normalise_inputs(inputs) && absorb_implied(inputs));
}

// ------------------------------------------------------------------------------------------ the steps

namespace {

class Unroller {
public:
    Unroller(const gdl::Game& game, const UnrollOptions& options)
        : game_(game), network_(game.machine().network()), options_(options), image_(network_.nodes) {
        image_[0] = gdl::Network::always;
    }

    Unrolling run(const gdl::State& start) {
        std::vector<gdl::Signal> state;
        for (std::size_t f = 0; f < network_.fluents.size(); ++f)
            state.push_back((start[f / 64] >> (f % 64) & 1) != 0 ? gdl::Network::always
                                                                 : gdl::Network::never);
        while (true) {
            add_step(std::move(state));
            const auto possible = possible_moves();
            result_.ends = result_.steps.back().terminal == gdl::Network::always ||
                           std::ranges::any_of(possible, [](const auto& moves) { return moves.empty(); });
            if (result_.ends || result_.steps.size() > options_.horizon) break;
            find_mover(possible);
            make_moves();
            copy(network_.early_stretches, network_.stretches.size());
            for (const auto& percepts : network_.sees) {
                auto& own = result_.steps.back().sees.emplace_back();
                for (const auto& percept : percepts) own.push_back(of(percept.seen));
            }
            state.clear();
            for (const gdl::Signal s : network_.next) state.push_back(of(s));
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] gdl::Signal of(gdl::Signal s) const {
        return s.negated() ? !image_[s.node()] : image_[s.node()];
    }

    void add_step(std::vector<gdl::Signal> state) {
        for (const gdl::Signal s : state) result_.circuit.keep(s);
        std::ranges::copy(state, image_.begin() + 1);
        std::fill(image_.begin() + network_.first_move, image_.begin() + network_.first_gate,
                  gdl::Network::never);
        copy(0, network_.early_stretches);
        Unrolling::Step& step = result_.steps.emplace_back();
        step.state = std::move(state);
        step.terminal = of(network_.terminal);
        for (const auto& goals : network_.goals) {
            auto& own = step.goals.emplace_back();
            for (const auto& goal : goals) own.push_back(of(goal.holds));
        }
    }

    [[nodiscard]] std::vector<std::vector<gdl::MoveId>> possible_moves() const {
        std::vector<std::vector<gdl::MoveId>> possible(network_.roles.size());
        for (std::size_t r = 0; r < possible.size(); ++r) {
            for (gdl::MoveId m = 0; m < network_.moves[r].size(); ++m) {
                if (of(network_.moves[r][m].legal) != gdl::Network::never) possible[r].push_back(m);
            }
        }
        return possible;
    }

    void find_mover(const std::vector<std::vector<gdl::MoveId>>& possible) {
        Unrolling::Step& step = result_.steps.back();
        for (std::size_t r = 0; r < possible.size(); ++r) {
            step.joint.push_back(possible[r].front());
            if (possible[r].size() == 1) continue;
            step.movers.push_back({r, 0, possible[r], {}});
            if (step.mover && options_.several) continue;
            if (step.mover) {
                throw Error(place(),
                            fmt::format("{} and {} may both have a choice at step {}", role(*step.mover),
                                        role(r), result_.steps.size()),
                            "only games in which the step number determines the player to move can be turned "
                            "into models; use another engine");
            }
            step.mover = r;
            step.options = possible[r];
        }
    }

    void make_moves() {
        Unrolling::Step& step = result_.steps.back();
        for (std::size_t r = 0; r < step.joint.size(); ++r) {
            if (std::ranges::find(step.movers, r, &Unrolling::Mover::role) == step.movers.end())
                image_[network_.moves[r][step.joint[r]].node] = gdl::Network::always;
        }
        if (!step.mover) return;
        for (Unrolling::Mover& mover : step.movers) {
            const auto& moves = network_.moves[mover.role];
            mover.choice = result_.circuit.add_choice(mover.options.size());
            for (std::uint32_t i = 0; i < mover.options.size(); ++i) {
                mover.legal.push_back(of(moves[mover.options[i]].legal));
                image_[moves[mover.options[i]].node] = result_.circuit.chosen(mover.choice, {i});
            }
        }
        step.choice = step.movers.front().choice;
        step.legal = step.movers.front().legal;
    }

    void copy(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            check_limits();
            const auto& stretch = network_.stretches[i];
            if (stretch.loop) {
                copy_loop(stretch);
            } else {
                for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
                    image_[gate] = conjunction(gate);
            }
        }
    }

    // After as many rounds as the loop has atoms its least fixpoint is reached, whatever the inputs are; one
    // more brings the rules up to date.
    void copy_loop(const gdl::Network::Stretch& loop) {
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) image_[gate] = gdl::Network::always;
        bool changed = true;
        for (std::uint32_t round = loop.first; round <= loop.rules && changed; ++round) {
            check_limits();
            changed = false;
            for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) image_[gate] = conjunction(gate);
            for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
                const gdl::Signal now = conjunction(gate);
                changed = changed || now != image_[gate];
                image_[gate] = now;
            }
        }
    }

    gdl::Signal conjunction(std::uint32_t gate) {
        std::vector<gdl::Signal> inputs;
        for (const gdl::Signal s : network_.inputs_of(gate)) inputs.push_back(of(s));
        return result_.circuit.conjunction(std::move(inputs));
    }

    void check_limits() const {
        if (const Stop stop = options_.limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while unrolling the game", "give a smaller " + setting("horizon"));
        if (result_.circuit.nodes() <= options_.most_nodes) return;
        throw gdl::TooLarge(place(),
                            fmt::format("{} steps of this game need more than {} gates", result_.steps.size(),
                                        options_.most_nodes),
                            "give a smaller " + setting("horizon") + ", or use another engine");
    }

    [[nodiscard]] Place place() const { return {game_.description().file}; }
    [[nodiscard]] std::string role(std::size_t r) const { return game_.text(network_.roles[r]); }

    const gdl::Game& game_;
    const gdl::Network& network_;
    const UnrollOptions& options_;
    std::vector<gdl::Signal> image_;  // by node of the network, at the current step
    Unrolling result_;
};

}  // namespace

Unrolling unroll(const gdl::Game& game, const gdl::State& start, const UnrollOptions& options) {
    return Unroller(game, options).run(start);
}

}  // namespace zermelo::encode
