// Parallel loop with dynamic scheduling: a range is cut into pieces, and whichever worker is free takes the
// next one.
//
// The calling thread is one of the workers and checks the limits, because a Limits belongs to one thread.

#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "core/limits.hpp"

namespace zermelo::game {

struct Workers {
    unsigned threads = 0;  // 0: one a core
    const Limits& limits;
    std::string during;  // for the error when a limit is reached: "while …"

    [[nodiscard]] unsigned count() const {
        return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    }
    void require_time() const {
        if (const Stop stop = limits.reached(); stop != Stop::none) {
            throw LimitReached(stop, during, "raise the limit");
        }
    }
};

// Calls work(worker, begin, end) for pieces of 0 … n; every piece begins at a multiple of `piece`. An
// exception of one worker is rethrown here when all have stopped.
template <class Work>
void parallel_for(const Workers& workers, std::size_t n, std::size_t piece, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr thrown;
    std::atomic_flag taken;
    const auto run = [&](unsigned worker) {
        try {
            for (std::size_t begin = 0; !stop && (begin = next.fetch_add(piece)) < n;) {
                if (worker == 0) workers.require_time();
                work(worker, begin, std::min(begin + piece, n));
            }
        } catch (...) {
            if (!taken.test_and_set()) thrown = std::current_exception();
            stop = true;
        }
    };
    {
        std::vector<std::jthread> others;
        const std::size_t useful = std::min<std::size_t>(workers.count(), (n + piece - 1) / piece);
        for (unsigned worker = 1; worker < useful; ++worker) others.emplace_back(run, worker);
        run(0);
    }
    if (thrown) std::rethrow_exception(thrown);
}

// A list for each worker, so that appending needs no lock.
template <class T>
class PerWorker {
public:
    explicit PerWorker(const Workers& workers) : parts_(workers.count()) {}
    std::vector<T>& operator[](unsigned worker) { return parts_[worker]; }

    // The concatenation of all lists, which are empty afterwards.
    std::vector<T> take() {
        std::vector<T> all = std::move(parts_.front());
        for (std::size_t i = 1; i < parts_.size(); ++i)
            all.insert(all.end(), parts_[i].begin(), parts_[i].end());
        for (auto& part : parts_) part.clear();
        return all;
    }

private:
    std::vector<std::vector<T>> parts_;
};

}  // namespace zermelo::game
