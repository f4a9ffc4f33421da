#include "model/flatzinc/chance.hpp"

#include "model/flatzinc/reader.hpp"

namespace zermelo::model::flatzinc {

void Reader::make_chance() {
    for (const Stage& stage : stages_) {
        calls_.look_at(*stage.call);
        if (stage.level->player == 0) {
            make_chance(stage);
        } else {
            std::vector<VarId> moves;
            for (std::size_t i = stage.first; i < stage.last; ++i)
                moves.push_back(stage.level->moves[i].variable);
            say(*stage.call, says_owner, {constants({stage.level->player}), std::move(moves)});
        }
    }
    for (const Call* call : utilities_) {
        calls_.look_at(*call);
        const bool satisfied = call->name == says_satisfied || call->name == "zermelo_win";
        calls_.expect_count(satisfied ? 1 : 3, satisfied ? 1 : 3);
        if (satisfied) {
            say(*call, says_satisfied, {{calls_.boolean(0)}});
            continue;
        }
        const std::vector<VarId> player = constants({calls_.number(0)});
        const std::vector<VarId> last = constants({calls_.number(2)});
        if (call->name == says_worth) {
            say(*call, says_worth, {player, {calls_.integer(1)}, last});
        } else {
            say(*call, says_threshold, {player, constants({calls_.number(1)}), last});
        }
    }
}

// Each variable of the call has these probabilities; without weights they are equal.
void Reader::make_chance(const Stage& stage) {
    const std::vector<VarId> scope = calls_.integers(4);
    const std::vector<Domain>& domains = calls_.sets(5);
    if (scope.size() != domains.size())
        calls_.fail("there are not as many domains as variables that the probabilities depend on",
                    "give each variable its domain");
    for (std::size_t i = stage.first; i < stage.last; ++i) {
        const Move& move = stage.level->moves[i];
        std::vector<Value> weights = calls_.numbers(3);
        constexpr std::uint64_t most_outcomes = 1'000'000;
        if (move.domain.size() > most_outcomes)
            calls_.fail("a chance variable has too many values", "give it a smaller domain");
        if (weights.empty() && scope.empty()) weights.assign(move.domain.size(), 1);
        std::vector<std::vector<VarId>> arguments = {{move.variable}, scope, constants(weights)};
        for (const Domain& domain : domains) {
            if (domain.size() > weights.size())
                calls_.fail("there are too few weights for what the probabilities depend on",
                            "give a row for each combination of values");
            arguments.push_back(constants(domain.values()));
        }
        say(*stage.call, says_chance, std::move(arguments));
    }
}

std::vector<VarId> Reader::constants(const std::vector<Value>& numbers) {
    std::vector<VarId> result;
    for (const Value number : numbers) result.push_back(model_.constant(number));
    return result;
}

void Reader::say(const Call& call, const std::string& what, std::vector<std::vector<VarId>> arguments) {
    model_.constraints.push_back({Global{what, std::move(arguments)}, place(call.origin)});
}

}  // namespace zermelo::model::flatzinc
