// Monte Carlo guide: random playouts beside the search order its values (Barichard and Stéphan 2017, section
// 7.2).
//
// Explorers on threads of their own follow the search: they play from the prefix that its last two positions
// share, and post what they find on a bus (bus.hpp). Their advice depends on timing, hence the search takes
// another path each time; its verdict is the same. With `playouts_per_question` there are no threads: every
// question waits for that many playouts, and the search is deterministic.

#pragma once

#include <memory>
#include <mutex>

#include "quantified/guide/bus.hpp"

namespace zermelo::quantified {

struct MonteCarloOptions {
    unsigned threads = 1;
    int playouts_per_question = 0;
    std::uint64_t seed = 1;
    std::size_t positions = std::size_t{1} << 18;  // remembered by each explorer
};

class Playouts;

class MonteCarloGuide : public Guide {
public:
    explicit MonteCarloGuide(const MonteCarloOptions& options = {});
    ~MonteCarloGuide() override;

    void start(const model::Model& model) override;
    void now_at(std::span<const strategy::Move> play) override;
    void advise(std::span<const strategy::Move> play, model::VarId variable,
                std::vector<model::Value>& values) override;
    void learn(std::span<const strategy::Move> play, bool won) override;
    void stop() override;

private:
    MonteCarloOptions options_;
    std::unique_ptr<BusGuide> concurrent_;  // with threads
    std::mutex mutex_;                      // of what follows: without
    std::unique_ptr<const model::Structure> structure_;
    std::unique_ptr<Playouts> playouts_;
};

// The same for a BusGuide with other explorers.
[[nodiscard]] Explorer monte_carlo_explorer(const MonteCarloOptions& options);

}  // namespace zermelo::quantified
