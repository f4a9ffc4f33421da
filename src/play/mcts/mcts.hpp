// Monte Carlo tree search: UCT (Kocsis and Szepesvári 2006) and GRAVE (Cazenave 2015) in games where all
// moves are seen, for any number of roles.
//
// A node is a state, so that transpositions share it. It has a bandit for every role that has a choice: roles
// that choose at the same time choose independently (decoupled UCT), chance draws. A descent goes down to a
// state that is not in the tree yet; playouts from there estimate its value for each role, and every node on
// the path is updated. UCT (Sturtevant 2008 for more than two players) takes the arm with the highest upper
// confidence bound. GRAVE mixes the mean of an arm with the mean of all playouts that contain the move
// anywhere, counted at the closest node above that has been visited often enough.
//
// Proven bounds are kept beside the estimates: bounds of the value for each role, exact at the ends of the
// game and backed up (score-bounded MCTS, Cazenave and Saffidine 2010). Arms that cannot be better than what
// another one is sure of are not tried, and a subtree whose value is known is never sampled again. At chance
// nodes bounds are averaged. They say what a role can force against all others. Where two opponents move at the same
// time, that is at least what the best move gets against every answer (Saffidine, Finnsson and Buro 2012).
//
// Several threads share the tree: descents and backups under one lock, everything else outside, and an arm
// that is being tried counts as lost until its value is there (virtual loss, Chaslot, Winands and van den
// Herik 2008). When memory is used up, nodes that the last two searches did not visit are evicted; an edge
// knows by a generation number whether its node is still the same.
//
// Where there is a network (learn/judgement.hpp), its policy guides the descents (PUCT: Rosin 2011; Silver et al. 2017),
// and its values take the place of playouts, or are mixed with theirs. All else stays.
//
// Thrift: most leaves are visited once, and statistics about moves are large where there are thousands of moves. A thrifty
// tree that has used up half of its memory keeps a leaf only when it is visited for the second time (Coulom 2006), unless the
// game is over there; and a node keeps statistics from so many visits on as these are worth their memory.
//
// Where symmetries are used, nodes hold canonical states (symmetry/canonical.hpp): a descent then plays a
// symmetric game, and statistics about moves are mapped back on the way up.

#pragma once

#include <memory>
#include <mutex>

#include "play/mcts/bandit.hpp"
#include "play/mcts/playouts.hpp"

namespace zermelo::play {

class Mcts {
public:
    Mcts(const GameContext& rules, const MctsOptions& options);
    ~Mcts();

    // Playouts and moves of new nodes come from this machine from now on (Playouts::use).
    void use(const gdl::Machine& machine);

    void set_root_noise(double share) { options_.root_noise = share; }

    // Searches from the state, which is not terminal, for a role. Returns playouts made.
    std::uint64_t search(const State& root, std::size_t role, const TimeBudget& allowance);
    // Goes on in the same tree, from the state where the role has made this move and the others have not: their choices
    // are open. Returns playouts made, 0 where all is proven. It leaves a part of the memory to the next search.
    std::uint64_t ponder(const State& root, std::size_t role, MoveId made, const TimeBudget& allowance);
    // The same from the state where nobody has made a move yet.
    std::uint64_t ponder(const State& root, std::size_t role, const TimeBudget& allowance);

    // How often the moves of each seat that has a choice at the root were tried in all searches so far.
    struct RootChoice {
        std::size_t role;
        std::vector<MoveId> moves;
        std::vector<std::uint32_t> visits;
        double mean = 0;  // of all tries, 0 … 1
    };
    [[nodiscard]] std::vector<RootChoice> root_choices() const;

