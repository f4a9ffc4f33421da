#include "cluster/retrograde/value_lookup.hpp"

#include <algorithm>

namespace zermelo::cluster {

namespace {

Message next_message(Comm& comm) {
    Message message;
    IdleBackoff backoff;
    while (!comm.receive(message)) backoff.nothing();
    return message;
}

}  // namespace

ValueLookup::ValueLookup(Comm& comm, const Explored& explored, const Values& values,
                         std::size_t deepest_level)
    : comm_(comm), explored_(explored), values_(values) {
    if (explored.contents.forgotten) {
        const std::size_t words = explored.contents.words;
        for (std::size_t i = 0; i < explored.shards.size(); ++i) read_again_.emplace_back(words);
        explored.folder->read(
            [&](const Part& part) { return part.whole != 0 && part.first_level <= deepest_level; },
            [&](ShardId id) { return explored.holds(id, comm.rank()); }, words, explored.contents.with_moves,
            [&](LevelFiles::Piece& piece) {
                if (piece.level > deepest_level) return;
                game::RowBundle bundle(words);
                for (std::size_t at = 0; at < piece.rows.size(); at += words) {
                    std::ranges::copy(std::span(piece.rows).subspan(at, words), bundle.add().begin());
                    bundle.seal();
                }
                game::RowTable& table = read_again_[piece.shard / comm.size()];
                for (std::size_t i = 0; i < bundle.size(); ++i) table.insert(bundle, i);
            });
    }
    if (!comm.first()) serve();
}

ValueLookup::~ValueLookup() {
    if (!comm_.first()) return;
    for (Rank to = 1; to < comm_.size(); ++to) comm_.send(to, enough, {});
}

RankedOutcome ValueLookup::worth(std::span<const std::uint64_t> row) {
    game::RowBundle bundle(explored_.contents.words);
    std::ranges::copy(row, bundle.add().begin());
    bundle.seal();
    const std::size_t here = explored_.division.shard_of(bundle.hash(0)) / comm_.size();
    const Shard& shard = explored_.shards[here];
    const auto place = read_again_.empty() ? shard.table.find(bundle, 0) : read_again_[here].find(bundle, 0);
    if (!place || *place >= values_.outcome[here].size()) return {};
    return {values_.rank[here][*place], values_.outcome[here][*place], true};
}

Bytes ValueLookup::reply(std::span<const std::byte> rows) {
    std::vector<std::uint64_t> row(explored_.contents.words);
    Bytes all;
    while (!rows.empty()) {
        for (std::uint64_t& word : row) word = take<std::uint64_t>(rows);
        const RankedOutcome one = worth(row);
        const auto bytes = std::as_bytes(std::span(&one, 1));
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

void ValueLookup::serve() {
    while (true) {
        const Message message = next_message(comm_);
        if (message.tag == enough) return;
        comm_.send(message.from, answer, reply(message.bytes));
    }
}

std::vector<RankedOutcome> ValueLookup::ask(std::span<const std::uint64_t> rows) {
    const std::size_t words = explored_.contents.words;
    const std::size_t count = rows.size() / words;
    std::vector<Bytes> questions(comm_.size());
    std::vector<std::vector<std::size_t>> asked(comm_.size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = rows.subspan(i * words, words);
        const Rank holder = explored_.division.holder(explored_.division.shard_of(game::row_hash(row)));
        const auto bytes = std::as_bytes(row);
        questions[holder].insert(questions[holder].end(), bytes.begin(), bytes.end());
        asked[holder].push_back(i);
    }
    std::vector<RankedOutcome> result(count);
    const auto hear = [&](Rank from, std::span<const std::byte> bytes) {
        for (const std::size_t i : asked[from]) result[i] = take<RankedOutcome>(bytes);
    };
    Rank open = 0;
    for (Rank to = 0; to < comm_.size(); ++to) {
        if (asked[to].empty() || to == comm_.rank()) continue;
        comm_.send(to, question, std::move(questions[to]));
        ++open;
    }
    hear(comm_.rank(), reply(questions[comm_.rank()]));
    for (; open > 0; --open) {
        const Message message = next_message(comm_);
        hear(message.from, message.bytes);
    }
    for (const RankedOutcome& worth : result) {
        if (!worth.known) throw std::logic_error("a state is not where it should be");
    }
    return result;
}

}  // namespace zermelo::cluster
