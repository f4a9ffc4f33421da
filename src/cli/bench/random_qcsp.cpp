#include "cli/bench/random_qcsp.hpp"

#include <fmt/format.h>

#include <numeric>

#include "core/random.hpp"
#include "model/builder.hpp"

namespace zermelo::cli {

namespace {

struct Chosen {
    model::IntExpr variable;
    int block;
};

using Rows = std::vector<std::vector<model::Value>>;

Rows allowed_rows(const RandomQcsp& parameters, bool bijection, Random& random) {
    std::vector<int> partner(static_cast<std::size_t>(parameters.values));
    std::iota(partner.begin(), partner.end(), 0);
    for (std::size_t i = partner.size(); i > 1; --i) std::swap(partner[i - 1], partner[random.below(i)]);
    Rows rows;
    for (int a = 0; a < parameters.values; ++a) {
        const bool forbids = random.chance(parameters.forall_tightness);
        for (int b = 0; b < parameters.values; ++b) {
            const bool gone = bijection ? forbids && partner[static_cast<std::size_t>(a)] == b
                                        : random.chance(parameters.tightness);
            if (!gone) rows.push_back({a, b});
        }
    }
    return rows;
}

}  // namespace

model::Model random_qcsp(const RandomQcsp& parameters) {
    Random random(parameters.seed);
    model::ModelBuilder game(fmt::format("random-qcsp-{}", parameters.seed));
    std::vector<Chosen> ours;
    std::vector<Chosen> theirs;
    for (int b = 0; b < parameters.blocks; ++b) {
        const bool exists = b % 2 == 0;
        const std::string name = fmt::format("{}{}", exists ? "x" : "y", b + 1);
        for (const auto& v : exists ? game.exists(name, parameters.variables, 0, parameters.values - 1)
                                    : game.forall(name, parameters.variables, 0, parameters.values - 1)) {
            (exists ? ours : theirs).push_back({v, b});
        }
    }
    for (int i = 0; i < parameters.exists_pairs; ++i) {
        const std::size_t a = random.below(ours.size());
        const std::size_t b = (a + 1 + random.below(ours.size() - 1)) % ours.size();
        game.require(
            model::table({ours[a].variable, ours[b].variable}, allowed_rows(parameters, false, random)));
    }
    for (int i = 0; i < parameters.forall_pairs && !theirs.empty(); ++i) {
        const Chosen& y = theirs[random.below(theirs.size())];
        const Chosen* x = &ours[random.below(ours.size())];
        while (x->block < y.block) x = &ours[random.below(ours.size())];
        game.require(model::table({y.variable, x->variable}, allowed_rows(parameters, true, random)));
    }
    return game.build();
}

}  // namespace zermelo::cli
