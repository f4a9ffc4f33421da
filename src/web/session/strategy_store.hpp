// Strategy store (least recently used): the strategies that were found last, for clients to look at.
//
// They are kept in memory, within a budget; the least recently used one is dropped first. A strategy is named
// by a hash of its content, so the same one found twice is stored once.

#pragma once

#include <list>
#include <mutex>

#include "web/session/strategy_graph.hpp"

namespace zermelo::web {

// What a checker said that knows the rules and no solver.
struct Stamp {
    bool valid = false;
    std::uint64_t positions = 0;
    std::string scenarios = {};
    std::string problem = {};  // why it is not valid
};

struct StoredStrategy {
    std::string id;
    std::string owner;
    double promise = 0;
    Stamp check;
    StrategyGraph graph;
    std::shared_ptr<const Positions> positions = {};   // null: there is nothing to tell of positions
    std::function<net::Response(const Limits&)> file;  // to be downloaded
    std::size_t other_bytes = 0;                       // of the game, and of what the file is made of

    [[nodiscard]] std::size_t bytes() const { return graph.bytes() + other_bytes; }
    [[nodiscard]] json about(const Call& call) const;  // StrategyAbout of web/src/api.ts
};

class StrategyStore {
public:
    explicit StrategyStore(std::size_t most = 64) : most_(most) {}

    // The others make room until all take no more than `bytes`.
    void keep(std::shared_ptr<const StoredStrategy> strategy, std::size_t bytes);

    // Null where there is none, or none any more.
    [[nodiscard]] std::shared_ptr<const StoredStrategy> find(const std::string& id);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t bytes() const;

private:
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<const StoredStrategy>> kept_;  // the last used first
};

}  // namespace zermelo::web
