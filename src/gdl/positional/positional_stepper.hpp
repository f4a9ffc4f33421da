// Plays a positional game on machine words, for depth-first search: with the keys of the Stepper (stepper.hpp), which is
// its oracle.
//
// A position is what each role holds, what is available, and where each role would complete a line. Claiming a spot
// looks at the lines through it, and undoing it drops a row.

#pragma once

#include <algorithm>

#include "gdl/positional/pairing.hpp"

namespace zermelo::gdl {

class PositionalGame {
public:
    using Permutation = std::vector<std::uint32_t>;  // image of each fluent

    // Null where the game is no positional game (positional_game.hpp). The game must outlive it. Symmetries: as for
    // the Stepper.
    [[nodiscard]] static std::shared_ptr<const PositionalGame> make(
        const Game& game, const std::vector<Permutation>& symmetries = {});

    [[nodiscard]] const PositionalRules& rules() const { return rules_; }
    [[nodiscard]] const LineTable& lines(std::size_t role) const { return lines_[role]; }
    [[nodiscard]] const std::string& move_name(std::size_t role, std::size_t spot) const {
        return names_[role][spot];
    }

private:
    friend class PositionalStepper;
    PositionalGame(const Game& game, PositionalRules rules, const std::vector<Permutation>& symmetries);
    [[nodiscard]] const Hash128* keys(std::size_t role, std::size_t spot) const {
        return keys_.data() + (role * rules_.spots.size() + spot) * symmetries_;
    }

    const Game& game_;
    PositionalRules rules_;
    std::array<LineTable, 2> lines_;
    Pairing pairing_;
    std::array<std::vector<std::string>, 2> names_;  // by role and spot
    std::array<std::vector<Spots>, 2> before_;  // by role and spot: those whose moves come before its own
    std::vector<Spots> needed_by_;              // by spot
    bool one_need_ = true;                      // no spot needs several others
    std::size_t symmetries_ = 1;                // with the identity
    std::vector<Hash128> zobrist_;              // by symmetry and fluent
    std::vector<Hash128> keys_;                 // by role, spot and symmetry: what its claim changes
};

class PositionalStepper {
public:
    explicit PositionalStepper(std::shared_ptr<const PositionalGame> game);

    // The state must be one that play from the initial state can reach. Earlier moves cannot be undone.
    void load(const State& state);
    [[nodiscard]] State state() const;

    enum class End : std::uint8_t { none, line, full };
    [[nodiscard]] End end() const { return here().end; }
    [[nodiscard]] std::size_t mover() const { return here().mover; }  // also when it is over
    [[nodiscard]] int payoff(std::size_t role) const {                // when it is over
        const auto& rules = game_->rules_;
        return (end() == End::line ? rules.line_payoffs[1 - mover()] : rules.full_payoffs)[role];
    }
    [[nodiscard]] Spots available() const { return here().available; }
    [[nodiscard]] Spots held(std::size_t role) const { return here().held[role]; }
    [[nodiscard]] Spots open() const { return game_->rules_.board() & ~(here().held[0] | here().held[1]); }
    // The open spots, available or not, that would complete a line of the role.
    [[nodiscard]] Spots completing(std::size_t role) const { return here().completing[role]; }
    // The spots that become available by claiming this one.
    [[nodiscard]] Spots opened_by(std::size_t spot) const {
        const Spots after = game_->needed_by_[spot];
        if (game_->one_need_) return after;
        const Spots claimed = here().held[0] | here().held[1] | Spots{1} << spot;
        Spots opened = 0;
        each_spot(after, [&](std::size_t i) {
            if ((game_->rules_.spots[i].needs & ~claimed) == 0) opened |= Spots{1} << i;
        });
        return opened;
    }
    // Can the role still complete a line?
    [[nodiscard]] bool may_complete(std::size_t role) const {
        return game_->lines_[role].any_without(here().held[1 - role]);
    }
    // By pairing open spots, can the role that is not on turn play so that the mover completes no line; and, if `completes`,
    // completes one itself? False means that this is not known.
    [[nodiscard]] bool mover_is_held(bool completes) const {
        if (!game_->pairing_.applies()) return false;
        const std::size_t role = mover();
        return game_->pairing_.holds(
            {held(role), held(1 - role), completing(1 - role), completing(role), available()},
            game_->lines_[role], game_->lines_[1 - role], completes);
    }
    // The same of the opponent, once the mover has claimed a spot by which it completes no line.
    [[nodiscard]] bool claim_holds(std::size_t spot, Spots completed, bool completes) const {
        if (!game_->pairing_.applies()) return false;
        const std::size_t role = mover();
        const Spots own = Spots{1} << spot;
        return game_->pairing_.holds({held(1 - role), held(role) | own, (completing(role) | completed) & ~own,
                                      completing(1 - role) & ~own, (available() & ~own) | opened_by(spot)},
                                     game_->lines_[1 - role], game_->lines_[role], completes);
    }
    // For each of the candidates, ascending: the open spots where the mover would newly complete a line, had it claimed
    // the candidate.
    void completed_by(Spots candidates, Spots* out) const {
        game_->lines_[mover()].completed_by(candidates, here().held[mover()], open(), out);
    }

    // Legal moves in the order of their names, and the spots that they claim.
    [[nodiscard]] std::size_t place_of(std::size_t spot) const {
        return static_cast<std::size_t>(std::popcount(available() & game_->before_[mover()][spot]));
    }
    [[nodiscard]] std::size_t spot_at(std::size_t place) const;

    [[nodiscard]] Hash128 exact_key() const { return *keys_of(depth_); }
    [[nodiscard]] Hash128 key() const {
        const Hash128* keys = keys_of(depth_);
        return *std::min_element(keys, keys + symmetries_);
    }
    [[nodiscard]] Hash128 key_after(std::size_t spot) const {
        const Hash128* now = keys_of(depth_);
        const Hash128* change = game_->keys(mover(), spot);
        Hash128 least = now[0] ^ change[0];
        for (std::size_t g = 1; g < symmetries_; ++g) least = std::min(least, now[g] ^ change[g]);
        return least;
    }

    // The mover claims an available spot; `completed` is what completed_by says of it.
    void claim(std::size_t spot, Spots completed);
    void claim(std::size_t spot) {
        Spots completed = 0;
        completed_by(Spots{1} << spot, &completed);
        claim(spot, completed);
    }
    void undo() { --depth_; }

    [[nodiscard]] const PositionalGame& game() const { return *game_; }

private:
    struct Ply {
        std::array<Spots, 2> held;
        std::array<Spots, 2> completing;
        Spots available;
        std::uint8_t mover;
        End end;
    };
    [[nodiscard]] const Ply& here() const { return plies_[depth_]; }
    [[nodiscard]] const Hash128* keys_of(std::size_t depth) const {
        return keys_.data() + depth * symmetries_;
    }
    [[nodiscard]] Spots completing_from(std::size_t role, Spots held, Spots open) const;

    std::shared_ptr<const PositionalGame> game_;
    std::size_t symmetries_;
    std::vector<Ply> plies_;     // by depth, for the longest play
    std::vector<Hash128> keys_;  // by depth and symmetry
    std::size_t depth_ = 0;
};

}  // namespace zermelo::gdl
