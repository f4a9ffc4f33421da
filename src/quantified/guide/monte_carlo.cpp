#include "quantified/guide/monte_carlo.hpp"

#include <algorithm>

#include "quantified/guide/playouts.hpp"

namespace zermelo::quantified {

namespace {

constexpr int playouts_between_looks = 4;
constexpr std::uint32_t visits_a_value = 2;  // before it gets an estimate

std::span<const strategy::Move> common_beginning(std::span<const strategy::Move> a,
                                                 std::span<const strategy::Move> b) {
    const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    return a.first(static_cast<std::size_t>(end - a.begin()));
}

// Plays beside the search until it has to stop. Where nothing is left to find out it goes back along the
// play, to what the search will come to next.
void explore(Bus& bus, const model::Model& model, const model::Structure& structure,
             const Playouts::Options& options, const std::stop_token& stop) {
    Playouts playouts(model, structure, options);
    Bus::Bookmark bookmark;
    Bus::News news;
    std::vector<strategy::Move> before;
    while (!stop.stop_requested()) {
        before = news.position;
        if (bus.read(bookmark, news)) {
            for (const auto& [position, won] : news.decisions) playouts.learn(position, won);
        }
        auto root = common_beginning(news.position, before);
        while (!playouts.run(root, -1, playouts_between_looks, stop)) {
            if (root.empty()) return;
            root = root.first(root.size() - 1);
        }
        bus.post(playouts.latest_advice(visits_a_value));
    }
}

}  // namespace

Explorer monte_carlo_explorer(const MonteCarloOptions& options) {
    return [options](Bus& bus, const model::Model& model, const model::Structure& structure,
                     const std::stop_token& stop) {
        explore(bus, model, structure, {.seed = options.seed, .positions = options.positions}, stop);
    };
}

MonteCarloGuide::MonteCarloGuide(const MonteCarloOptions& options) : options_(options) {
    if (options.playouts_per_question > 0) return;
    std::vector<Explorer> explorers;
    for (unsigned i = 0; i < options.threads; ++i) {
        MonteCarloOptions own = options;
        own.seed += i;
        explorers.push_back(monte_carlo_explorer(own));
    }
    concurrent_ = std::make_unique<BusGuide>(std::move(explorers));
}

MonteCarloGuide::~MonteCarloGuide() = default;

void MonteCarloGuide::start(const model::Model& model) {
    if (concurrent_) return concurrent_->start(model);
    const std::lock_guard lock(mutex_);
    structure_ = std::make_unique<const model::Structure>(analyse(model));
    playouts_ = std::make_unique<Playouts>(
        model, *structure_, Playouts::Options{.seed = options_.seed, .positions = options_.positions});
}

void MonteCarloGuide::now_at(std::span<const strategy::Move> play) {
    if (concurrent_) concurrent_->now_at(play);
}

void MonteCarloGuide::advise(std::span<const strategy::Move> play, model::VarId variable,
                             std::vector<model::Value>& values) {
    if (concurrent_) return concurrent_->advise(play, variable, values);
    const std::lock_guard lock(mutex_);
    if (!playouts_) return;
    playouts_->run(play, variable, options_.playouts_per_question);
    reorder(values, playouts_->advice(position_after(play), variable, 0));
}

void MonteCarloGuide::learn(std::span<const strategy::Move> play, bool won) {
    if (concurrent_) return concurrent_->learn(play, won);
    const std::lock_guard lock(mutex_);
    if (playouts_) playouts_->learn(position_after(play), won);
}

void MonteCarloGuide::stop() {
    if (concurrent_) return concurrent_->stop();
    const std::lock_guard lock(mutex_);
    playouts_.reset();
}

}  // namespace zermelo::quantified
