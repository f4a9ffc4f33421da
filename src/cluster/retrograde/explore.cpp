#include "cluster/retrograde/explore.hpp"

#include <algorithm>
#include <numeric>

#include "core/clock.hpp"
#include "game/graph/values.hpp"

namespace zermelo::cluster {

namespace {

constexpr std::size_t most_outcomes = 128;

}  // namespace

std::uint64_t Explored::states() const {
    return std::accumulate(contents.levels.begin(), contents.levels.end(), std::uint64_t{0});
}

std::size_t Explored::bytes() const {
    std::size_t bytes = 0;
    for (const Shard& each : shards) {
        bytes += each.table.bytes() + each.label.capacity() + each.degree.capacity() * sizeof(std::uint16_t);
        for (const Edges& edges : each.in) bytes += edges.bytes();
    }
    return bytes;
}

ExplorerBase::ExplorerBase(Comm& comm, const ExploreOptions& options, Hash128 rules, std::size_t words,
                           std::vector<std::string> players, bool with_moves)
    : comm_(comm), options_(options) {
    constexpr ShardId shards_per_process = 4;
    constexpr ShardId least_shards = 64;
    const auto enough = static_cast<ShardId>(std::max<Rank>(least_shards, shards_per_process * comm.size()));
    result_.players = std::move(players);
    if (result_.players.size() > game::Graph::most_players) {
        throw Error("there are too many players", "give a game of at most 64");
    }
    result_.contents.rules = rules;
    result_.contents.words = static_cast<std::uint32_t>(words);
    result_.contents.with_moves = with_moves;
    result_.contents.shards = options.shards != 0 ? options.shards : enough;
    if (!options.folder.empty()) result_.folder = std::make_unique<LevelFiles>(comm, options.folder, rules);
}

void ExplorerBase::begin(std::span<const std::uint64_t> root) {
    result_.division = {result_.contents.shards, comm_.size()};
    for (Rank id = comm_.rank(); id < result_.contents.shards; id += comm_.size()) {
        result_.shards.emplace_back(static_cast<ShardId>(id), result_.contents.words);
    }
    incoming_.assign(result_.shards.size(), game::RowBundle(result_.contents.words));
    incoming_origin_.assign(result_.shards.size(), {});
    if (root.empty()) return;
    game::RowBundle bundle(result_.contents.words);
    std::ranges::copy(root, bundle.add().begin());
    bundle.seal();
    const ShardId id = result_.division.shard_of(bundle.hash(0));
    if (result_.division.holder(id) == comm_.rank()) result_.shard(id).table.insert(bundle, 0);
    for (Shard& shard : result_.shards) {
        shard.level.push_back(shard.states());
        shard.in.emplace_back(result_.contents.with_moves);
    }
    result_.contents.levels = {1};
    result_.stored = {false};
}

bool ExplorerBase::resume() {
    if (!result_.folder) return false;
    const auto found = result_.folder->contents();
    if (!found) return false;
    if (result_.contents.with_moves && !found->with_moves) {
        result_.folder->start_anew();
        return false;
    }
    if (found->ply_counter_refuted) ply_counter_ = PlyCounter();
    result_.contents = *found;
    begin({});
    load_states();
    result_.stored.assign(result_.contents.levels.size(), true);
    written_levels_ = result_.contents.levels.size();
    for (const auto& payoffs : result_.contents.outcomes) (void)outcome(payoffs);
    agreed_outcomes_ = result_.contents.outcomes.size();
    not_layered_ = found->layered ? 0 : 1;
    result_.continued = true;
    return true;
}

void ExplorerBase::load_states() {
    const std::size_t newest = result_.contents.levels.size() - 1;
    const auto held = [this](ShardId id) { return result_.holds(id, comm_.rank()); };
    const auto take = [&](LevelFiles::Piece& piece) {
        Shard& shard = result_.shard(piece.shard);
        const std::size_t words = result_.contents.words;
        const auto states = static_cast<PlaceInShard>(piece.rows.size() / words);
        if (piece.level != shard.levels()) {
            throw Error({options_.folder}, "the levels in this folder do not follow each other",
                        "start again in another folder");
        }
        if (!result_.contents.forgotten || piece.level == newest) {
            if (result_.contents.forgotten) shard.base = shard.level.back();
            game::RowBundle bundle(words);
            for (std::size_t i = 0; i < states; ++i) {
                std::ranges::copy(std::span(piece.rows).subspan(i * words, words), bundle.add().begin());
                bundle.seal();
            }
            for (std::size_t i = 0; i < states; ++i) shard.table.insert(bundle, i);
        }
        shard.level.push_back(shard.level.back() + states);
        shard.label.insert(shard.label.end(), piece.labels.begin(), piece.labels.end());
        shard.degree.insert(shard.degree.end(), piece.degrees.begin(), piece.degrees.end());
        shard.in.emplace_back(result_.contents.with_moves);
    };
    result_.folder->read([](const Part& part) { return part.whole != 0; }, held, result_.contents.words,
                         result_.contents.with_moves, take);
}

void ExplorerBase::begin_level() {
    cut_ = Stop::none;
    expanding_ = result_.contents.levels.size() - 1;
    for (Shard& shard : result_.shards) shard.in.emplace_back(result_.contents.with_moves);
    result_.stored.push_back(false);
}

void ExplorerBase::deliver(std::span<const std::byte> records) {
    if (memory_is_short(1)) cut_ = Stop::memory;
    if (cut_ != Stop::none) return;  // the level is going to be forgotten
    const std::size_t words = result_.contents.words;
    std::vector<std::uint64_t> row(words);
    while (!records.empty()) {
        const auto origin = take<Origin>(records);
        std::ranges::copy(records.first(words * sizeof(std::uint64_t)),
                          std::as_writable_bytes(std::span(row)).begin());
        records = records.subspan(words * sizeof(std::uint64_t));
        const std::uint64_t hash = game::row_hash(row);
        const std::size_t here = result_.division.shard_of(hash) / comm_.size();
        std::ranges::copy(row, incoming_[here].add().begin());
        incoming_[here].seal(hash);
        incoming_origin_[here].push_back(origin);
    }
    for (std::size_t i = 0; i < incoming_.size(); ++i) {
        Shard& shard = result_.shards[i];
        const PlaceInShard first_new = shard.level.back();
        for (std::size_t r = 0; r < incoming_[i].size(); ++r) {
            const PlaceInShard place = shard.base + shard.table.insert(incoming_[i], r);
            if (place < first_new) ++not_layered_;
            shard.in.back().add(incoming_origin_[i][r], place);
        }
        incoming_[i].clear();
        incoming_origin_[i].clear();
    }
    if (result_.folder && memory_is_short(0.7)) write_moves_so_far();
}

ExplorerBase::Report ExplorerBase::report(bool failed) const {
    Report mine{};
    mine.stop = static_cast<std::uint64_t>(cut_);
    mine.failed = failed ? 1 : 0;
    for (const Shard& shard : result_.shards) {
        mine.met += shard.states() - shard.level.back();
        for (std::size_t s = shard.level_begin(expanding_); s < shard.label.size(); ++s)
            mine.moves += shard.degree[s];
    }
    mine.new_outcomes = known_outcomes_.size() - agreed_outcomes_;
    mine.backwards = not_layered_;
    mine.ply_counter_failed = ply_counter_failed_ ? 1 : 0;
    mine.in_pieces = result_.stored.back() ? 1 : 0;
    mine.memory_short = memory_is_short(0.5) ? 1 : 0;
    const double since = seconds_since(saved_);
    mine.due = comm_.first() && since >= options_.seconds_between_saves ? 1 : 0;
    return mine;
}

void ExplorerBase::end_level(const std::string& failure) {
    Report all{};  // the greatest stop, and sums
    for (const Report& one : gather_all(comm_, report(!failure.empty()))) {
        all.stop = std::max(all.stop, one.stop);
        all.failed += one.failed;
        all.met += one.met;
        all.moves += one.moves;
        all.new_outcomes += one.new_outcomes;
        all.backwards += one.backwards;
        all.ply_counter_failed += one.ply_counter_failed;
        all.in_pieces += one.in_pieces;
        all.memory_short += one.memory_short;
        all.due += one.due;
    }
    if (all.failed > 0) tell_failure(failure);
    result_.stop = static_cast<Stop>(all.stop);
    if (result_.stop != Stop::none) return roll_back();
    if (all.new_outcomes > 0) agree_on_outcomes();
    for (Shard& shard : result_.shards) shard.level.push_back(shard.states());
    Contents& contents = result_.contents;
    contents.edges += all.moves;
    contents.levels.push_back(all.met);
    contents.layered = all.backwards == 0;
    contents.explored = all.met == 0;
    if (all.ply_counter_failed > 0) {
        if (contents.forgotten) {
            throw Error({options_.folder}, "states that were removed from memory can be reached again",
                        "raise the memory limit, and start again in another folder");
        }
        ply_counter_ = PlyCounter();
        ply_counter_failed_ = false;
        contents.ply_counter_refuted = true;
    }
    result_.needs_moves =
        !contents.with_moves && !game::attractors_suffice(result_.players.size(), contents.outcomes);
    if (result_.needs_moves) return;
    if (result_.folder) make_room(all);
    if (contents.explored && contents.forgotten) write_levels();  // otherwise some states would be lost
    if (options_.keep && (contents.explored || all.due > 0)) save();
}

void ExplorerBase::tell_failure(const std::string& failure) const {
    for (const Bytes& bytes : comm_.gather(std::as_bytes(std::span(failure)))) {
        if (!bytes.empty())
            throw Error(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    throw std::logic_error("a process failed without a reason");
}

// States of the level that was cut off stay in the tables, but belong to no level.
void ExplorerBase::roll_back() {
    for (Shard& shard : result_.shards) {
        shard.label.resize(shard.level_begin(expanding_));
        if (shard.degree.size() > shard.label.size()) shard.degree.resize(shard.label.size());
        shard.in.pop_back();
    }
    result_.stored.pop_back();
    if (result_.folder) result_.folder->take_back_after(expanding_);
}

Label ExplorerBase::outcome(std::vector<int> payoffs) {
    const auto known = known_outcomes_.find(payoffs);
    if (known != known_outcomes_.end()) return known->second;
    if (known_outcomes_.size() == most_outcomes) {
        throw Error("the game has more than 128 different outcomes",
                    "use an engine that does not enumerate the states");
    }
    const auto label = static_cast<Label>(game::Graph::ended + known_outcomes_.size());
    known_outcomes_.emplace(std::move(payoffs), label);
    return label;
}

// New outcomes got local numbers; now they get those that all processes use.
void ExplorerBase::agree_on_outcomes() {
    const std::size_t players = result_.players.size();
    std::vector<std::vector<int>> mine(known_outcomes_.size() - agreed_outcomes_);
    for (const auto& [payoffs, label] : known_outcomes_) {
        const std::size_t number = label - game::Graph::ended;
        if (number >= agreed_outcomes_) mine[number - agreed_outcomes_] = payoffs;
    }
    std::vector<int> flat;
    for (const auto& payoffs : mine) flat.insert(flat.end(), payoffs.begin(), payoffs.end());
    auto& agreed = result_.contents.outcomes;
    for (const Bytes& bytes : comm_.gather(std::as_bytes(std::span(flat)))) {
        std::span<const std::byte> rest = bytes;
        while (!rest.empty()) {
            std::vector<int> payoffs;
            for (std::size_t p = 0; p < players; ++p) payoffs.push_back(take<int>(rest));
            if (std::ranges::find(agreed, payoffs) == agreed.end()) agreed.push_back(payoffs);
        }
    }
    if (agreed.size() == agreed_outcomes_) return;
    if (agreed.size() > most_outcomes) {
        throw Error("the game has more than 128 different outcomes",
                    "use an engine that does not enumerate the states");
    }
    std::vector<Label> number(256);
    std::iota(number.begin(), number.end(), Label{0});
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const auto place = std::ranges::find(agreed, mine[i]) - agreed.begin();
        number[game::Graph::ended + agreed_outcomes_ + i] = static_cast<Label>(game::Graph::ended + place);
    }
    for (Shard& shard : result_.shards) {
        for (std::size_t s = shard.level_begin(expanding_); s < shard.label.size(); ++s)
            shard.label[s] = number[shard.label[s]];
    }
    known_outcomes_.clear();
    for (std::size_t i = 0; i < agreed.size(); ++i) {
        known_outcomes_.emplace(agreed[i], static_cast<Label>(game::Graph::ended + i));
    }
    agreed_outcomes_ = agreed.size();
}

bool ExplorerBase::memory_is_short(double part) const {
    const auto budget = options_.limits.memory();
    return result_.folder && budget &&
           static_cast<double>(resident_bytes()) > part * static_cast<double>(*budget);
}

void ExplorerBase::write_moves_so_far() {
    const std::size_t level = expanding_ + 1;
    std::size_t bytes = 0;
    for (const Shard& shard : result_.shards) bytes += shard.in.back().bytes();
    if (bytes < options_.piece_bytes) return;
    result_.folder->write(result_.shards, level, level, false);
    for (Shard& shard : result_.shards) shard.in.back().clear();
    result_.stored[level] = true;
}

void ExplorerBase::make_room(const Report& all) {
    if (all.in_pieces == 0 && all.memory_short == 0) return;
    write_levels();
    if (all.memory_short > 0 && ply_counter_.exists()) forget_old_states();
}

// Everything that is not there yet, after which its moves need not be here. Files are read as a whole, so
// only small levels share one.
void ExplorerBase::write_levels() {
    constexpr std::uint64_t bytes_a_state = 64;  // with the moves that lead to it, about
    const auto& levels = result_.contents.levels;
    const std::uint64_t most = options_.piece_bytes * comm_.size() / bytes_a_state;
    while (written_levels_ < levels.size()) {
        const std::size_t first = written_levels_;
        std::uint64_t states = levels[written_levels_++];
        while (written_levels_ < levels.size() && states + levels[written_levels_] <= most)
            states += levels[written_levels_++];
        result_.folder->write(result_.shards, first, written_levels_ - 1, true);
        for (std::size_t l = first; l < written_levels_; ++l) {
            for (Shard& shard : result_.shards) shard.in[l].clear();
            result_.stored[l] = true;
        }
    }
}

void ExplorerBase::forget_old_states() {
    const std::size_t newest = result_.contents.levels.size() - 1;
    for (Shard& shard : result_.shards) {
        game::RowTable table(result_.contents.words);
        game::RowBundle bundle(result_.contents.words);
        for (PlaceInShard s = shard.level_begin(newest); s < shard.level_end(newest); ++s) {
            std::ranges::copy(shard.row(s), bundle.add().begin());
            bundle.seal();
            table.insert(bundle, 0);
            bundle.clear();
        }
        shard.base = shard.level_begin(newest);
        shard.table = std::move(table);
    }
    result_.contents.forgotten = true;
}

void ExplorerBase::save() {
    write_levels();
    result_.folder->commit(result_.contents);
    saved_ = Time::now();
}

void ExplorerBase::now_and_then() {
    if (!options_.progress || seconds_since(reported_) < 1) return;
    std::uint64_t met = 0;
    for (const Shard& shard : result_.shards) met += shard.states();
    options_.progress({"exploring", met, expanding_});
    reported_ = Time::now();
}

}  // namespace zermelo::cluster
