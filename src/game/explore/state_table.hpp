// State tables: hash tables that hold every state once, numbered in the order of insertion.
//
// States that fit into rows of a fixed number of words lie in blocks of rows, which never move; an index
// with open addressing holds their numbers, four bytes each, and nothing else: a lookup compares the rows
// themselves. For games without rows the states are kept as they are and identified by their keys.
//
// A *bundle* is a list of states on the way into a table, with all that can be computed without access to
// the table. So threads fill bundles, and one thread alone touches the table.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/limits.hpp"
#include "game/explore/checkpoint.hpp"
#include "game/game.hpp"
#include "game/graph/graph.hpp"

namespace zermelo::game {

// Games whose states are rows of words, and whose rules have a fingerprint.
template <class G>
concept RowGame = Game<G> && requires(const G game, const typename G::State& state, typename G::State& out,
                                      std::span<std::uint64_t> to, std::span<const std::uint64_t> from) {
    { game.row_words() } -> std::convertible_to<std::size_t>;
    game.pack(state, to);
    game.unpack(from, out);
    { game.fingerprint() } -> std::same_as<Hash128>;
};

[[nodiscard]] std::uint64_t row_hash(std::span<const std::uint64_t> row);

class RowBundle {
public:
    explicit RowBundle(std::size_t words = 0) : words_(words) {}

    [[nodiscard]] std::size_t size() const { return hashes_.size(); }
    void clear();
    [[nodiscard]] std::span<std::uint64_t> add();  // a row to be written by the caller, who then calls seal()
    void seal() { seal(row_hash(row(size()))); }
    void seal(std::uint64_t hash) { hashes_.push_back(hash); }  // with a known hash
    [[nodiscard]] std::span<const std::uint64_t> row(std::size_t i) const {
        return {rows_.data() + i * words_, words_};
    }
    [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }

    template <RowGame G>
    void add(const G& game, const typename G::State& state) {
        game.pack(state, add());
        seal();
    }
    template <RowGame G>
    void get(const G& game, std::size_t i, typename G::State& state) const {
        game.unpack(row(i), state);
    }

private:
    std::size_t words_;
    std::vector<std::uint64_t> rows_;
    std::vector<std::uint64_t> hashes_;
};

class RowTable {
public:
    using Bundle = RowBundle;
    template <RowGame G>
    explicit RowTable(const G& game) : RowTable(game.row_words()) {}
    explicit RowTable(std::size_t words);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::span<const std::uint64_t> row(StateId s) const {
        return {blocks_[s / rows_per_block].get() + s % rows_per_block * words_, words_};
    }
    [[nodiscard]] Bundle bundle() const { return RowBundle(words_); }
    void copy(StateId state, Bundle& to) const;

    // The number of state i of the bundle; it is new when this is the size that the table had before.
    // Prefetches what later states of the bundle need.
    StateId insert(const Bundle& from, std::size_t i);
    [[nodiscard]] std::optional<StateId> find(const Bundle& from, std::size_t i) const;
    [[nodiscard]] std::size_t growth(std::size_t more) const;  // bytes that so many more states may allocate

    void save(CheckpointWriter& writer) const;
    void load(CheckpointReader& reader, const Limits& limits);  // into an empty table

private:
    static constexpr std::size_t rows_per_block = std::size_t{1} << 14;
    static constexpr StateId none = ~StateId{0};

    [[nodiscard]] std::size_t slot(std::uint64_t hash) const { return hash & (index_.size() - 1); }
    void fetch(const Bundle& from, std::size_t i) const;
    [[nodiscard]] std::size_t slot_of(const Bundle& from, std::size_t i) const;  // where it is, or would be
    void append(std::span<const std::uint64_t> row);
    void double_index();

    std::size_t words_;
    std::size_t size_ = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
    std::vector<StateId> index_;
};

template <class State>
class KeyBundle {
public:
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    void clear() {
        states_.clear();
        keys_.clear();
    }
    template <Game G>
    void add(const G& game, const State& state) {
        states_.push_back(state);
        keys_.push_back(game.key(state));
    }
    template <Game G>
    void get(const G&, std::size_t i, State& state) const {
        state = states_[i];
    }

private:
    template <class>
    friend class KeyTable;
    std::vector<State> states_;
    std::vector<Hash128> keys_;
};

template <class State>
class KeyTable {
public:
    using Bundle = KeyBundle<State>;
    template <Game G>
    explicit KeyTable(const G&) {}

    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] std::size_t bytes() const {
        constexpr std::size_t map_node = sizeof(Hash128) + 3 * sizeof(void*);
        return states_.size() *
               (sizeof(State) + sizeof(Hash128) + map_node);  // without what the states own on the heap
    }
    [[nodiscard]] Bundle bundle() const { return {}; }
    void copy(StateId state, Bundle& to) const {
        to.states_.push_back(states_[state]);
        to.keys_.push_back(keys_[state]);
    }
    StateId insert(const Bundle& from, std::size_t i) {
        const auto [at, fresh] = index_.try_emplace(from.keys_[i], static_cast<StateId>(states_.size()));
        if (fresh) {
            states_.push_back(from.states_[i]);
            keys_.push_back(from.keys_[i]);
        }
        return at->second;
    }
    [[nodiscard]] std::size_t growth(std::size_t) const { return 0; }

private:
    std::vector<State> states_;
    std::vector<Hash128> keys_;
    std::unordered_map<Hash128, StateId, LowBitsHash> index_;
};

template <Game G>
struct StateTableOf {
    using Type = KeyTable<typename G::State>;
};
template <RowGame G>
struct StateTableOf<G> {
    using Type = RowTable;
};
template <Game G>
using StateTable = typename StateTableOf<G>::Type;

}  // namespace zermelo::game
