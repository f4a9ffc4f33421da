// Crew: what the threads of one search have in common: the table of goods and nogoods, the strategy nodes,
// and who is at work on what.
//
// Every member searches the whole problem on its own and finishes it if the others stop. They help each other
// through the table: what one has solved the others look up, and a position that another is solving right now
// is put off as long as there is something else to do (ABDADA, Weill 1996). The first to finish has the
// answer.

#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>

#include "core/bytes.hpp"
#include "core/noted.hpp"
#include "core/rendezvous.hpp"
#include "model/renaming.hpp"
#include "quantified/goods.hpp"
#include "strategy/verify.hpp"

namespace zermelo {

class Crew {
public:
    Crew(unsigned members, std::size_t goods_bytes, std::vector<Renaming> renamings);

    Goods goods;
    const unsigned members;
    const std::vector<Renaming> renamings;
    Rendezvous meeting;
    std::atomic<bool> done = false;  // a member has the answer, or had to stop

    // Before the members start, each time that they do.
    void assemble();

    [[nodiscard]] NodeId node(VarId variable, std::vector<Edge> edges);
    [[nodiscard]] std::size_t nodes() const;
    [[nodiscard]] Strategy extract(NodeId root, Quantifier owner) const;

    // A node that serves a position with key image `from`, renamed to serve one with key image `to`
    // (see Residue::image).
    [[nodiscard]] NodeId renamed(NodeId node, std::size_t from, std::size_t to);

    // Forgets the nodes that neither the table nor `roots` lead to. All members must stand still.
    void collect(std::vector<NodeId*> roots);

    // Goods that other crews which work on the same model may want to know, each with its strategy, unless
    // that is large.
    Noted<Goods::Entry> noted;
    [[nodiscard]] Bytes news();
    void learn(std::span<const std::byte> news);
    // A strategy that somebody else found; returns its root.
    [[nodiscard]] NodeId adopt(const Strategy& strategy);

    // Members that solve a position with this key now; another position with the same low bits may be meant.
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

    [[nodiscard]] Move image(const Composition& composition, Move move) const;
    [[nodiscard]] std::size_t compose(Compositions& compositions, std::size_t earlier,
                                      RenamingStep step) const;
    NodeId write_out(NodeId node, std::size_t composition, StrategyBuilder& plain, Compositions& compositions,
                     std::map<std::pair<NodeId, std::size_t>, NodeId>& known) const;

    [[nodiscard]] std::vector<NodeId> below(NodeId root) const;
    [[nodiscard]] std::vector<NodeId> adopt(const std::vector<StrategyNode>& nodes);

    std::vector<Renaming> inverses_;
    mutable std::mutex mutex_;  // of what follows
    StrategyBuilder strategies_;
    std::unique_ptr<std::array<Counter, counters>> at_work_;
};

}  // namespace zermelo
