// Game cache (least recently used): the games that are in use, read and grounded once for all clients.
//
// The least recently used games are dropped where there are too many or memory is short. A game stays alive
// as long as a client holds it.

#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "play/player_registry.hpp"
#include "solve/problem/problem.hpp"
#include "web/api/source.hpp"

namespace zermelo::web {

// A game in GDL with all that its players share.
struct GroundedGame {
    std::string title;
    gdl::Game game;
    play::GameContext rules{game};
    mutable play::Shared shared;
};

class GameCache {
public:
    explicit GameCache(const Library& library, std::size_t most = 32);

    [[nodiscard]] const Library& library() const { return library_; }

    // Throws Refusal where the reference is invalid or of another kind, Error about the text, LimitReached.
    // Waits for a game that another thread is reading, within the limits.
    [[nodiscard]] std::shared_ptr<const GroundedGame> gdl(const json& reference, const Limits& limits);

private:
    struct Slot;
    [[nodiscard]] std::shared_ptr<Slot> take(const std::string& key);
    void drop(const std::shared_ptr<Slot>& slot);
    void make_room(std::optional<std::size_t> budget);

    const Library& library_;
    std::size_t most_;
    std::mutex mutex_;
    std::list<std::shared_ptr<Slot>> slots_;  // the last used first
};

// A MiniZinc model, compiled. A text may include nothing but what MiniZinc and Zermelo offer by a plain name.
[[nodiscard]] Problem read_model(const Source& source, const Limits& limits);

}  // namespace zermelo::web
