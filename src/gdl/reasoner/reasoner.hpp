// Reasoner: bottom-up evaluation of stratified Datalog (Apt, Blair and Walker 1988) on the rules as they
// stand, without grounding.
//
// Each relation is computed from the facts of a state by semi-naive evaluation, mutually recursive relations
// together, and a negation only when its relation is complete; this is the meaning that the GDL
// specification gives. Nothing is shared with the network but the parsed rules: the reasoner is the
// reference that the network is tested against, and it runs games whose grounding would be too large. What
// depends neither on the state nor on moves is computed once. From one state to the next, relations follow what
// has changed where that is less work (incremental view maintenance: Gupta, Mumick and Subrahmanian 1993); the
// others are computed when they are asked for, and very large ones only for the arguments that are asked for.
//
// A reasoner belongs to one thread: answers about the last state are kept between calls.

#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

struct ReasonerOptions {
    Limits limits = {};
    // Beyond so many facts or ground terms, or so deep a nesting, the description is taken to be infinite.
    std::size_t most_facts = 50'000'000;
    std::size_t most_depth = 200;
    // A relation with more rows is computed only for the arguments that are asked about, unless it is
    // recursive. For relations that do not depend on the state the limit is twenty times that.
    std::size_t large_relation = 20'000;
};

class Reasoner {
public:
    using Ground = std::uint32_t;       // a ground term; equal terms have equal numbers
    using State = std::vector<Ground>;  // the fluents that hold, sorted
    using Joint = std::vector<Ground>;  // one move for each role, in the order of the roles

    // Throws Error if the rules cannot be evaluated: a variable that no literal binds, recursion through
    // negation, no roles. All other methods throw Error when a limit is reached.
    explicit Reasoner(const Description& game, const ReasonerOptions& options = {});
    ~Reasoner();
    Reasoner(Reasoner&&) noexcept;
    Reasoner& operator=(Reasoner&&) noexcept;

    [[nodiscard]] const std::vector<Ground>& roles() const;
    [[nodiscard]] State initial();
    [[nodiscard]] bool terminal(const State& state);
    [[nodiscard]] std::vector<Ground> legal(const State& state, std::size_t role);  // sorted by text
    [[nodiscard]] State next(const State& state, const Joint& joint);
    // What the role perceives when `joint` is played in `state`, sorted by text.
    [[nodiscard]] std::vector<Ground> sees(const State& state, const Joint& joint, std::size_t role);
    // Every goal value that the rules give, sorted by text; a good description gives one.
    [[nodiscard]] std::vector<Ground> goals(const State& state, std::size_t role);
    // The value, if there is exactly one and it is a number.
    [[nodiscard]] std::optional<int> goal(const State& state, std::size_t role);

    // The same about a state that is loaded, and a joint move that is played there, as a Runner answers
    // (gdl/stepping.hpp).
    void load(const State& state) { loaded_ = state; }
    [[nodiscard]] bool terminal() { return terminal(loaded_); }
    [[nodiscard]] int goal(std::size_t role) { return goal(loaded_, role).value_or(-1); }
    void legal(std::size_t role, std::vector<Ground>& moves) { moves = legal(loaded_, role); }
    // A legal move of the role, all with the same probability; no_move where there is none.
    static constexpr Ground no_move = ~Ground{0};
    [[nodiscard]] Ground random_move(std::size_t role, Random& random);
    void play(const Joint& joint) { played_ = joint; }
    void next(State& state) { state = next(loaded_, played_); }

    [[nodiscard]] const std::string& text(Ground term) const;             // like (cell 1 1 b)
    [[nodiscard]] std::string text(std::span<const Ground> terms) const;  // sorted bytewise, one a line
    // The term with this text, in the form of text(); nothing if no rule has derived it.
    [[nodiscard]] std::optional<Ground> find(const std::string& text);

private:
    class Engine;
    std::unique_ptr<Engine> engine_;
    State loaded_;
    Joint played_;
};

[[nodiscard]] Hash128 hash(const Reasoner::State& state);

}  // namespace zermelo::gdl
