#include "web/session/game_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/syntax/parse.hpp"
#include "web/api/include_policy.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t most_rules = 2'000'000;                   // of a grounding
constexpr double roomy = 0.75;                                  // of the budget: below it no game is dropped
constexpr std::size_t most_compiling = std::size_t{512} << 20;  // bytes for MiniZinc
constexpr auto between_looks = std::chrono::milliseconds(50);

void stop_when_reached(const Limits& limits) {
    if (const Stop stop = limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while reading the game", "try again, or choose a smaller game");
}

std::string key_of(const Source& source) {
    if (!source.file.empty()) return source.file;
    Hasher hasher;
    hasher.add(source.text);
    return hex(hasher.value());
}

std::shared_ptr<const GroundedGame> read(const Source& source, const Limits& limits) {
    gdl::GroundOptions options;
    options.limits = limits;
    options.most_rules = most_rules;
    return std::make_shared<GroundedGame>(source.title,
                                          gdl::Game(gdl::parse(source.text, source.title), options));
}

}  // namespace

// The first thread that has the lock reads the game.
struct GameCache::Slot {
    std::string key;
    std::timed_mutex mutex = {};
    std::shared_ptr<const GroundedGame> ground = {};
};

GameCache::GameCache(const Library& library, std::size_t most) : library_(library), most_(most) {}

std::shared_ptr<const GroundedGame> GameCache::gdl(const json& reference, const Limits& limits) {
    const Source asked = source(library_, reference);
    if (asked.kind != Kind::gdl) throw Refusal(422, fmt::format("{} is not a game in GDL", asked.title));
    const auto slot = take(key_of(asked));
    std::unique_lock reading(slot->mutex, std::defer_lock);
    while (!reading.try_lock_for(between_looks)) stop_when_reached(limits);
    if (slot->ground) return slot->ground;
    try {
        slot->ground = read(asked, limits);
    } catch (...) {
        drop(slot);
        throw;
    }
    reading.unlock();
    make_room(limits.memory());
    return slot->ground;
}

// The slot of this key comes first from now on.
std::shared_ptr<GameCache::Slot> GameCache::take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(slots_, key, [](const auto& slot) { return slot->key; });
    if (found == slots_.end()) {
        slots_.push_front(std::make_shared<Slot>(key));
    } else {
        slots_.splice(slots_.begin(), slots_, found);
    }
    return slots_.front();
}

void GameCache::drop(const std::shared_ptr<Slot>& slot) {
    const std::lock_guard lock(mutex_);
    std::erase(slots_, slot);
}

void GameCache::make_room(std::optional<std::size_t> budget) {
    const std::lock_guard lock(mutex_);
    while (slots_.size() > most_) slots_.pop_back();
    const auto cramped = [&] {
        return budget && static_cast<double>(resident_bytes()) > roomy * static_cast<double>(*budget);
    };
    while (slots_.size() > 1 && cramped()) slots_.pop_back();
}

Problem read_model(const Source& source, const Limits& limits) {
    if (source.kind != Kind::minizinc)
        throw Refusal(422, fmt::format("{} is not a model in MiniZinc", source.title));
    for (const std::string& definition : source.definitions) require_plain(definition);
    ReadOptions options;
    options.limits = limits;
    options.minizinc.definitions = source.definitions;
    options.minizinc.memory = std::min(most_compiling, limits.memory().value_or(most_compiling) / 4);
    if (!source.file.empty()) return zermelo::read(source.file, options);
    require_plain_includes(source.text, source.title);
    return read_text(source.text, Language::minizinc, source.title, options);
}

}  // namespace zermelo::web