    // About the root of the last search, not when it has pondered since. Best first.
    [[nodiscard]] std::vector<Estimate> estimates() const;
    [[nodiscard]] std::vector<JointMove> line() const;
    [[nodiscard]] double bias() const { return transfer_.bias(); }
    [[nodiscard]] std::size_t nodes() const { return used_ - free_.size(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }  // of the nodes
    [[nodiscard]] bool solved() const;  // the role's value at the root is known, and a move that gets it
    [[nodiscard]] std::pair<double, double> bounds() const;  // of this value, 0 … 100

private:
    using NodeId = std::uint32_t;
    using Turn = symmetry::Canonical::SymmetryId;
    static constexpr NodeId none = ~NodeId{0};

    struct Bounds {
        float low = 0;
        float high = 1;
    };
    struct Bandit {
        std::uint32_t role;
        float judged = 0.5F;  // what the network says that the node is worth
        std::vector<Arm> arms;
    };
    struct Edge {
        NodeId node = none;
        std::uint32_t generation = 0;
        Turn turn = 0;  // what made the state canonical
    };
    struct Node {
        Hash128 key;
        State state;
        std::uint32_t generation = 0;
        std::uint32_t era = 0;
        NodeId next = none;  // in its bucket
        bool terminal = false;
        bool widely = false;  // too many joint moves to keep edges
        bool saddle = false;  // two opponents move at the same time, and something is certain
        std::uint32_t visits = 0;
        std::uint32_t pending = 0;
        std::vector<Bounds> bounds;  // by role
        JointMove forced;            // by role: the only move where there is one
        std::vector<Bandit> bandits;
        std::vector<Edge> edges;    // by joint choice, the last bandit fastest
        std::vector<Count> counts;  // GRAVE: by first_count_ of the role and move
    };
    struct Step {
        NodeId node;
        std::uint32_t edge;
        std::vector<std::uint32_t> arms;  // by bandit
        Turn turn = 0;                    // what made the next state canonical
    };
    struct Made {  // a move on the way down
        std::uint32_t role;
        MoveId move;
    };
    struct Descent {
        std::vector<Step> path;
        std::size_t length = 0;                    // of the path
        NodeId leaf = none;                        // where it ended, if this is a node
        bool known = false;                        // its value is certain
        bool judged = false;                       // by the network
        const learn::Judge* judge = nullptr;       // of this thread
        std::size_t place = 0;                     // among the states that were
        std::vector<double> values;                // by role, then
        const State* from = nullptr;               // the last state in the tree
        JointMove joint;                           // and the moves that lead out of it
        Playouts::Look* look = nullptr;            // what they lead to, made canonical
        Turn turn = 0;                             // by this
        const Playouts::Result* result = nullptr;  // and what it is worth
    };
    struct Worker;

    [[nodiscard]] Node& node(NodeId id) { return chunks_[id / chunk_size][id % chunk_size]; }
    [[nodiscard]] const Node& node(NodeId id) const { return chunks_[id / chunk_size][id % chunk_size]; }
    [[nodiscard]] NodeId find(const Hash128& key) const;
    NodeId insert(const Hash128& key, const Playouts::Look& look, bool anyway = false);  // none: no room
    void enter(const State& root, std::size_t role, std::optional<MoveId> made);
    std::uint64_t run(const TimeBudget& allowance);
    void set_priors(Node& node, const learn::Judge& judge, std::size_t place) const;
    void judge_root(Worker& worker);
    void add_root_noise();
    void judge(Worker& worker) const;
    void mix_in_values(Worker& worker) const;
    [[nodiscard]] NodeId room(bool anyway);
    void unlink(NodeId id);
    [[nodiscard]] std::size_t bytes_of(const Node& node) const;

    void work(Worker& worker, const TimeBudget& allowance);
    void descend(Worker& worker, Descent& descent);
    // `turns`: from the node whose counts are used to this one.
    [[nodiscard]] std::uint32_t select(Worker& worker, const Node& node, std::size_t bandit,
                                       const Node* reference, std::span<const Turn> turns) const;
    [[nodiscard]] double sure_of(const Node& node, const Bandit& bandit, bool alone) const;
    [[nodiscard]] static std::uint32_t least_drawn(const Bandit& bandit, std::uint32_t from);
    [[nodiscard]] inline NodeId child(const Node& node, std::uint32_t edge) const;
    [[nodiscard]] inline bool certain(const Node& node) const;
    void play_out(Worker& worker, const Deadline& deadline) const;
    void compare(const Descent& descent);
    void count(Node& node, const std::vector<double>& values, const Playouts::Result* playouts);
    void turn_back(Turn turn);
    void back_up(Descent& descent, std::vector<double>& values, const Playouts::Result* playouts);
    void withdraw(Descent& descent);
    void withdraw_from(Worker& worker, std::size_t first);
    [[nodiscard]] Turn make_canonical(Playouts::Look& look) const;
    void attach(Descent& descent);
    [[nodiscard]] bool too_early_for(const Descent& descent) const;
    void give_up_opposition();
    void tighten(Node& node);
    [[nodiscard]] inline Bounds known(const Node& node, std::uint32_t edge, std::size_t role) const;
    [[nodiscard]] inline Bounds known_of_arm(const Node& node, std::size_t bandit, std::uint32_t arm) const;
    [[nodiscard]] Bounds known_against_all(const Node& node, std::size_t bandit, std::uint32_t arm) const;
    [[nodiscard]] bool has_saddle(const Node& node) const;
    [[nodiscard]] bool finished() const;

    static constexpr std::size_t chunk_size = 1024;
    static constexpr std::size_t buckets = std::size_t{1} << 18;
    static constexpr std::size_t most_edges = 2048;
    static constexpr std::size_t longest_path = 512;

    const GameContext& rules_;
    MctsOptions options_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::size_t> first_count_;  // by role; one more at the end
    std::uint32_t visits_before_counts_ = 2;

    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Node[]>> chunks_;
    std::vector<NodeId> bucket_;
    std::size_t used_ = 0;        // places that were ever used
    std::vector<NodeId> free_;    // places that are free again
    std::size_t bytes_ = 0;       // of them
    NodeId hand_ = 0;             // where room was looked for last
    std::size_t most_bytes_ = 0;  // in this search
    std::uint32_t era_ = 0;
    bool pondering_ = false;
    NodeId root_ = none;
    std::size_t role_ = 0;
    std::uint64_t playouts_ = 0;
    std::uint64_t wanted_ = 0;
    Batch batch_;
    Transfer transfer_;
    std::vector<Playouts::Use> uses_;  // of the playouts that are being backed up, seen from the node
    std::vector<Made> made_;           // the same of the moves below it
    const symmetry::Canonical* canonical_ = nullptr;  // where symmetric states are one
    Turn root_turn_ = 0;                              // from the state that was asked about to the root
    bool opposed_ = false;
};

}  // namespace zermelo::play
