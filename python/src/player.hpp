// Players in Python, known to the registry of players by a number.

#pragma once

#include "game.hpp"

namespace zermelo::python {

// The specification of a player (play/player_registry.hpp): a text as it is, or that of a player in Python, which is an
// object with choose(state, deadline), or a class of such objects, one of which is made for each match. The object lives
// as long as the result.
class PlayerSpec {
public:
    explicit PlayerSpec(const py::object& player);
    ~PlayerSpec();
    PlayerSpec(const PlayerSpec&) = delete;
    PlayerSpec& operator=(const PlayerSpec&) = delete;

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool in_python() const { return number_.has_value(); }

private:
    std::string text_;
    std::optional<std::uint64_t> number_;
};

// While it lives, this thread runs Python for a long call; cancelling that call raises KeyboardInterrupt here. With the
// lock of the interpreter.
class InPython {
public:
    InPython();
    ~InPython();
    InPython(const InPython&) = delete;
    InPython& operator=(const InPython&) = delete;

    // All threads that work for the call with this flag.
    static void interrupt(const std::atomic<bool>* flag);

private:
    std::uint64_t entry_;
};

// How long a player in Python may think: zermelo.Deadline.
struct DeadlineObject {
    play::TimeBudget budget;
};

}  // namespace zermelo::python
