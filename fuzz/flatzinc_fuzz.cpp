// libFuzzer: any bytes as FlatZinc. Reading complains with an Error or gives a model; a model that is solved
// in time carries a certificate that stands.

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "model/flatzinc/flatzinc.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace zermelo;
    try {
        std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
        model::Model model = model::read_flatzinc(text, "fuzz.fzn");
        model.cuts.clear();  // a cut is a promise that nobody made here
        quantified::SolveOptions options;
        options.limits = Limits(0.05, std::nullopt);
        const quantified::Answer answer = solve(model, options);
        if (answer.verdict == quantified::Verdict::unknown) return 0;
        strategy::VerifyOptions checking;
        checking.limits = Limits(0.05, std::nullopt);
        const strategy::Verification check = verify(model, answer.strategy, checking);
        if (check.counterexample) {
            std::cerr << "the certificate fails: " << check.counterexample->text(model) << '\n';
            std::abort();
        }
    } catch (const Error&) {
        // what damaged text deserves
    }
    return 0;
}
