// Playouts: random games on a model, those first that look promising (UCT, Kocsis and Szepesvári 2006).
//
// Moves are evaluated forwards from the rules alone (strategy/outlook.hpp), without a solver. Near the
// position where a playout starts both players choose by upper confidence bounds, further on at random. A
// move that is known to be illegal is not made; in a strategic model that is one which narrowing refutes
// (strategy/network.hpp), so that a few illegal ones slip through. What is certain is kept: the ends of
// plays, illegal moves, what a search has decided, and what follows from these.

#pragma once

#include <optional>

#include "core/random.hpp"
#include "quantified/bus.hpp"
#include "strategy/network.hpp"
#include "strategy/outlook.hpp"

namespace zermelo {

// A model as a game that can be played and taken back quickly.
class Board {
public:
    Board(const Model& model, const Structure& structure);  // both must outlive it

    // False when the play is known to be illegal.
    bool go_to(std::span<const Move> play);
    // False, and nothing happens, when the move is known to be illegal.
    bool play(const Move& move);
    void take_back(std::size_t moves);  // until so many are left

    [[nodiscard]] std::size_t moves() const { return made_.size(); }
    [[nodiscard]] VarId next() const;  // in the order of the prefix; -1 when all moves are made
    [[nodiscard]] Quantifier owner(VarId v) const;

    struct End {
        bool won;  // by ∃
        bool certain;
    };
    [[nodiscard]] std::optional<End> end() const;

private:
    struct Made {
        Move move;
        Outlook::Mark outlook;
        Network::Mark network;
    };
    void make(const Move& move);  // legal or not
    [[nodiscard]] bool refuted() const;
    [[nodiscard]] std::optional<End> quantified_end(std::size_t block) const;

    const Model& model_;
    const Structure& structure_;
    std::optional<Outlook> outlook_;  // of a quantified model
    std::optional<Network> network_;  // of a strategic model
    bool contradiction_ = false;      // of a strategic model: the latest move is illegal
    std::vector<Made> made_;
    std::vector<bool> played_;              // by variable
    std::vector<VarId> order_;              // of the prefix
    std::vector<std::size_t> block_start_;  // by place in the order: where its block begins
    std::vector<std::size_t> empty_rules_;  // blocks with a rule and without variables
    std::vector<bool> exists_bound_;        // by block: ∃ has a rule there or later
    std::vector<bool> forall_bound_;
};

class Playouts {
public:
    struct Options {
        std::uint64_t seed = 1;
        std::size_t positions = std::size_t{1} << 18;  // remembered
        double exploration = 0.7;
    };

    Playouts(const Model& model, const Structure& structure, const Options& options);

    // Plays `count` times from the position after `play`, where `first` is chosen next (-1: as the prefix
    // says). False when nothing is left to find out there.
    bool run(std::span<const Move> play, VarId first, int count, const std::stop_token& stop = {});
    void learn(const Hash128& position, bool won) { record(position).certain = won ? 1 : -1; }

    [[nodiscard]] std::size_t remembered() const { return young_.size() + old_.size(); }

    // What the values of a variable promise. Of those about which nothing is certain it speaks only after so
    // many playouts for each value.
    [[nodiscard]] Opinion opinion(const Hash128& position, VarId variable,
                                  std::uint32_t visits_a_value) const;
    // About the positions in which the latest run has chosen.
    [[nodiscard]] std::vector<Opinion> latest_opinions(std::uint32_t visits_a_value) const;

private:
    struct Record {
        std::uint32_t visits = 0;
        std::uint32_t wins = 0;
        int certain = 0;  // 1: won by ∃, -1: lost
    };
    using Table = std::unordered_map<Hash128, Record, TakeLowBits>;
    struct Choice {
        std::optional<Value> value;  // none: whoever chooses has lost
        bool certain = false;        // the value has won for him
        bool fresh = false;          // nobody has been there
    };

    [[nodiscard]] const Record* find(const Hash128& position) const;
    Record& record(const Hash128& position);
    void playout(const Hash128& position, VarId first, const std::stop_token& stop);
    std::optional<bool> descend(Hash128 position, VarId first, std::vector<Hash128>& path);
    std::optional<bool> at_random(const std::stop_token& stop);
    [[nodiscard]] static double worth(const Record& record, double average);
    [[nodiscard]] Choice choose(const Hash128& position, VarId variable);

    const Structure& structure_;
    Options options_;
    Random random_;
    Board board_;
    Table young_;
    Table old_;
    std::unordered_map<Hash128, VarId, TakeLowBits> chosen_at_;
    std::vector<Value> values_;  // scratch
};

}  // namespace zermelo
