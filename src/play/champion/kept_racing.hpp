// What racing has found out about a game, as a file: the next match at the same clock goes on from there.
//
// The file lies beside the nets in the cache folder (learn/net_file.hpp), and belongs to the rules, the clock, how the player
// was set up, and the net that it had. It is a checkpoint file (game/explore/checkpoint.hpp). One that cannot be used counts
// as none, and one that cannot be written is done without.

#pragma once

#include "play/champion/champion_engine.hpp"

namespace zermelo::play {

struct KeptRacing {
    ChampionConfig config;
    std::uint32_t step = 0;  // the question that comes next
    std::uint64_t matches = 0;
};

// What such a file belongs to, but for the clock. The judgement may be null.
[[nodiscard]] Hash128 racing_subject(const Hash128& rules, const std::string& how,
                                     const learn::Judgement* judgement);

class RacingFile {
public:
    // Beside the file of the game's net, whether there is one or not.
    RacingFile(const std::string& net_file, const Hash128& subject, double clock);

    [[nodiscard]] std::optional<KeptRacing> read() const;
    void write(const KeptRacing& racing) const;

private:
    Hash128 subject_;
    std::string name_;
};

}  // namespace zermelo::play
