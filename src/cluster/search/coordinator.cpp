#include "cluster/search/coordinator.hpp"

namespace zermelo::cluster {

Coordinator::Coordinator(const DivisibleSearch& question, Rank processes, const ClusterSearchOptions& options,
                         SearchCheckpoint& checkpoint, ClusterSearchStatistics& statistics)
    : tree_(question.name()),
      running_(processes),
      options_(options),
      checkpoint_(checkpoint),
      statistics_(statistics) {
    look_up(SplitTree::root);
    resuming_ = false;
}

void Coordinator::receive(Rank from, Report report) {
    running_[from].reset();
    if (!report.failure.empty()) ending_.failure = std::move(report.failure);
    if (report.stop != Stop::none) ending_.stop = report.stop;
    if (report.answer) {
        settle(report.job, *std::move(report.answer));
    } else if (report.split) {
        ++statistics_.splits;
        checkpoint_.put(tree_.key(report.job), *report.split);
        for (const auto child : tree_.split(report.job, *report.split)) look_up(child);
    }
    tree_.give_back(report.job);
}

void Coordinator::assign_jobs(const Give& give, const Cut& cut) {
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        if (!running_[rank] || running_[rank]->cut || tree_.wanted(running_[rank]->job)) continue;
        ++statistics_.cancelled;
        end_job(rank, cut);
    }
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        if (running_[rank]) continue;
        const auto choice = tree_.next();
        if ((!choice || choice->needed < options_.likely_enough) && recall_one(cut)) continue;
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
    constexpr double with_checkpoint = 1;
    constexpr double forever = 1e9;
    if (!options_.first_job_seconds && options_.checkpoint.empty()) return forever;
    return std::max(options_.first_job_seconds.value_or(with_checkpoint),
                    options_.part_of_time * seconds_since(start_));
}

void Coordinator::settle(SplitTree::Node job, Solved answer) {
    tree_.decide(job, answer.won);
    checkpoint_.put(tree_.key(job), answer);
    leaves_.push_back({tree_.key(job), std::move(answer)});
}

void Coordinator::look_up(SplitTree::Node leaf) {
    if (tree_.answer(leaf)) return;
    if (const Solved* known = checkpoint_.find(tree_.key(leaf))) {
        statistics_.continued += resuming_ ? 1 : 0;
        settle(leaf, *known);
    } else if (const Split* split = checkpoint_.find_split(tree_.key(leaf))) {
        statistics_.continued += resuming_ ? 1 : 0;
        for (const auto child : tree_.split(leaf, *split)) look_up(child);
    }
}

void Coordinator::end_job(Rank rank, const Cut& cut) {
    running_[rank]->cut = true;
    cut(rank, running_[rank]->job);
}

bool Coordinator::recall_one(const Cut& cut) {
    std::optional<Rank> best;
    std::size_t being_recalled = 0;
    std::size_t idle = 0;
    for (Rank rank = 0; rank < running_.size(); ++rank) {
        idle += running_[rank] ? 0 : 1;
        if (!running_[rank]) continue;
        being_recalled += running_[rank]->cut ? 1 : 0;
        if (running_[rank]->cut || seconds_since(running_[rank]->since) < options_.least_job_seconds)
            continue;
        if (!best || tree_.depth(running_[rank]->job) < tree_.depth(running_[*best]->job)) best = rank;
    }
    if (being_recalled >= idle) return true;
    if (!best) return false;
    ++statistics_.recalled;
    end_job(*best, cut);
    return true;
}

}  // namespace zermelo::cluster
