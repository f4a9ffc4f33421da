// Unrolling, as in bounded model checking (Biere, Cimatti, Clarke and Zhu 1999): a game of alternating moves
// as one circuit over the moves that are made, step by step from one state.
//
// The network is copied once for each step, with the state of the step before in place of its fluents. All
// copies live in one hash-consed circuit with constant propagation, so what is the same whatever is played
// disappears: turns, step counters, the parts of the board that nobody has reached yet. What is said about
// the choice of one step is one node, a set of moves; sets are intersected where they meet.
//
// A step is a choice where one role may have several moves, and is forced where nobody has. Where several
// roles may have several moves, the game does not alternate as far as this can tell, and is refused unless
// the caller can do with it: chance beside a player, or a turn that depends on what was played.

#pragma once

#include <unordered_map>

#include "gdl/game.hpp"

namespace zermelo::encode {

// A hash-consed circuit of conjunctions over choices. Node 0 is the constant, as in a network.
class ChoiceCircuit {
public:
    using Options = std::vector<std::uint32_t>;  // indices of alternatives, ascending

    // A new choice among so many alternatives, at least two; choices are numbered from 0.
    std::size_t add_choice(std::size_t alternatives);
    [[nodiscard]] gdl::Signal chosen(std::size_t choice, Options among);     // that one of these is chosen
    [[nodiscard]] gdl::Signal conjunction(std::vector<gdl::Signal> inputs);  // simplified
    // From now on this gate is not flattened into conjunctions that it is an input of. Others are: how the
    // rules were grouped is forgotten, because it would hide symmetries.
    void keep(gdl::Signal s) { nodes_[s.node()].kept = true; }

    [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] bool is_gate(std::uint32_t node) const { return node > 0 && nodes_[node].choice == none; }
    [[nodiscard]] std::size_t choice_of(std::uint32_t node) const { return nodes_[node].choice; }
    [[nodiscard]] const Options& options_of(std::uint32_t node) const { return nodes_[node].options; }
    [[nodiscard]] const std::vector<gdl::Signal>& inputs_of(std::uint32_t gate) const {
        return nodes_[gate].inputs;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    struct Node {
        std::size_t choice = none;
        Options options = {};                  // of a choice
        std::vector<gdl::Signal> inputs = {};  // of a gate
        bool kept = false;
    };

    [[nodiscard]] bool is_choice(gdl::Signal s) const { return nodes_[s.node()].choice != none; }
    [[nodiscard]] Options options_with(gdl::Signal s) const;  // the alternatives for which the signal holds
    void flatten(std::vector<gdl::Signal>& inputs) const;
    [[nodiscard]] bool merge_choices(std::vector<gdl::Signal>& inputs);
    [[nodiscard]] bool normalise_inputs(std::vector<gdl::Signal>& inputs) const;
    [[nodiscard]] bool absorb_implied(std::vector<gdl::Signal>& inputs);
    class KnownInputs;
    template <class Same>
    [[nodiscard]] std::uint32_t intern(std::uint64_t hash, Node node, Same same);

    std::vector<std::size_t> alternatives_;  // by choice
    std::vector<Node> nodes_ = {Node{}};
    std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
};

struct Unrolling {
    struct Mover {
        std::size_t role;
        std::size_t choice;                // of the circuit
        std::vector<gdl::MoveId> options;  // its moves that may be legal
        std::vector<gdl::Signal> legal;    // by option
    };
    struct Step {
        gdl::Signal terminal;
        std::vector<gdl::Signal> state;               // by fluent
        std::vector<std::vector<gdl::Signal>> goals;  // by role, as in Network::goals
        std::vector<gdl::MoveId> joint;               // by role: its move, if it has no choice
        std::optional<std::size_t> mover;             // the role that has a choice; none at the last step
        std::size_t choice = 0;                       // of the circuit
        std::vector<gdl::MoveId> options;             // the mover's moves that may be legal
        std::vector<gdl::Signal> legal;               // by option
        std::vector<Mover> movers;                    // all roles that may have a choice
        std::vector<std::vector<gdl::Signal>> sees;   // by role, as in Network::sees; none at the last step
    };

    ChoiceCircuit circuit;
    std::vector<Step> steps;  // one more than moves; fewer than asked for where no play goes on
    bool ends = false;        // no play goes on after the last step
};

struct UnrollOptions {
    std::size_t horizon = 0;  // moves
    bool several = false;     // several roles may have a choice at one step; then `movers` has them all
    Limits limits = {};
    std::size_t most_nodes = 4'000'000;
};

// Throws Error where several roles may have a choice at one step, TooLarge where the circuit is,
// LimitReached.
[[nodiscard]] Unrolling unroll(const gdl::Game& game, const gdl::State& start, const UnrollOptions& options);

}  // namespace zermelo::encode
