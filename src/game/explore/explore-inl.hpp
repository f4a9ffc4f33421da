// The bodies of explore.hpp.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>

#include "game/explore/checkpoint.hpp"
#include "game/explore/expand.hpp"
#include "game/explore/explore.hpp"

namespace zermelo::game {

// The part of an exploration that does not depend on the kind of game.
class GraphBuilder {
public:
    explicit GraphBuilder(std::vector<std::string> players);

    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] Graph take() { return std::move(graph_); }
    [[nodiscard]] std::size_t expanded() const { return graph_.label.size(); }
    [[nodiscard]] std::size_t growth(std::size_t states,
                                     std::size_t edges) const;  // bytes that these may take
    [[nodiscard]] const std::vector<std::size_t>& levels() const { return levels_; }

    // The next state, in three steps. `met` is how many states have numbers.
    void begin_state(std::size_t met);
    void add_move(StateId to) { graph_.to.push_back(to); }
    void set_weight(std::uint64_t weight) { graph_.set_last_weight(weight); }  // of the move added last
    void end_state(Turn turn, std::span<const int> payoffs);
    void discard_state() {  // instead of ending it
        graph_.to.resize(graph_.start.back());
        if (!graph_.weight.empty()) graph_.weight.resize(graph_.start.back());
    }

    void save(CheckpointWriter& writer) const;
    void load(CheckpointReader& reader, std::size_t met);

private:
    [[nodiscard]] Graph::Label outcome(std::span<const int> payoffs);

    Graph graph_;
    std::map<std::vector<int>, Graph::Label> outcomes_;
    std::vector<std::size_t> levels_;
    std::size_t level_end_ = 0;  // the first state of the level after the last of `levels_`
};

template <Game G>
class Explorer {
public:
    Explorer(G& game, const ExploreOptions& options)
        : game_(game), options_(options), table_(game), builder_(player_names(game)) {}

    Exploration run() {
        result_.continued = load();
        if (!result_.continued) {
            auto first = table_.bundle();
            first.add(game_, game_.initial());
            table_.insert(first, 0);
        }
        expand_all();
        if (!options_.checkpoint.empty()) save();
        return conclude();
    }

private:
    static constexpr std::size_t states_per_batch = 512;

    static std::vector<std::string> player_names(const G& game) {
        std::vector<std::string> names;
        for (std::size_t p = 0; p < game.players(); ++p)
            names.push_back(game.player_name(static_cast<Player>(p)));
        return names;
    }
    [[nodiscard]] bool too_many() const { return table_.size() > options_.most_states; }
    [[nodiscard]] bool complete() const { return builder_.expanded() == table_.size(); }

    void expand_all() {
        ExpansionPool<G> pool(game_, options_.threads, options_.limits);
        std::size_t given = builder_.expanded();
        std::unique_ptr<Batch<G>> spare;
        while (!complete() && !too_many() && result_.stop == Stop::none) {
            while (given < table_.size() && pool.wants_more()) {
                if (!spare)
                    spare = std::make_unique<Batch<G>>(
                        Batch<G>{table_.bundle(), {}, {}, table_.bundle(), {}, {}, {}});
                const std::size_t end = std::min(table_.size(), given + states_per_batch);
                for (; given < end; ++given) table_.copy(static_cast<StateId>(given), spare->states);
                pool.submit(std::move(spare));
            }
            spare = pool.take();
            if (!spare || !has_room(*spare)) {
                result_.stop = spare ? Stop::memory : options_.limits.reached();
                break;
            }
            if (!merge(*spare)) break;
            spare->clear();
            now_and_then();
        }
    }

