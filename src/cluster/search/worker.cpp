#include "cluster/search/worker.hpp"

#include "core/clock.hpp"

namespace zermelo::cluster {

using namespace std::chrono_literals;

void Worker::run() {
    while (const auto order = next()) {
        Report report = work(*order);
        const std::lock_guard lock(mutex_);
        running_.reset();
        reports_.push_back(std::move(report));
        changed_.notify_all();
    }
}

void Worker::give(Order order) {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
    changed_.notify_all();
}

void Worker::cut(SplitTree::Node job) {
    const std::lock_guard lock(mutex_);
    if (running_ == job) cut_ = true;
}

void Worker::check_time() {
    const std::lock_guard lock(mutex_);
    if (running_ && Clock::now() >= ends_) cut_ = true;
}

void Worker::dismiss() {
    const std::lock_guard lock(mutex_);
    dismissed_ = true;
    cut_ = true;
    changed_.notify_all();
}

void Worker::receive_news(Bytes message) {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(message));
    changed_.notify_all();
}

std::vector<Report> Worker::reports() {
    const std::lock_guard lock(mutex_);
    return std::exchange(reports_, {});
}

std::vector<Bytes> Worker::news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(outbox_, {});
}

void Worker::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, running_ ? 5ms : 1ms, [this] { return !reports_.empty(); });
}

void Worker::exchange() {
    if (!options_.news || seconds_since(exchanged_) < options_.seconds_between_news) return;
    learn();
    Bytes found = question_.news();
    exchanged_ = Clock::now();
    if (found.empty()) return;
    const std::lock_guard lock(mutex_);
    outbox_.push_back(std::move(found));
}

void Worker::learn() {
    std::vector<Bytes> messages;
    {
        const std::lock_guard lock(mutex_);
        messages.swap(inbox_);
    }
    for (const Bytes& message : messages) question_.learn(message);
}

std::optional<Order> Worker::next() {
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return dismissed_ || !orders_.empty() || !inbox_.empty(); });
        if (dismissed_ || !orders_.empty()) break;
        lock.unlock();
        learn();
        lock.lock();
    }
    idle_seconds_ += seconds_since(start);
    if (dismissed_) return std::nullopt;
    Order order = std::move(orders_.front());
    orders_.pop_front();
    running_ = order.job;
    cut_ = order.seconds <= 0;
    ends_ = Clock::now() + clock_duration(order.seconds);
    return order;
}

Report Worker::work(const Order& order) {
    Report report;
    report.job = order.job;
    try {
        {
            const Cancellable scope(cut_);
            report.answer = question_.solve(order.line);
        }
        if (!report.answer) report.stop = Limits(limits_).reached();
        if (!report.answer && report.stop == Stop::none && !dismissed_)
            report.split = question_.split(order.line);
        if (report.split && report.split->solved) {
            report.answer = std::move(report.split->solved);
            report.split.reset();
        }
        exchange();
    } catch (const LimitReached&) {
        report.stop = Limits(limits_).reached();  // none where only the job was ended
    } catch (const std::exception& problem) {
        report.failure = problem.what();
    }
    return report;
}

}  // namespace zermelo::cluster
