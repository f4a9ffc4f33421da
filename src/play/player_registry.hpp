// Player registry: the players by name, and the syntax of a player specification.
//
//   NAME[:KEY=VALUE[,KEY=VALUE…]]     alpha-beta
//                                     cfr:exploration=0.6,seconds=0.5
//                                     perfect:strategy=plan.bin
//
// Every player has the keys seconds and playouts (its own budget for a move), threads, memory (bytes, or 64K,
// 64M, 2G), ponder (1: it thinks while the others move) and label (what tables call it); the other keys are its own.
//
//   http://HOST[:PORT][/PATH]         a player on another machine that speaks the GGP protocol

#pragma once

#include <functional>
#include <map>

#include "play/player.hpp"

namespace zermelo::play {

struct Spec {
    std::string text;  // as it was written
    std::string name;
    std::string label;  // the text, if none was given
    std::optional<double> seconds = {};
    std::optional<std::uint64_t> playouts = {};
    std::optional<unsigned> threads = {};
    std::optional<std::size_t> memory = {};
    std::optional<bool> ponder = {};
    std::map<std::string, std::string> options = {};  // the player's own; they are valid

    [[nodiscard]] bool remote() const { return name == "http"; }  // then the text is its address
};

// Throws Error that lists what there is.
[[nodiscard]] Spec read_spec(const std::string& text);
// The same without remote players; nothing where no player has this name.
[[nodiscard]] std::optional<Spec> find_spec(const std::string& text);

// For help texts.
struct KeyDescription {
    std::string name;
    std::string about;
};
struct PlayerDescription {
    std::string name;
    std::string about;
    std::vector<KeyDescription> keys;  // its own
};
[[nodiscard]] std::vector<PlayerDescription> describe_players();
[[nodiscard]] std::vector<KeyDescription> describe_common_keys();

// A player of an embedding program, known by its name from then on, wherever players are named. The values of its own
// keys are texts, in Spec::options. Not while others make players. Throws Error where the name is taken.
using PlayerFactory =
    std::function<std::unique_ptr<Player>(const Spec&, const GameContext&, const Settings&)>;
void register_player(const PlayerDescription& description, PlayerFactory make);

// What the players of one game have in common and find only once; one for each GameContext.
class Solutions;
class ConfigRacing;
class Shared {
public:
    // Made by `make` unless there is one by this name.
    [[nodiscard]] std::shared_ptr<Solutions> solutions(
        const std::string& name, const std::function<std::shared_ptr<Solutions>()>& make);

    [[nodiscard]] std::shared_ptr<ConfigRacing> racing(
        const std::string& name, const std::function<std::shared_ptr<ConfigRacing>()>& make);

    // What another room caches with the game; always of one type for a name.
    [[nodiscard]] std::shared_ptr<void> kept(const std::string& name,
                                             const std::function<std::shared_ptr<void>()>& make);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Solutions>> solutions_;
    std::map<std::string, std::shared_ptr<ConfigRacing>> racings_;
    std::map<std::string, std::shared_ptr<void>> kept_;
};

// The spec's threads and memory take the place of those of the settings. `rules` and `shared` must outlive
// the player. Throws Error where the player is somewhere else.
[[nodiscard]] std::unique_ptr<Player> make_player(const Spec& spec, const GameContext& rules,
                                                  Settings settings, Shared& shared);

}  // namespace zermelo::play
