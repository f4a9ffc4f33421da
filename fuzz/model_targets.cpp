// Quantified models as FlatZinc, and formulas as QDIMACS and QCIR. A model that is solved in time carries a certificate that
// stands, and a formula means the same when it is written and read again.

#include <sstream>

#include "model/flatzinc/flatzinc.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qbf/write.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "quantified/qbf/solve.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

namespace {

quantified::SolveOptions within_limits() {
    quantified::SolveOptions options;
    options.limits = small_limits();
    options.goods_bytes = std::size_t{1} << 20;
    return options;
}

void check_answer(const model::Model& model, const quantified::Answer& answer) {
    if (answer.verdict == quantified::Verdict::unknown || answer.uncertified) return;
    strategy::VerifyOptions checking;
    checking.limits = small_limits();
    checking.remembered = std::size_t{1} << 10;
    const strategy::Verification check = verify(model, answer.strategy, checking);
    promise(!check.counterexample, "the certificate fails");
}

}  // namespace

void flatzinc(const std::string& text) {
    try {
        std::istringstream in(text);
        model::Model model = model::read_flatzinc(in, "fuzz.fzn");
        model.cuts.clear();  // a cut is a promise that nobody made here
        check_answer(model, quantified::solve(model, within_limits()));
    } catch (const Error&) {
        // what damaged text deserves
    }
}

void qbf(const std::string& text) {
    try {
        std::istringstream in(text);
        const bool circuit = text.starts_with("#QCIR");
        const model::Model model =
            circuit ? model::read_qcir(in, "fuzz.qcir") : model::read_qdimacs(in, "fuzz.qdimacs");
        const quantified::Answer answer = quantified::solve_by_learning(model, within_limits());
        check_answer(model, answer);
        model::BooleaniseOptions options;
        options.limits = small_limits();
        std::stringstream written;
        write_qcir(written, booleanise(model, options));
        const model::Model again = model::read_qcir(written, "again.qcir");
        const quantified::Answer second = quantified::solve_by_learning(again, within_limits());
        if (answer.verdict == quantified::Verdict::unknown || second.verdict == quantified::Verdict::unknown)
            return;
        promise(answer.verdict == second.verdict, "the formula that was written means something else");
    } catch (const Error&) {
        // what damaged text deserves
    }
}

}  // namespace zermelo::fuzz
