#include "web/session/game_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/syntax/parse.hpp"
#include "solve/problem/model_view.hpp"
#include "solve/solve.hpp"
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

std::size_t compiling_memory(const Limits& limits) {
    return std::min(most_compiling, limits.memory().value_or(most_compiling) / 4);
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
    explicit Slot(std::string its_key) : key(std::move(its_key)) {}

    std::string key;
    std::timed_mutex mutex;
    std::shared_ptr<const GroundedGame> ground;
    std::shared_ptr<const CompiledGame> compiled;
};

GameCache::GameCache(const Library& library, std::size_t most) : library_(library), most_(most) {}

template <class T, class Read>
std::shared_ptr<const T> GameCache::kept(const std::string& key, std::shared_ptr<const T> Slot::*what,
                                         const Limits& limits, Read read) {
    const auto slot = take(key);
    std::unique_lock reading(slot->mutex, std::defer_lock);
    while (!reading.try_lock_for(between_looks)) stop_when_reached(limits);
    if ((*slot).*what) return (*slot).*what;
    try {
        (*slot).*what = read();
    } catch (...) {
        drop(slot);
        throw;
    }
    const auto found = (*slot).*what;
    reading.unlock();
    make_room(limits.memory());
    return found;
}

std::shared_ptr<const GroundedGame> GameCache::gdl(const json& reference, const Limits& limits) {
    const Source asked = source(library_, reference);
    if (asked.kind != Kind::gdl) throw Refusal(422, fmt::format("{} is not a game in GDL", asked.title));
    return kept(key_of(asked), &Slot::ground, limits, [&] { return read(asked, limits); });
}

std::shared_ptr<const CompiledGame> GameCache::compiled(const json& reference, const Limits& limits) {
    const Source asked = source(library_, reference);
    std::string key = key_of(asked);
    for (const std::string& definition : asked.definitions) key += "\n" + definition;
    return kept(key, &Slot::compiled, limits, [&] {
        return std::make_shared<const CompiledGame>(
            asked.kind == Kind::graph
                ? Problem(asked.title, std::make_shared<const game::Graph>(read_graph(asked)))
                : read_model(asked, limits),
            asked);
    });
}

struct CompiledGame::View {
    View(std::optional<model::OutputItem> item, const model::Model& model)
        : structure(analyse(model)), picture(std::move(item), model, structure) {}
    model::Structure structure;
    ModelView picture;
};

CompiledGame::CompiledGame(Problem its_problem, Source its_source)
    : problem(std::move(its_problem)), source(std::move(its_source)) {}

// The first thread that has the lock compiles the output item; the others wait for it.
std::shared_ptr<const CompiledGame::View> CompiledGame::view(const Limits& limits) const {
    std::unique_lock looking(viewing_, std::defer_lock);
    while (!looking.try_lock_for(between_looks)) stop_when_reached(limits);
    if (view_) return view_;
    model::MiniZincOptions options;
    options.definitions = source.definitions;
    options.memory = compiling_memory(limits);
    options.limits = &limits;
    auto item = source.file.empty() ? model::OutputItem::compile_text(source.text, options)
                                    : model::OutputItem::compile(source.file, options);
    return view_ = std::make_shared<const View>(std::move(item), *problem.model());
}

std::string CompiledGame::shown(const std::vector<std::string>& line, const Limits& limits) const {
    if (problem.model() == nullptr) return "";
    const auto found = view(limits);
    std::vector<model::Value> played;
    for (const model::Block& block : found->structure.prefix) {
        for (const model::VarId variable : block.variables) {
            if (played.size() == line.size()) break;
            played.push_back(value_assigned(*problem.model(), variable, line[played.size()]));
        }
    }
    return found->picture.draw(played, limits);
}

void CompiledGame::solve(const Limits& limits) const {
    std::unique_lock solving(mutex_, std::defer_lock);
    while (!solving.try_lock_for(between_looks)) {
        if (limits.reached() != Stop::none) return;
    }
    if (verdict_) return;
    SolveOptions options;
    options.limits = limits;
    options.threads = 1;
    options.table_bytes = std::size_t{128} << 20;
    options.search.goods_bytes = options.table_bytes;
    auto verdict = std::make_shared<const Verdict>(zermelo::solve(problem, options));
    if (verdict->outcome != Outcome::unknown) verdict_ = std::move(verdict);
}

std::shared_ptr<const Verdict> CompiledGame::verdict() const {
    const std::unique_lock reading(mutex_, std::try_to_lock);
    return reading.owns_lock() ? verdict_ : nullptr;
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

model::Value value_assigned(const model::Model& model, model::VarId variable, const std::string& move) {
    const std::string text = move.substr(move.rfind(" = ") + 3);
    const auto& domain = model.domain(variable);
    for (model::Value value = domain.low(); value <= domain.high(); ++value) {
        if (domain.contains(value) && model.value_text(variable, value) == text) return value;
    }
    throw Refusal(422, fmt::format("{} is no value of {}", text, model.name_of(variable)));
}

Problem read_model(const Source& source, const Limits& limits) {
    if (source.kind != Kind::minizinc)
        throw Refusal(422, fmt::format("{} is not a model in MiniZinc", source.title));
    for (const std::string& definition : source.definitions) require_plain(definition);
    ReadOptions options;
    options.limits = limits;
    options.minizinc.definitions = source.definitions;
    options.minizinc.memory = compiling_memory(limits);
    if (!source.file.empty()) return zermelo::read(source.file, options);
    require_plain_includes(source.text, source.title);
    return read_text(source.text, Language::minizinc, source.title, options);
}

}  // namespace zermelo::web
