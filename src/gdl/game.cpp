#include "gdl/game.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/compiled/compiled_rules.hpp"
#include "gdl/syntax/parse.hpp"
#include "gdl/syntax/stratify.hpp"

namespace zermelo::gdl {

namespace {

// Below this many inputs a network is small whichever way it was made, and trying the other way costs little.
constexpr std::size_t worth_comparing = 400'000;

// The network; atoms that depend on their own negation are reported where the text says so.
Network network_of(Grounding grounding, const Description& game) {
    try {
        return build_network(std::move(grounding), game.symbols);
    } catch (const NegativeLoop&) {
        for (const NegativeCycle& cycle : negative_cycles(game)) {
            const Rule& rule = game.rules[cycle.rule];
            const BodyLiteral& literal = rule.body[cycle.literal];
            throw Error(
                {game.file, literal.line, literal.column},
                fmt::format("`{}` depends on its own negation through `{}`",
                            game.symbols.name(rule.head.relation), game.symbols.name(literal.atom.relation)),
                "break the circle: negate only what does not depend on the head");
        }
        throw;
    }
}

}  // namespace

Game::Game(const std::string& file, const GroundOptions& options) {
    const double start = cpu_seconds();
    description_ = read(file);
    set_up_.parse_seconds = cpu_seconds() - start;
    prepare(options);
}

Game::Game(Description description, const GroundOptions& options) : description_(std::move(description)) {
    prepare(options);
}

// Splitting rules keeps large groundings small but lengthens small ones, so a small one is made both ways and
// the shorter network stays.
void Game::prepare(const GroundOptions& options) {
    const double start = cpu_seconds();
    const LimitScope scope(options.limits);
    Grounding grounding = ground(description_, options);
    const double grounded = cpu_seconds();
    set_up_.atoms = grounding.atoms();
    set_up_.rules = grounding.rule_count;
    Network network = network_of(std::move(grounding), description_);
    set_up_.ground_seconds = grounded - start;
    set_up_.network_seconds = cpu_seconds() - grounded;

    if (options.split && network.inputs.size() < worth_comparing) {
        GroundOptions other = options;
        other.split = false;
        other.most_rules = std::min(options.most_rules, 4 * set_up_.rules + 1000);
        try {
            Grounding whole = ground(description_, other);
            const std::size_t atoms = whole.atoms();
            const std::size_t rules = whole.rule_count;
            Network alternative = network_of(std::move(whole), description_);
            if (alternative.inputs.size() < network.inputs.size()) {
                network = std::move(alternative);
                set_up_.atoms = atoms;
                set_up_.rules = rules;
            }
        } catch (const TooLarge&) {
            // Too large without splitting: what we have stays.
        }
        set_up_.ground_seconds = cpu_seconds() - start - set_up_.network_seconds;
    }
    const double built = cpu_seconds();
    machine_ = std::make_unique<Machine>(
        std::move(network), [](const Machine& machine) { return CompiledRules::compile(machine); });
    set_up_.network_seconds += cpu_seconds() - built;
}

std::vector<std::string> Game::facts(const State& state) const {
    std::vector<std::string> all;
    const auto& fluents = machine_->network().fluents;
    for (std::size_t i = 0; i < fluents.size(); ++i) {
        if ((state[i / 64] >> (i % 64) & 1) != 0) all.push_back(text(fluents[i]));
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace zermelo::gdl
