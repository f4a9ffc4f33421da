// Problem: a game to be solved, whatever language its rules are written in.
//
// read() and read_text() are the way in for every front end. A problem holds the rules and nothing of how
// they are solved; it is cheap to copy, and threads may share it.

#pragma once

#include <memory>
#include <string>
#include <variant>

#include "game/graph/graph.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "stochastic/model.hpp"

namespace zermelo {

enum class Language : std::uint8_t { gdl, graph, minizinc, flatzinc, qdimacs, qcir, unknown };

// By the ending of the file's name: .kif .gdl; .json .dot .gv; .mzn; .fzn; .qdimacs .cnf; .qcir.
[[nodiscard]] Language language_of(const std::string& file);
// Everything but GDL and graphs: a quantified or stochastic model, or an ending that no reader knows.
[[nodiscard]] bool is_model(Language language);

struct ReadOptions {
    Limits limits = {};
    model::MiniZincOptions minizinc = {};  // data, definitions; its own limits are not used
    std::string objective = {};            // of a model: an expression (.mzn) or a variable, to be maximised
    std::size_t most_rules = 0;            // of a grounding in GDL; 0: the grounder's own bound
};

class Problem {
public:
    enum class Kind : std::uint8_t { gdl, graph, quantified, stochastic };
    using Rules =
        std::variant<std::shared_ptr<const gdl::Game>, std::shared_ptr<const game::Graph>,
                     std::shared_ptr<const model::Model>, std::shared_ptr<const stochastic::StochasticModel>>;

    // `file` is what messages and certificates call it.
    Problem(std::string file, Rules rules) : file_(std::move(file)), rules_(std::move(rules)) {}

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(rules_.index()); }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string title() const;  // the file's name without folders
    [[nodiscard]] Hash128 fingerprint()
        const;  // of the rules; throws Error for models, which are compared by name

    // Null where the problem is of another kind.
    [[nodiscard]] const gdl::Game* gdl() const { return held<gdl::Game>(); }
    [[nodiscard]] const game::Graph* graph() const { return held<game::Graph>(); }
    [[nodiscard]] const model::Model* model() const { return held<model::Model>(); }
    [[nodiscard]] const stochastic::StochasticModel* stochastic() const {
        return held<stochastic::StochasticModel>();
    }
    [[nodiscard]] const Rules& rules() const { return rules_; }

    // The same graph, with its play beginning in the state of this name. Throws Error where there is none.
    [[nodiscard]] Problem starting_at(const std::string& state) const;

    // work(game) on the forward view (game/game.hpp), made for this call alone. Throws Error for models with
    // chance.
    template <class Work>
    auto with_game(Work work) const {
        require_forward_view();
        if (gdl() != nullptr) return call(work, game::GdlGame(*gdl()));
        if (graph() != nullptr) return call(work, game::GraphGame(*graph()));
        return call(work, game::ModelGame(*model()));
    }

private:
    template <class T>
    [[nodiscard]] const T* held() const {
        const auto* found = std::get_if<std::shared_ptr<const T>>(&rules_);
        return found == nullptr ? nullptr : found->get();
    }
    template <class Work, class Game>
    static auto call(Work& work, Game game) {
        return work(game);
    }
    void require_forward_view() const;

    std::string file_;
    Rules rules_;
};

// Rules that a program has made for itself.
[[nodiscard]] Problem make_problem(model::Model model);
[[nodiscard]] Problem make_problem(stochastic::StochasticModel model);
[[nodiscard]] Problem make_problem(game::Graph graph, const std::string& name = "graph");
[[nodiscard]] Problem make_problem(gdl::Game game);

// A quantified model with its rules as constraints and cuts (model/plain_qcsp.hpp). Throws Error where the
// problem is none.
[[nodiscard]] Problem as_plain_qcsp(const Problem& problem);

// Throw Error about the text, LimitReached.
[[nodiscard]] Problem read(const std::string& file, const ReadOptions& options = {});
// Graphs in JSON, or in DOT where the text does not begin with a brace.
[[nodiscard]] Problem read_text(const std::string& text, Language language, const std::string& name,
                                const ReadOptions& options = {});

}  // namespace zermelo
