#include "play/mcts/bandit.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

namespace zermelo::play {

namespace {

constexpr std::size_t leaves_in_time = 128;
constexpr std::uint64_t batches_wanted = 64;
constexpr std::size_t judged_leaves_in_time = 32;
constexpr std::uint64_t judged_batches_wanted = 16;
constexpr double exploration_of_means = 0.1;
constexpr double exploration_of_plays = 0.4;
constexpr double confidence = 1.96;  // standard deviations of a 95 % interval
constexpr double least_variance = 0.01;
constexpr double not_tried = 2;  // better than everything
constexpr std::uint32_t tried_often = 16;
constexpr double first_differences = 0.02;  // as if so much had been measured
constexpr double first_variances = 1;
constexpr double remembered = 0.999;
constexpr double least_bias = 1e-5;

}  // namespace

Batch batch_for(const MctsOptions& options, const TimeBudget& allowance, std::size_t lanes) {
    Batch batch{.leaves = options.leaves, .each = options.each};
    const bool counted = !allowance.deadline.set();
    if (counted && batch.each == 0) batch.each = 1;
    const bool judged = options.judgement != nullptr;
    if (batch.leaves == 0) {
        const std::uint64_t wanted = judged ? judged_batches_wanted : batches_wanted;
        const std::size_t in_time = judged ? judged_leaves_in_time : leaves_in_time;
        batch.leaves = counted ? std::max<std::size_t>(1, allowance.playouts / wanted / batch.each) : in_time;
        if (judged) batch.leaves = std::min(batch.leaves, judged_leaves_in_time);
    }
    batch.leaves = std::min(batch.leaves, lanes);
    batch.each = std::min(batch.each, lanes / batch.leaves);
    const std::size_t playouts = batch.each > 0 ? batch.each : lanes / batch.leaves;
    batch.exploration =
        options.explore *
        options.exploration.value_or(exploration_of_means +
                                     exploration_of_plays / std::sqrt(static_cast<double>(playouts)));
    return batch;
}

Estimate Arm::estimate() const {
    Estimate estimate{.move = move, .visits = visits};
    if (visits == 0) return estimate;
    const double n = visits;
    const double mean = sum / n;
    const double wide = confidence * std::sqrt(std::max(least_variance, squares / n - mean * mean) / n);
    estimate.mean = 100 * mean;
    estimate.low = 100 * std::max(0.0, mean - wide);
    estimate.high = 100 * std::min(1.0, mean + wide);
    return estimate;
}

std::pair<double, double> Arm::range(double deviations) const {
    if (visits < tried_often) return {0, 1};
    const double n = visits;
    const double mean = sum / n;
    const double wide = deviations * std::sqrt(std::max(least_variance, squares / n - mean * mean) / n);
    return {mean - wide, mean + wide};
}

double worth(const MctsOptions& options, double exploration, const Arm& arm, double log_visits,
             const Count* count) {
    const double tries = arm.visits + arm.pending;
    if (!options.grave)
        return tries > 0 ? arm.sum / tries + exploration * std::sqrt(log_visits / tries) : not_tried;
    if (count == nullptr || count->playouts <= 0) return tries > 0 ? arm.sum / tries : not_tried;
    const double many = count->playouts;
    const double beta = many / (many + tries + options.bias * many * tries);
    return beta * count->sum / many + (tries > 0 ? (1 - beta) * arm.sum / tries : 0);
}

void Transfer::compare(const Arm& arm, const Count& count) {
    if (arm.visits < tried_often || count.playouts < static_cast<float>(tried_often)) return;
    const double n = arm.visits;
    const double mean = arm.sum / n;
    const double variance = std::max(least_variance, arm.squares / n - mean * mean);
    const double difference = count.sum / count.playouts - mean;
    differences_ *= remembered;
    variances_ *= remembered;
    differences_ += difference * difference - variance / n - variance / count.playouts;
    variances_ += variance;
}

double Transfer::bias() const {
    return std::max(least_bias, (first_differences + differences_) / (first_variances + variances_));
}

double blended_worth(double exploration, double bias, const Arm& arm, double log_visits, const Count* count) {
    const double tries = arm.visits + arm.pending;
    const double many = count == nullptr ? 0 : double{count->playouts};
    if (many <= 0)
        return tries > 0 ? arm.sum / tries + exploration * std::sqrt(log_visits / tries) : not_tried;
    const double elsewhere = many / (1 + bias * many);  // worth so many tries
    const double all = tries + elsewhere;
    return (arm.sum + elsewhere * count->sum / many) / all + exploration * std::sqrt(log_visits / all);
}

void run_threads(std::size_t n, const std::function<void(std::size_t)>& work) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guarded = [&, flag = Cancellable::flag()](std::size_t i) {
        const Cancellable scope(flag);
        try {
            work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < n; ++i) threads.emplace_back(guarded, i);
        guarded(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace zermelo::play
