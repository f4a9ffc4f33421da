// Definitions of parallel_search.hpp.

#pragma once

#include "quantified/parallel/parallel_search.hpp"

#include <thread>

#include "core/deep_stack.hpp"

namespace zermelo::quantified {

template <kernel::Kernel K>
Answer solve_in_parallel(const kernel::Program& program, const SolveOptions& options,
                         SharedSearchState& shared, const std::vector<Part<K>>& parts) {
    SolveOptions silent = options;
    silent.progress = nullptr;
    std::vector<std::unique_ptr<Search<K>>> members;
    std::vector<Search<K>*> all;
    shared.prepare();
    for (unsigned i = 0; i < shared.members; ++i) {
        members.push_back(std::make_unique<Search<K>>(program, i == 0 ? options : silent, shared,
                                                      parts.empty() ? Part<K>{} : parts[i]));
        all.push_back(members.back().get());
    }
    for (Search<K>* member : all) member->set_peers(all);

    std::vector<Answer> answers(shared.members);
    std::vector<std::exception_ptr> problems(shared.members);
    const auto work = [&](unsigned i) {
        try {
            with_deep_stack(program.moves.size(), [&] { answers[i] = members[i]->run(); });
        } catch (...) {
            problems[i] = std::current_exception();
        }
        shared.done = true;
        shared.safepoint.leave();
    };
    {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < shared.members; ++i) others.emplace_back(work, i);
        work(0);
    }
    for (const auto& problem : problems) {
        if (problem) std::rethrow_exception(problem);
    }
    std::size_t first = 0;
    SearchStatistics total;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        total += answers[i].statistics;
        const bool better = answers[i].verdict != Verdict::unknown || answers[i].stop != Stop::none;
        if (answers[first].verdict == Verdict::unknown && better) first = i;
    }
    answers[first].statistics = total;
    return std::move(answers[first]);
}

}  // namespace zermelo::quantified
