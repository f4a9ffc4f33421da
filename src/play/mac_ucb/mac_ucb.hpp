// The players `mac-ucb` (Koriche et al. 2015) and `mac-ucb-sym` (Koriche et al. 2016): mac_ucb_search.hpp with a cache
// that grows over a match or over all matches of a process.
//
// Where states are hidden, the player searches over its belief, as if all players had it: that is so in the fragment
// of Koriche et al. (2016), and a simplification elsewhere. Of a large belief it searches a sample. Where
// the turn at hand has too many solutions to enumerate, UCB1 samples the player's own moves, and nothing is resolved.

#pragma once

#include "play/mac_ucb/cache_file.hpp"
#include "play/mac_ucb/mac_ucb_search.hpp"

namespace zermelo::play {

// What the players of one game share: caches that are not in use, the compiled turn and its microstructure.
class MacUcbShared {
public:
    explicit MacUcbShared(const GameContext& rules) : rules_(rules) {}

    // A cache for one player: one that was given back, what the file holds, or an empty one. Throws Error where the
    // file cannot be used.
    [[nodiscard]] std::unique_ptr<MicroTree> take(const std::string& file, std::size_t memory);
    void give_back(const std::string& file, std::unique_ptr<MicroTree> tree);
    // Adds the cache to the file.
    void save(const std::string& file, const MicroTree& tree, std::size_t memory);

    // Preprocessed as far as there is time: up to half of a start clock, and less of the clock of a move.
    enum class Clock : std::uint8_t { start, move };
    [[nodiscard]] const scsp::TurnProgram& program(const Deadline& deadline, Clock clock = Clock::move);
    // Null where it is too large for the time.
    [[nodiscard]] const TurnStructure* structure(const Deadline& deadline);

private:
    const GameContext& rules_;
    std::mutex mutex_;
    std::map<std::string, std::vector<std::unique_ptr<MicroTree>>> idle_;  // by file
    AnytimeCache<std::unique_ptr<const scsp::TurnProgram>> program_;
    std::unique_ptr<const scsp::TurnProgram> no_program_;
    AnytimeCache<std::unique_ptr<const TurnStructure>> structure_;
    std::unique_ptr<const TurnStructure> none_;
};

// `shared` must be of the same rules.
[[nodiscard]] std::unique_ptr<Player> make_mac_ucb(const GameContext& rules, const Settings& settings,
                                                   const MacUcbOptions& options,
                                                   std::shared_ptr<MacUcbShared> shared);

}  // namespace zermelo::play
