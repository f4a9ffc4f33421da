// UCT (Kocsis and Szepesvári 2006) on a quantified model: a Monte Carlo estimate of every value at a
// position.
//
// Moves are evaluated forwards from the rules alone (strategy/rules/partial_assignment.hpp), without a
// solver. Near the position where a playout starts both players choose by upper confidence bounds, further on
// at random. A move that is known to be illegal is not made; in a strategic model that is one which bounds
// propagation refutes (strategy/rules/network.hpp), so that a few illegal ones slip through. Proven results
// are kept and backed up: ends of plays, illegal moves, and what a search has decided.

#pragma once

#include <optional>

#include "core/random.hpp"
#include "quantified/guide/bus.hpp"
#include "strategy/rules/network.hpp"
#include "strategy/rules/partial_assignment.hpp"

namespace zermelo::quantified {

// A model as a game that can be played and taken back quickly.
class PlayoutBoard {
public:
    PlayoutBoard(const model::Model& model, const model::Structure& structure);  // both must outlive it

    // False when the play is known to be illegal.
    bool go_to(std::span<const strategy::Move> play);
    // False, and nothing happens, when the move is known to be illegal.
    bool play(const strategy::Move& move);
    void take_back(std::size_t moves);  // until so many are left

    [[nodiscard]] std::size_t moves() const { return made_.size(); }
    [[nodiscard]] model::VarId next() const;  // in the order of the prefix; -1 when all moves are made
    [[nodiscard]] model::Quantifier owner(model::VarId v) const;

    struct End {
        bool won;  // by ∃
        bool certain;
    };
    [[nodiscard]] std::optional<End> end() const;

private:
    struct Made {
        strategy::Move move;
        strategy::PartialAssignment::Mark assignment;
        strategy::Network::Mark network;
    };
    void make(const strategy::Move& move);  // legal or not
    [[nodiscard]] bool refuted() const;
    [[nodiscard]] std::optional<End> quantified_end(std::size_t block) const;

    const model::Model& model_;
    const model::Structure& structure_;
    std::optional<strategy::PartialAssignment> assignment_;  // of a quantified model
    std::optional<strategy::Network> network_;               // of a strategic model
    bool contradiction_ = false;  // of a strategic model: the latest move is illegal
    std::vector<Made> made_;
    std::vector<bool> played_;              // by variable
    std::vector<model::VarId> order_;       // of the prefix
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

    Playouts(const model::Model& model, const model::Structure& structure, const Options& options);

    // Plays `count` times from the position after `play`, where `first` is chosen next (-1: as the prefix
    // says). False when nothing is left to find out there.
    bool run(std::span<const strategy::Move> play, model::VarId first, int count,
             const std::stop_token& stop = {});
    void learn(const Hash128& position, bool won) { record(position).certain = won ? 1 : -1; }

    [[nodiscard]] std::size_t remembered() const { return young_.size() + old_.size(); }

    // Scores for the values of a variable. Values that are not proven get one only after so many playouts for
    // each value.
    [[nodiscard]] Advice advice(const Hash128& position, model::VarId variable,
                                std::uint32_t visits_a_value) const;
    // On the positions in which the latest run has chosen.
    [[nodiscard]] std::vector<Advice> latest_advice(std::uint32_t visits_a_value) const;

private:
    struct Record {
        std::uint32_t visits = 0;
        std::uint32_t wins = 0;
        int certain = 0;  // 1: won by ∃, -1: lost
    };
    using Table = std::unordered_map<Hash128, Record, LowBitsHash>;
    struct Choice {
        std::optional<model::Value> value;  // none: whoever chooses has lost
        bool certain = false;               // the value is a proven win for whoever chooses
        bool unvisited = false;             // the value has not been tried yet
    };

    [[nodiscard]] const Record* find(const Hash128& position) const;
    Record& record(const Hash128& position);
    void playout(const Hash128& position, model::VarId first, const std::stop_token& stop);
    std::optional<bool> descend(Hash128 position, model::VarId first, std::vector<Hash128>& path);
    std::optional<bool> at_random(const std::stop_token& stop);
    [[nodiscard]] static double worth(const Record& record, double average);
    [[nodiscard]] Choice choose(const Hash128& position, model::VarId variable);

    const model::Structure& structure_;
    Options options_;
    Random random_;
    PlayoutBoard board_;
    Table young_;
    Table old_;
    std::unordered_map<Hash128, model::VarId, LowBitsHash> chosen_at_;
    std::vector<model::Value> values_;  // scratch
};

}  // namespace zermelo::quantified
