// Another project that uses the library: ∃x ∀y (x + y ≤ 5) over 1 … 3 is won with x ≤ 2, and only so.

#include <zermelo/version.hpp>
#include <zermelo/zermelo.hpp>

#include <iostream>

int main() {
    using namespace zermelo;
    model::ModelBuilder game("consumer");
    const auto x = game.exists("x", 1, 3);
    const auto y = game.forall("y", 1, 3);
    game.win(x + y <= 5);
    const model::Model model = game.build();
    quantified::SolveOptions options;
    options.all_first_moves = true;
    const quantified::Answer answer = solve(model, options);
    const bool checked = verify(model, answer.strategy).valid;
    std::cout << "zermelo " << ZERMELO_VERSION << ": " << answer.first_moves.size() << " winning moves\n";
    return answer.verdict == quantified::Verdict::won && checked && answer.first_moves.size() == 2 ? 0 : 1;
}
