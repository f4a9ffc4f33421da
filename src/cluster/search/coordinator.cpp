#include "cluster/search/coordinator.hpp"

namespace zermelo::cluster {

Coordinator::Coordinator(const DivisibleSearch& question, Rank processes, const ClusterSearchOptions& options,
                         SearchCheckpoint& shelf, ClusterSearchStatistics& statistics)
    : tree_(question.name()), running_(processes), options_(options), shelf_(shelf), statistics_(statistics) {
    look_on_the_shelf(SplitTree::root);
    from_earlier_ = false;
}

void Coordinator::take_in(Rank from, Report report) {
    running_[from].reset();
    if (!report.failure.empty()) ending_.failure = std::move(report.failure);
    if (report.stop != Stop::none) ending_.stop = report.stop;
    if (report.answer) {
        settle(report.job, *std::move(report.answer));
    } else if (report.split) {
        ++statistics_.splits;
        shelf_.put(tree_.key(report.job), *report.split);
        for (const auto child : tree_.split(report.job, *report.split)) look_on_the_shelf(child);
    }
    tree_.give_back(report.job);
}

void Coordinator::hand_out(const Give& give, const Cut& cut) {
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        if (!running_[rank] || running_[rank]->cut || tree_.wanted(running_[rank]->job)) continue;
        ++statistics_.called_off;
        end_job(rank, cut);
    }
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        if (running_[rank]) continue;
        const auto choice = tree_.next();
        if ((!choice || choice->needed < options_.likely_enough) && call_one_back(cut)) continue;
        if (!choice) return;
        ++statistics_.jobs;
        tree_.take(choice->leaf);
        running_[rank] = Running{choice->leaf, Clock::now()};
        give(rank, Order{choice->leaf, job_seconds(), tree_.line(choice->leaf)});
    }
}

std::optional<Ending> Coordinator::ending() const {
    if (ending_.stop != Stop::none || !ending_.failure.empty()) return ending_;
    const auto answer = tree_.answer();
    if (!answer) return std::nullopt;
    return Ending{*answer, Stop::none, {}};
}

Division Coordinator::division() { return {tree_.answer().value(), std::move(leaves_), tree_.inner()}; }

double Coordinator::job_seconds() const {
    constexpr double for_keeping = 1;
    constexpr double forever = 1e9;
    if (!options_.first_job_seconds && options_.kept.empty()) return forever;
    return std::max(options_.first_job_seconds.value_or(for_keeping),
                    options_.part_of_time * seconds_since(start_));
}

void Coordinator::settle(SplitTree::Node job, Solved answer) {
    tree_.decide(job, answer.won);
    shelf_.put(tree_.key(job), answer);
    leaves_.push_back({tree_.key(job), std::move(answer)});
}

void Coordinator::look_on_the_shelf(SplitTree::Node leaf) {
    if (tree_.answer(leaf)) return;
    if (const Solved* known = shelf_.find(tree_.key(leaf))) {
        statistics_.continued += from_earlier_ ? 1 : 0;
        settle(leaf, *known);
    } else if (const Split* split = shelf_.find_split(tree_.key(leaf))) {
        statistics_.continued += from_earlier_ ? 1 : 0;
        for (const auto child : tree_.split(leaf, *split)) look_on_the_shelf(child);
    }
}

void Coordinator::end_job(Rank rank, const Cut& cut) {
    running_[rank]->cut = true;
    cut(rank, running_[rank]->job);
}

bool Coordinator::call_one_back(const Cut& cut) {
    std::optional<Rank> best;
    std::size_t on_their_way = 0;
    std::size_t idle = 0;
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        idle += running_[rank] ? 0 : 1;
        if (!running_[rank]) continue;
        on_their_way += running_[rank]->cut ? 1 : 0;
        if (running_[rank]->cut || seconds_since(running_[rank]->since) < options_.least_job_seconds)
            continue;
        if (!best || tree_.depth(running_[rank]->job) < tree_.depth(running_[*best]->job)) best = rank;
    }
    if (on_their_way >= idle) return true;
    if (!best) return false;
    ++statistics_.called_back;
    end_job(*best, cut);
    return true;
}

}  // namespace zermelo::cluster
