// Quantified and strategic models and quantified Boolean formulas: brute force over what the modeller wrote, both kernels
// with random techniques, the forward view, and strategies as they are and damaged.

#include <sstream>

#include "campaign/campaign.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qbf/write.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "quantified/qbf/solve.hpp"
#include "solve/solve.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"
#include "strategy/mutation.hpp"
#include "strategy/reference.hpp"
#include "strategy/strategic_reference.hpp"
#include "support/qbf_oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/search_options.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo::campaign {

namespace {

std::string counterexample(const model::Model& model, const strategy::Verification& check) {
    return check.counterexample ? check.counterexample->text(model) : "";
}

// By both kernels, with random techniques.
void search(const model::Model& model, bool won, std::uint64_t seed, Tally& tally) {
    strategy::Strategy found;
    for (std::uint64_t k = 0; k < 4; ++k) {
        quantified::SolveOptions options = options_number(seed * 4 + k);
        options.kernel = k % 2 == 0 ? quantified::KernelChoice::gecode : quantified::KernelChoice::trail;
        const quantified::Answer answer = quantified::solve(model, options);
        const std::string by =
            std::string(quantified::name(options.kernel)) + ", options " + std::to_string(seed * 4 + k);
        require(answer.verdict == (won ? quantified::Verdict::won : quantified::Verdict::lost),
                by + ": the verdict differs");
        const strategy::Verification check = verify(model, answer.strategy);
        require(check.valid, by + ": the strategy fails: " + counterexample(model, check));
        found = answer.strategy;
    }
    tally.count(won ? "won" : "lost");
    std::stringstream file;
    write_json(file, model, found);
    require(fingerprint(model, strategy::read_json(file, model)) == fingerprint(model, found),
            "the strategy changes in a file");
}

// The forward view, where a walk can be made of the model.
void search_forwards(const model::Model& model, bool won, Tally& tally) {
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number, Engine::attractors}) {
        SolveOptions options;
        options.engine = engine;
        options.threads = 1;
        try {
            const Problem problem = make_problem(model);
            const Verdict verdict = solve(problem, options);
            require(verdict.outcome == (won ? Outcome::won : Outcome::lost),
                    std::string(name(engine)) + ": the verdict differs");
            tally.count("forwards");
            if (verdict.certificate.empty()) continue;  // the rules allow nothing else
            const Report report = check(problem, verdict.certificate);
            require(report.valid,
                    std::string(name(engine)) + ": the plan fails: " + report.counterexample.value_or("?"));
        } catch (const LimitReached&) {
            throw;
        } catch (const Error&) {
            tally.count("refused forwards");
        }
    }
}

// `valid` says by definition whether a strategy is.
template <class Reference, class Valid>
void mutate(const model::Model& model, const strategy::Strategy& strategy, const Reference& reference,
            Valid valid, std::uint64_t seed, Tally& tally) {
    const model::Structure structure = analyse(model);
    Random random(seed);
    for (int i = 0; i < 12; ++i) {
        strategy::Strategy damaged = i % 3 == 2 ? completed(model, strategy) : strategy;
        if (!damage(damaged, model, structure, reference, random)) continue;
        const bool expected = valid(damaged);
        const strategy::Verification check = verify(model, damaged);
        require(check.valid == expected,
                expected ? "a mutated strategy that is valid is refused: " + counterexample(model, check)
                         : "a mutated strategy that is not valid passes");
        tally.count(expected ? "mutations that hold" : "mutations refused");
    }
}

}  // namespace

void run_quantified(const Case& drawn) {
    Shape shape = Shape::any(drawn.seed);
    if (drawn.seed % 2 == 0) shape.flavour = Shape::Flavour::mixed;
    shape.blocks = 4;
    shape.objective = drawn.seed % 8 == 5;
    const model::ModelBuilder builder = random_model(drawn.seed, shape);
    const model::Model model = builder.build();
    const bool won = oracle::won(builder.source());
    if (shape.objective) {
        const model::Value best = oracle::best_guaranteed(builder.source());
        if (best == oracle::everything) return;  // ∀ can be left without a move
        const quantified::Answer answer = quantified::maximise(model, options_number(drawn.seed));
        require(best == oracle::nothing ? answer.verdict == quantified::Verdict::lost : answer.best == best,
                "the best guaranteed value differs");
        drawn.tally.count("with an objective");
        return;
    }
    search(model, won, drawn.seed, drawn.tally);
    if (!shape.cuts) search_forwards(model, won, drawn.tally);
    Reference reference(naive(model, builder.source()));
    mutate(
        model, reference.winning_strategy(), reference,
        [&](const auto& each) { return reference.valid(each); }, drawn.seed, drawn.tally);
}

void run_strategic(const Case& drawn) {
    const model::ModelBuilder builder = random_strategic_model(drawn.seed);
    const model::Model model = builder.build();
    const bool won = oracle::strategically_won(builder.source());
    search(model, won, drawn.seed, drawn.tally);
    search_forwards(model, won, drawn.tally);
    StrategicReference reference(builder.source());
    mutate(
        model, reference.winning_strategy(), reference,
        [&](const auto& each) { return reference.valid(each, each.root, 0); }, drawn.seed, drawn.tally);
}

void run_formulas(const Case& drawn) {
    std::istringstream in(drawn.text);
    const model::Model model = model::read_qdimacs(in, "drawn.qdimacs");
    const bool truth = oracle::is_true(drawn.text);
    search(model, truth, drawn.seed, drawn.tally);
    const model::QuantifiedCircuit circuit = booleanise(model);
    require(oracle::is_true(circuit) == truth, "the circuit is another formula");
    std::stringstream qcir;
    write_qcir(qcir, circuit);
    std::stringstream qdimacs;
    write_qdimacs(qdimacs, circuit);
    for (const model::Model& each :
         {model, model::read_qcir(qcir, "again.qcir"), model::read_qdimacs(qdimacs, "again.qdimacs")}) {
        const quantified::Answer answer = quantified::solve_by_learning(each);
        require(answer.verdict == (truth ? quantified::Verdict::won : quantified::Verdict::lost),
                "learning: the verdict differs");
        require(!answer.uncertified, "learning: no strategy");
        const strategy::Verification check = verify(each, answer.strategy);
        require(check.valid, "learning: the strategy fails: " + counterexample(each, check));
    }
}

}  // namespace zermelo::campaign