    // False when there are too many states. What is merged is always whole states, so this can go on later.
    bool merge(const Batch<G>& batch) {
        std::size_t successor = 0;
        std::span<const int> payoffs = batch.payoffs;
        for (std::size_t i = 0; i < batch.turns.size(); ++i) {
            builder_.begin_state(table_.size());
            for (std::uint32_t m = 0; m < batch.degrees[i]; ++m) {
                builder_.add_move(table_.insert(batch.successors, successor));
                if constexpr (WeightedGame<G>) builder_.set_weight(batch.weights[successor]);
                ++successor;
                if (too_many()) {
                    builder_.discard_state();
                    return false;
                }
            }
            const std::size_t paid = batch.turns[i].over() ? game_.players() : 0;
            builder_.end_state(batch.turns[i], payoffs.first(paid));
            payoffs = payoffs.subspan(paid);
        }
        if (batch.failure) std::rethrow_exception(batch.failure);
        return true;
    }

    // Tables grow in leaps, so a leap that does not fit is not begun.
    [[nodiscard]] bool has_room(const Batch<G>& batch) const {
        constexpr std::size_t leap = std::size_t{1} << 24;
        const std::size_t edges = batch.successors.size();
        const std::size_t more = table_.growth(edges) + builder_.growth(batch.turns.size(), edges);
        const auto budget = options_.limits.memory();
        return !budget || more < leap || resident_bytes() + more <= *budget;
    }

    void now_and_then() {
        const auto now = Clock::now();
        const auto passed = [&](Clock::time_point since, double seconds) {
            return std::chrono::duration<double>(now - since).count() >= seconds;
        };
        if (options_.progress && passed(reported_, 1)) {
            options_.progress(count());
            reported_ = now;
        }
        if (!options_.checkpoint.empty() && passed(saved_, options_.seconds_between_saves)) {
            save();
            saved_ = Clock::now();
        }
    }

    [[nodiscard]] ExploreProgress count() const {
        return {table_.size(), builder_.expanded(), builder_.graph().edges(), builder_.levels().size() - 1};
    }

    Exploration conclude() {
        result_.complete = complete() && !too_many();
        result_.levels = builder_.levels();
        std::size_t in_levels = 0;
        for (const std::size_t each : result_.levels) in_levels += each;
        if (in_levels < table_.size()) result_.levels.push_back(table_.size() - in_levels);
        result_.counted = count();
        result_.counted.depth = result_.levels.size() - 1;
        result_.bytes = table_.bytes() + builder_.graph().bytes();
        if (!result_.complete) return std::move(result_);
        result_.graph = builder_.take();
        if (options_.names) name_everything(result_.graph);
        return std::move(result_);
    }

    void name_everything(Graph& graph) {
        typename G::State state;
        for (StateId s = 0; s < graph.states(); ++s) {
            auto one = table_.bundle();
            table_.copy(s, one);
            one.get(game_, 0, state);
            game_.look(state);
            graph.names.push_back(game_.state_name(state));
            for (std::size_t m = 0; m < game_.moves(); ++m) graph.move_names.push_back(game_.move_name(m));
        }
    }

    [[nodiscard]] CheckpointSubject subject() const {
        if constexpr (RowGame<G>) {
            return {exploration_kind, game_.fingerprint()};
        } else {
            throw Error("this kind of game does not support checkpoints", "leave the checkpoint out");
        }
    }

    void save() const {
        CheckpointWriter writer(options_.checkpoint, subject());
        if constexpr (RowGame<G>) table_.save(writer);
        builder_.save(writer);
        writer.commit();
    }

    bool load() {
        if (options_.checkpoint.empty() || !std::filesystem::exists(options_.checkpoint)) return false;
        CheckpointReader reader(options_.checkpoint, subject());
        if constexpr (RowGame<G>) table_.load(reader, options_.limits);
        builder_.load(reader, table_.size());
        reader.finish();
        return true;
    }

    G& game_;
    const ExploreOptions& options_;
    StateTable<G> table_;
    GraphBuilder builder_;
    Exploration result_;
    Clock::time_point reported_ = Clock::now();
    Clock::time_point saved_ = Clock::now();
};

template <Game G>
Exploration explore(G& game, const ExploreOptions& options) {
    return Explorer<G>(game, options).run();
}

}  // namespace zermelo::game
