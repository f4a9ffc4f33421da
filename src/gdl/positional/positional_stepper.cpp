#include "gdl/positional/positional_stepper.hpp"

#include <stdexcept>

#include "core/random.hpp"

namespace zermelo::gdl {

namespace {

bool bit(const State& state, std::uint32_t fluent) { return (state[fluent / 64] >> (fluent % 64) & 1) != 0; }

void set(State& state, std::uint32_t fluent) { state[fluent / 64] |= std::uint64_t{1} << (fluent % 64); }

}  // namespace

std::shared_ptr<const PositionalGame> PositionalGame::make(const Game& game,
                                                           const std::vector<Permutation>& symmetries) {
    auto rules = recognise_positional_game(game);
    if (!rules) return nullptr;
    return std::shared_ptr<const PositionalGame>(new PositionalGame(game, *std::move(rules), symmetries));
}

PositionalGame::PositionalGame(const Game& game, PositionalRules rules,
                               const std::vector<Permutation>& symmetries)
    : game_(game),
      rules_(std::move(rules)),
      lines_{LineTable(rules_.lines[0], rules_.spots.size()),
             LineTable(rules_.lines[1], rules_.spots.size())},
      pairing_(rules_),
      needed_by_(rules_.spots.size(), 0),
      symmetries_(1 + symmetries.size()) {
    const std::size_t spots = rules_.spots.size();
    for (std::size_t i = 0; i < spots; ++i) {
        each_spot(rules_.spots[i].needs, [&](std::size_t need) { needed_by_[need] |= Spots{1} << i; });
        if (std::popcount(rules_.spots[i].needs) > 1) one_need_ = false;
    }
    for (std::size_t r = 0; r < 2; ++r) {
        for (const auto& spot : rules_.spots) names_[r].push_back(game.move_text(r, spot.move[r]));
        before_[r].assign(spots, 0);
        for (std::size_t i = 0; i < spots; ++i) {
            for (std::size_t k = 0; k < spots; ++k) {
                if (names_[r][k] < names_[r][i]) before_[r][i] |= Spots{1} << k;
            }
        }
    }
    Random random(0x5EED);  // as the Stepper, so that keys agree
    const std::size_t fluents = game.machine().network().fluents.size();
    zobrist_.resize(fluents);
    for (Hash128& hash : zobrist_) hash = {random.next(), random.next()};
    for (const Permutation& symmetry : symmetries) {
        for (std::size_t f = 0; f < fluents; ++f) zobrist_.push_back(zobrist_[symmetry[f]]);
    }
    for (std::size_t r = 0; r < 2; ++r) {
        for (const auto& spot : rules_.spots) {
            for (std::size_t g = 0; g < symmetries_; ++g) {
                const Hash128* hashes = zobrist_.data() + g * fluents;
                Hash128 change = hashes[spot.stone[r]];
                if (spot.empty) change = change ^ hashes[*spot.empty];
                for (const auto& phase : rules_.phases) {
                    for (const auto& [fluent, value] : phase.fixed) {
                        if (value) change = change ^ hashes[fluent];
                    }
                }
                keys_.push_back(change);
            }
        }
    }
}

PositionalStepper::PositionalStepper(std::shared_ptr<const PositionalGame> game)
    : game_(std::move(game)),
      symmetries_(game_->symmetries_),
      plies_(game_->rules_.spots.size() + 1),
      keys_(plies_.size() * symmetries_) {
    load(game_->game_.machine().initial());
}

Spots PositionalStepper::completing_from(std::size_t role, Spots held, Spots open) const {
    Spots completing = 0;
    for (const Spots line : game_->rules_.lines[role]) {
        const Spots missing = line & ~held;
        if (std::popcount(missing) == 1) completing |= missing & open;
    }
    return completing;
}

void PositionalStepper::load(const State& state) {
    const PositionalRules& rules = game_->rules_;
    depth_ = 0;
    Ply& ply = plies_.front();
    ply.held = {0, 0};
    for (std::size_t i = 0; i < rules.spots.size(); ++i) {
        for (std::size_t r = 0; r < 2; ++r) {
            if (bit(state, rules.spots[i].stone[r])) ply.held[r] |= Spots{1} << i;
        }
    }
    const Spots claimed = ply.held[0] | ply.held[1];
    const Spots open = rules.board() & ~claimed;
    ply.available = 0;
    each_spot(open, [&](std::size_t i) {
        if ((rules.spots[i].needs & ~claimed) == 0) ply.available |= Spots{1} << i;
    });
    for (std::size_t r = 0; r < 2; ++r) ply.completing[r] = completing_from(r, ply.held[r], open);
    const auto agrees = [&](const PositionalRules::Phase& phase) {
        return std::ranges::all_of(
            phase.fixed, [&](const auto& fixed) { return bit(state, fixed.first) == fixed.second; });
    };
    const bool first = agrees(rules.phases[0]);
    if (!first && !agrees(rules.phases[1]))
        throw Error("this state cannot come about in the game", "give a state that play can reach");
    ply.mover = static_cast<std::uint8_t>(rules.phases[first ? 0 : 1].mover);
    ply.end = open == 0 ? End::full : End::none;
    for (std::size_t r = 0; r < 2; ++r) {
        const auto complete = [&](Spots line) { return (line & ~ply.held[r]) == 0; };
        if (std::ranges::any_of(rules.lines[r], complete)) ply.end = End::line;
    }
    const std::size_t fluents = game_->game_.machine().network().fluents.size();
    for (std::size_t g = 0; g < symmetries_; ++g) {
        keys_[g] = {};
        for (std::uint32_t f = 0; f < fluents; ++f) {
            if (bit(state, f)) keys_[g] = keys_[g] ^ game_->zobrist_[g * fluents + f];
        }
    }
}

State PositionalStepper::state() const {
    const PositionalRules& rules = game_->rules_;
    State state(game_->game_.machine().initial().size(), 0);
    for (std::size_t i = 0; i < rules.spots.size(); ++i) {
        for (std::size_t r = 0; r < 2; ++r) {
            if ((here().held[r] >> i & 1) != 0) set(state, rules.spots[i].stone[r]);
        }
        if (rules.spots[i].empty && (open() >> i & 1) != 0) set(state, *rules.spots[i].empty);
    }
    for (const auto& phase : rules.phases) {
        if (phase.mover != mover()) continue;
        for (const auto& [fluent, value] : phase.fixed) {
            if (value) set(state, fluent);
        }
    }
    return state;
}

std::size_t PositionalStepper::spot_at(std::size_t place) const {
    for (Spots rest = available(); rest != 0; rest &= rest - 1) {
        const auto spot = static_cast<std::size_t>(std::countr_zero(rest));
        if (place_of(spot) == place) return spot;
    }
    throw std::logic_error("no such move");
}

void PositionalStepper::claim(std::size_t spot, Spots completed) {
    const Ply& from = here();
    Ply& to = plies_[depth_ + 1];
    const Spots own = Spots{1} << spot;
    const std::size_t role = from.mover;
    to.held = from.held;
    to.held[role] |= own;
    to.available = (from.available & ~own) | opened_by(spot);
    to.completing[role] = (from.completing[role] | completed) & ~own;
    to.completing[1 - role] = from.completing[1 - role] & ~own;
    to.mover = static_cast<std::uint8_t>(1 - role);
    to.end = (from.completing[role] & own) != 0 ? End::line : to.available == 0 ? End::full : End::none;
    const Hash128* now = keys_of(depth_);
    const Hash128* change = game_->keys(role, spot);
    Hash128* then = keys_.data() + (depth_ + 1) * symmetries_;
    for (std::size_t g = 0; g < symmetries_; ++g) then[g] = now[g] ^ change[g];
    ++depth_;
}

}  // namespace zermelo::gdl
