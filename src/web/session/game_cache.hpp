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
#include "solve/verdict.hpp"
#include "web/api/source.hpp"

namespace zermelo::web {

inline constexpr std::size_t most_steps = 10'000;  // of a play

// A game in GDL with all that its players share.
struct GroundedGame {
    GroundedGame(std::string its_title, gdl::Game its_game)
        : title(std::move(its_title)), game(std::move(its_game)) {}

    std::string title;
    gdl::Game game;
    play::GameContext rules{game};
    mutable play::Shared shared;
};

// A model or a graph, read once, with what its solver found.
class CompiledGame {
public:
    CompiledGame(Problem its_problem, Source its_source);

    const Problem problem;
    const Source source;
    // Solves it unless that is done or another thread does it; afterwards `verdict` may tell.
    void solve(const Limits& limits) const;
    [[nodiscard]] std::shared_ptr<const Verdict> verdict() const;  // null where it is not known
    // The position after these moves, x = 3, as the output item of the model shows it; empty where there is none.
    [[nodiscard]] std::string shown(const std::vector<std::string>& line, const Limits& limits) const;

private:
    struct View;  // of a model
    [[nodiscard]] std::shared_ptr<const View> view(const Limits& limits) const;

    mutable std::timed_mutex mutex_;
    mutable std::shared_ptr<const Verdict> verdict_;
    mutable std::timed_mutex viewing_;
    mutable std::shared_ptr<const View> view_;
};

class GameCache {
public:
    explicit GameCache(const Library& library, std::size_t most = 32);

    [[nodiscard]] const Library& library() const { return library_; }

    // Throws Refusal where the reference is invalid or of another kind, Error about the text, LimitReached.
    // Waits for a game that another thread is reading, within the limits.
    [[nodiscard]] std::shared_ptr<const GroundedGame> gdl(const json& reference, const Limits& limits);
    // The same for models and graphs.
    [[nodiscard]] std::shared_ptr<const CompiledGame> compiled(const json& reference, const Limits& limits);

private:
    struct Slot;
    template <class T, class Read>
    [[nodiscard]] std::shared_ptr<const T> kept(const std::string& key, std::shared_ptr<const T> Slot::*what,
                                                const Limits& limits, Read read);
    [[nodiscard]] std::shared_ptr<Slot> take(const std::string& key);
    void drop(const std::shared_ptr<Slot>& slot);
    void make_room(std::optional<std::size_t> budget);

    const Library& library_;
    std::size_t most_;
    std::mutex mutex_;
    std::list<std::shared_ptr<Slot>> slots_;  // the last used first
};

// The value in a move of a model, x[1,2] = 3. Throws Refusal 422 where the variable has no such value.
[[nodiscard]] model::Value value_assigned(const model::Model& model, model::VarId variable,
                                          const std::string& move);

// A MiniZinc model, compiled. A text may include nothing but what MiniZinc and Zermelo offer by a plain name.
[[nodiscard]] Problem read_model(const Source& source, const Limits& limits);

}  // namespace zermelo::web
