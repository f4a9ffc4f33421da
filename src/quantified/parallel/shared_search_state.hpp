// Shared state of a parallel search: the table of goods and nogoods, the strategy nodes, and which position
// each thread is at work on.
//
// Every thread searches the whole problem on its own and finishes it if the others stop. They help each other
// through the table: what one has solved the others look up, and a position that another is solving right now
// is deferred as long as there is something else to do (ABDADA, Weill 1996). The first to finish has the
// answer.

#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>

#include "core/bounded_outbox.hpp"
#include "core/bytes.hpp"
#include "core/safepoint.hpp"
#include "model/renaming.hpp"
#include "quantified/goods.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::quantified {

class SharedSearchState {
public:
    SharedSearchState(unsigned members, std::size_t goods_bytes, std::vector<model::Renaming> renamings);

    Goods goods;
    const unsigned members;
    const std::vector<model::Renaming> renamings;
    Safepoint safepoint;
    std::atomic<bool> done = false;  // a member has the answer, or had to stop

    // Before each start of the threads.
    void prepare();

    [[nodiscard]] strategy::NodeId node(model::VarId variable, std::vector<strategy::Edge> edges);
    [[nodiscard]] std::size_t nodes() const;
    [[nodiscard]] strategy::Strategy extract(strategy::NodeId root, model::Quantifier owner) const;

    // A node that serves a position with key image `from`, renamed to serve one with key image `to`
    // (see Residue::image).
    [[nodiscard]] strategy::NodeId renamed(strategy::NodeId node, std::size_t from, std::size_t to);

    // Garbage collection of the nodes that neither the table nor `roots` lead to. All threads must be at the
    // safepoint.
    void collect(std::vector<strategy::NodeId*> roots);

    // Goods to be sent to other processes that solve the same model, each with its strategy, unless that is
    // large.
    BoundedOutbox<Goods::Entry> outbox;
    [[nodiscard]] Bytes news();
    void learn(std::span<const std::byte> news);
    // Adds a strategy that another process found; returns its root.
    [[nodiscard]] strategy::NodeId adopt(const strategy::Strategy& strategy);

    // Is a thread solving a position with this key now? Counters are shared by keys with the same low bits.
    [[nodiscard]] bool busy(const Hash128& key) const {
        return counter(key).load(std::memory_order_relaxed) > 0;
    }
    void begin(const Hash128& key) { counter(key).fetch_add(1, std::memory_order_relaxed); }
    void end(const Hash128& key) { counter(key).fetch_sub(1, std::memory_order_relaxed); }

private:
    static constexpr std::size_t counters = 1 << 14;
    using Counter = std::atomic<std::uint16_t>;

    [[nodiscard]] Counter& counter(const Hash128& key) const { return (*at_work_)[key.high % counters]; }
    using RenamingStep = std::pair<std::size_t, std::size_t>;  // from and to
    using Composition = std::vector<RenamingStep>;
    struct Compositions {
        std::vector<Composition> all = {{}};
        std::map<std::pair<std::size_t, RenamingStep>, std::size_t> products;
    };

    [[nodiscard]] strategy::Move image(const Composition& composition, strategy::Move move) const;
    [[nodiscard]] std::size_t compose(Compositions& compositions, std::size_t earlier,
                                      RenamingStep step) const;
    strategy::NodeId write_out(
        strategy::NodeId node, std::size_t composition, strategy::StrategyBuilder& plain,
        Compositions& compositions,
        std::map<std::pair<strategy::NodeId, std::size_t>, strategy::NodeId>& known) const;

    [[nodiscard]] std::vector<strategy::NodeId> below(strategy::NodeId root) const;
    [[nodiscard]] std::vector<strategy::NodeId> adopt(const std::vector<strategy::StrategyNode>& nodes);

    std::vector<model::Renaming> inverses_;
    mutable std::mutex mutex_;  // of what follows
    strategy::StrategyBuilder strategies_;
    std::unique_ptr<std::array<Counter, counters>> at_work_;
};

}  // namespace zermelo::quantified
