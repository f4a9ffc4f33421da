#include "strategy/rules/horizon.hpp"

#include <fmt/format.h>

#include "core/random.hpp"

namespace zermelo::strategy {

namespace {

constexpr int plays = 40;
constexpr std::size_t most_moves = 2000;  // in all plays together

struct Seen {
    int came = 0;           // plays that came to the last block of ∃
    int stuck = 0;          // of these: without a legal value there
    int won_and_stuck = 0;  // plays in which ∃ could not move, though the winning condition held for sure
    std::size_t where = 0;  // the block of the first of them
    std::size_t moves = 0;
};

// A play ends with the block in which somebody cannot move.
void play_once(const model::Model& model, const model::Structure& structure, std::size_t last, Random& random,
               Seen& seen) {
    ModelRules rules(model, structure);
    PartialAssignment moves(model, structure);  // says whether ∃ has won for sure
    for (std::size_t b = 0; b < structure.prefix.size() && seen.moves <= most_moves; ++b) {
        const model::Block& block = structure.prefix[b];
        if (b == last) ++seen.came;
        for (const model::VarId variable : block.variables) {
            const std::vector<model::Value> legal = rules.legal(variable);
            seen.moves += 1 + legal.size();
            if (legal.empty()) {
                if (b == last) ++seen.stuck;
                const bool ours = block.quantifier == model::Quantifier::exists;
                if (ours && moves.win() == Truth::yes && seen.won_and_stuck++ == 0) seen.where = b;
                return;
            }
            const model::Value value = legal[random.below(legal.size())];
            rules.play(variable, value);
            moves.play(variable, value);
        }
    }
}

bool small(const model::Model& model) {
    constexpr std::uint64_t most_values = 200;
    constexpr std::size_t most_variables = 20'000;
    if (model.variables.size() > most_variables) return false;
    for (const model::Block& block : model.prefix) {
        for (const model::VarId variable : block.variables) {
            if (model.domain(variable).size() > most_values) return false;
        }
    }
    return true;
}

std::string level_of(const model::Model& model, const model::Block& block) {
    return block.variables.empty() ? "a level without moves" : model.name_of(block.variables.front());
}

}  // namespace

std::optional<Error> horizon_warning(const model::Model& model, const model::Structure& structure) {
    if (model.strategic || !small(model)) return std::nullopt;
    std::size_t last = model.prefix.size();
    bool opponent = false;
    for (std::size_t b = 0; b < model.prefix.size(); ++b) {
        if (model.prefix[b].quantifier == model::Quantifier::exists && !model.prefix[b].variables.empty())
            last = b;
        opponent = opponent || model.prefix[b].quantifier == model::Quantifier::forall;
    }
    if (last == model.prefix.size() || !opponent) return std::nullopt;
    const PartialAssignment start(model, structure);
    // Where the winning condition says nothing, all that counts is who can move: nothing is overlooked.
    if (start.win() != Truth::unknown) return std::nullopt;
    const std::string remedy =
        "leave this level out, or let its rule allow a move that changes nothing once the game is over";
    const model::Block& end = model.prefix[last];
    if (start.rule(last) == Truth::no)
        return Error(end.place,
                     fmt::format("∃ has no legal value for {}, whatever is played, and so loses there",
                                 level_of(model, end)),
                     remedy);
    Seen seen;
    Random random(1);
    int played = 0;
    for (; played < plays && seen.moves <= most_moves; ++played)
        play_once(model, structure, last, random, seen);
    if (seen.won_and_stuck > 0) {
        const model::Block& block = structure.prefix[seen.where];
        return Error(
            block.place,
            fmt::format("in {} of {} random plays ∃ has won already when {} is due, has no legal value "
                        "for it, and so loses",
                        seen.won_and_stuck, played, level_of(model, block)),
            "let the rule allow a move that changes nothing once the game is over");
    }
    constexpr int enough = 10;
    if (seen.came >= enough && seen.stuck == seen.came) {
        return Error(end.place,
                     fmt::format("∃ has no legal value for {}, its last move, in any of {} random plays that "
                                 "get there, and so loses",
                                 level_of(model, end), seen.came),
                     remedy);
    }
    return std::nullopt;
}

}  // namespace zermelo::strategy
