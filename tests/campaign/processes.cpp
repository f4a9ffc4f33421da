// One to four processes find the same about the same graph or model, and what they prove stands.

#include <sstream>

#include "campaign/campaign.hpp"
#include "campaign/forked_comm.hpp"
#include "cluster/retrograde/solve.hpp"
#include "cluster/search/distributed_search.hpp"
#include "core/random.hpp"
#include "game/strategy/verify.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/search_options.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo::campaign {

namespace {

void solve_backwards(const game::Graph& graph, cluster::Rank count, std::optional<Hash128>& digest) {
    game::SolveOptions one;
    one.engine = game::Engine::attractors;
    const game::Solution expected = game::solve(graph, one);
    in_processes(count, [&](cluster::Comm& comm) {
        cluster::LevelOptions options;
        options.counters = graph.states() % 2 == 0;
        const cluster::LevelsSolution found = cluster::solve_levels(graph, comm, options);
        if (!comm.first()) return;
        require(found.solution.solved && found.solution.values == expected.values,
                std::to_string(count) + " processes: the values differ");
        game::GraphGame rules(graph);
        for (const game::Plan& plan : found.solution.plans)
            require(game::verify_plan(rules, plan).valid, std::to_string(count) + " processes: a plan fails");
        if (!digest) digest = found.digest;
        require(found.digest == *digest,
                std::to_string(count) + " processes: the values of some state differ");
    });
}

void search(const model::Model& model, bool won, cluster::Rank count, std::uint64_t seed) {
    in_processes(count, [&](cluster::Comm& comm) {
        cluster::ClusterSearchOptions jobs;
        jobs.first_job_seconds = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 2e-4 : 1;
        jobs.part_of_time = 0;
        jobs.seconds_between_news = seed % 2 == 0 ? 0 : 1e-3;
        cluster::ClusterSearch partners(comm, jobs);
        quantified::SolveOptions options = options_number(seed);
        options.partners = &partners;
        const quantified::Answer found = quantified::solve(model, options);
        require(found.verdict == (won ? quantified::Verdict::won : quantified::Verdict::lost),
                std::to_string(count) + " processes: the verdict differs");
        if (comm.first())
            require(verify(model, found.strategy).valid,
                    std::to_string(count) + " processes: the strategy fails");
    });
}

}  // namespace

void run_processes(const Case& drawn) {
    std::istringstream in(drawn.text);
    const game::Graph graph = game::read_graph_json(in, "drawn.json");
    std::optional<Hash128> digest;
    for (cluster::Rank count = 1; count <= 4; ++count) solve_backwards(graph, count, digest);
    const auto count = static_cast<cluster::Rank>(2 + drawn.seed % 3);
    if (drawn.seed % 4 == 0) {
        const model::ModelBuilder builder = random_strategic_model(drawn.seed);
        search(builder.build(), oracle::strategically_won(builder.source()), count, drawn.seed);
    } else {
        const model::ModelBuilder builder = random_model(drawn.seed, Shape::any(drawn.seed));
        search(builder.build(), oracle::won(builder.source()), count, drawn.seed);
    }
    drawn.tally.count("models");
}

}  // namespace zermelo::campaign
