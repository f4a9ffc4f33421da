// zermelo play, for quantified models: a person takes either side, the program the other one.
//
// With a strategy file its owner's moves are known. Without, or on the other side, the program solves the position at
// hand, with the moves made so far as the only values of their variables, and follows the strategy that it finds. Where
// the person wins by force, or the time is over, it makes some legal move.

#pragma once

#include <map>
#include <optional>

#include "cli/command.hpp"
#include "core/random.hpp"
#include "solve/problem/model_view.hpp"
#include "solve/solve.hpp"
#include "strategy/follow.hpp"

namespace zermelo::cli {

struct PlayModelOptions {
    std::string strategy_file;
    std::string role;    // exists or forall; empty: against the strategy, or ∃
    double seconds = 1;  // for a move
    std::uint64_t seed = 1;
};

class PlayModel {
public:
    // The problem must outlive it. Throws Error where it has chance, or the strategy or role does not fit.
    PlayModel(const Problem& problem, const PlayModelOptions& options, const model::MiniZincOptions& reading);
    int run();

private:
    // A strategy with the model that it was made for: the whole one, or one with the moves so far fixed.
    struct Plan {
        std::shared_ptr<const model::Model> model;
        model::Structure structure;
        Certificate certificate;
        [[nodiscard]] const strategy::Strategy& strategy() const {
            return *certificate.as<strategy::Strategy>();
        }
    };

    [[nodiscard]] std::optional<model::VarId> due();
    [[nodiscard]] model::Quantifier owner(model::VarId variable) const;
    void make(model::VarId variable, model::Value value);
    // What a plan of this side says for the position; nothing where it has left the plan.
    [[nodiscard]] std::optional<model::Value> follow(const Plan& plan, model::VarId variable) const;
    // The best move that is known for this side; nothing where none is known to win.
    [[nodiscard]] std::optional<model::Value> advice(model::Quantifier side, model::VarId variable);
    [[nodiscard]] std::unique_ptr<Plan> solve_here() const;
    [[nodiscard]] std::optional<model::Value> ask(model::VarId variable,
                                                  const std::vector<model::Value>& legal);
    void show_position();
    void take_back();

    const Problem& problem_;
    const model::Model& model_;
    model::Structure structure_;
    PlayModelOptions options_;
    strategy::ModelRules rules_;
    ModelView view_;
    model::Quantifier person_ = model::Quantifier::exists;
    std::map<model::Quantifier, std::unique_ptr<Plan>> plans_;  // by the side that wins by it
    std::vector<model::VarId> order_;                           // the variables of the prefix
    std::vector<model::Value> played_;
    std::vector<bool> chosen_;  // by move: the person had a choice
    std::size_t shown_ = ~std::size_t{0};
    Random random_;
};

}  // namespace zermelo::cli
