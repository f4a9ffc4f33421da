// Game: a GDL description that is ready to run. It has been parsed, grounded (ground/ground.hpp) and
// compiled into a circuit (circuit/network.hpp, circuit/machine.hpp).

#pragma once

#include <memory>

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct SetUp {
    double parse_seconds = 0;  // CPU seconds
    double ground_seconds = 0;
    double network_seconds = 0;
    std::size_t atoms = 0;
    std::size_t rules = 0;
    [[nodiscard]] double seconds() const { return parse_seconds + ground_seconds + network_seconds; }
};

class Game {
public:
    // Throws Error where the description is broken, or cannot be grounded within the limits.
    explicit Game(const std::string& file, const GroundOptions& options = {});
    Game(Description description, const GroundOptions& options = {});

    [[nodiscard]] const Description& description() const { return description_; }
    [[nodiscard]] const Machine& machine() const { return *machine_; }
    [[nodiscard]] const SetUp& set_up() const { return set_up_; }

    [[nodiscard]] std::string text(TermId term) const {
        return machine_->network().terms.text(description_.symbols, term);
    }
    [[nodiscard]] std::string move_text(std::size_t role, MoveId move) const {
        return text(machine_->network().moves[role][move].term);
    }
    // The facts that hold, as in `(cell 1 1 b)`, sorted bytewise.
    [[nodiscard]] std::vector<std::string> facts(const State& state) const;

private:
    void prepare(const GroundOptions& options);

    Description description_;
    std::unique_ptr<Machine> machine_;
    SetUp set_up_;
};

}  // namespace zermelo::gdl
