#include "play/player_registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <limits>

#include "core/format/nearest.hpp"
#include "core/format/numbers.hpp"
#include "play/champion/champion.hpp"
#include "play/information/cfr.hpp"
#include "play/learn/known_nets.hpp"
#include "play/mac_ucb/mac_ucb.hpp"
#include "play/mcts/uct.hpp"
#include "play/players/alphabeta.hpp"
#include "play/players/greedy.hpp"
#include "play/players/perfect.hpp"
#include "play/players/random.hpp"

namespace zermelo::play {

namespace {

struct Key {
    enum class Type : std::uint8_t { number, count, bytes, text, player };
    std::string name;
    Type type;
    double low;
    double high;
    std::string about;
};

// What a player is made of.
struct Order {
    const Spec& spec;
    const GameContext& rules;
    const Settings& settings;
    Shared& shared;
};

struct Kind {
    std::string name;
    std::string about;
    std::vector<Key> keys;
    std::function<std::unique_ptr<Player>(const Order& order)> make;
};

constexpr double no_end = std::numeric_limits<double>::infinity();

[[noreturn]] void bad(const Spec& spec, const std::string& problem, const std::string& remedy) {
    throw Error(fmt::format("the player {}: {}", spec.text, problem), remedy);
}

// The value of a key that is known to be valid.
double number_of(const Spec& spec, const std::string& key, double otherwise) {
    const auto at = spec.options.find(key);
    return at == spec.options.end() ? otherwise : read_number<double>(at->second).value();
}

std::uint64_t count_of(const Spec& spec, const std::string& key, std::uint64_t otherwise) {
    const auto at = spec.options.find(key);
    return at == spec.options.end() ? otherwise : read_number<std::uint64_t>(at->second).value();
}

std::string text_of(const Spec& spec, const std::string& key, const std::string& otherwise) {
    const auto at = spec.options.find(key);
    return at == spec.options.end() ? otherwise : at->second;
}

const std::vector<Key>& common_keys() {
    static const std::vector<Key> keys = {
        {"seconds", Key::Type::number, 1e-4, 1e6, "seconds per move"},
        {"playouts", Key::Type::count, 1, no_end, "playouts, or an equal amount of other work, per move"},
        {"threads", Key::Type::count, 1, 1024, "number of threads"},
        {"memory", Key::Type::bytes, 1, no_end, "memory: a number of bytes, or for example 64K, 64M, 2G"},
        {"ponder", Key::Type::count, 0, 1, "1: think while the others move, on cores of its own; 0: wait"},
        {"label", Key::Type::text, 0, 0, "name in tables"},
    };
    return keys;
}

std::unique_ptr<Player> make_random(const Order& order) {
    return std::make_unique<RandomPlayer>(order.rules, order.settings);
}

std::unique_ptr<Player> make_greedy(const Order& order) {
    return std::make_unique<GreedyPlayer>(order.rules, order.settings);
}

std::unique_ptr<Player> make_alphabeta(const Order& order) {
    AlphaBetaPlayerOptions options;
    options.determinizations = count_of(order.spec, "worlds", options.determinizations);
    return std::make_unique<AlphaBetaPlayer>(order.rules, order.settings, options);
}

std::unique_ptr<Player> make_cfr(const Order& order) {
    CfrOptions options;
    options.exploration = number_of(order.spec, "exploration", options.exploration);
    options.from_start = number_of(order.spec, "start", options.from_start);
    return std::make_unique<CfrPlayer>(order.rules, order.settings, options);
}

std::unique_ptr<Player> make_perfect(const Order& order) {
    SolutionOptions options;
    options.seconds = number_of(order.spec, "solve", options.seconds);
    options.strategy = text_of(order.spec, "strategy", "");
    options.threads = order.settings.threads;
    options.memory = order.settings.memory;
    auto solutions = order.shared.solutions(
        fmt::format("{} {} {} {}", options.seconds, options.memory, options.threads, options.strategy),
        [&] { return std::make_shared<Solutions>(order.rules, options); });
    const Spec other = read_spec(text_of(order.spec, "fallback", "zermelo"));
    return std::make_unique<PerfectPlayer>(
        order.rules, order.settings, std::move(solutions),
        [other, &rules = order.rules, settings = order.settings, &shared = order.shared] {
            return make_player(other, rules, settings, shared);
        });
}

MctsOptions tree_options(const Order& order) {
    MctsOptions options;
    options.leaves = count_of(order.spec, "leaves", options.leaves);
    options.each = count_of(order.spec, "each", options.each);
    options.bounds = count_of(order.spec, "bounds", 1) != 0;
    return options;
}

std::unique_ptr<Player> make_uct_player(const Order& order) {
    MctsOptions options = tree_options(order);
    if (order.spec.options.contains("exploration"))
        options.exploration = number_of(order.spec, "exploration", 0);
    options.symmetry = count_of(order.spec, "symmetry", 0) != 0;
    return make_uct(order.rules, order.settings, options);
}

std::unique_ptr<Player> make_grave(const Order& order) {
    MctsOptions options = tree_options(order);
    options.grave = true;
    options.reference = count_of(order.spec, "reference", options.reference);
    options.bias = number_of(order.spec, "bias", options.bias);
    return make_uct(order.rules, order.settings, options);
}

constexpr std::string_view scheme = "http://";

constexpr double default_cut = 6;  // standard deviations

// Which game it is, where the cache folder may have something about it.
const std::optional<symmetry::RulesForm>& known_form(const Order& order) {
    using Form = std::optional<symmetry::RulesForm>;
    const auto kept = order.shared.kept("form in cache",
                                        [&] { return std::make_shared<Form>(form_in_cache(order.rules)); });
    return *std::static_pointer_cast<Form>(kept);  // it lives as long as what is shared
}

// What was learned about the game: from the file that is named, or else from the cache folder.
std::shared_ptr<const learn::Judgement> find_judgement(const Order& order) {
    const std::string file = text_of(order.spec, "net", "");
    if (file == "none" || order.rules.hidden()) return nullptr;
    const auto* form = file.empty() ? &known_form(order) : nullptr;
    const auto kept = order.shared.kept("net " + file, [&] {
        return std::make_shared<std::shared_ptr<const learn::Judgement>>(
            form == nullptr ? load_judgement(order.rules, file)
            : *form         ? judgement_in_cache(order.rules, **form)
                            : nullptr);
    });
    return *std::static_pointer_cast<std::shared_ptr<const learn::Judgement>>(kept);
}

std::unique_ptr<Player> make_champion_player(const Order& order) {
    const auto given = [&](const std::string& key) { return order.spec.options.contains(key); };
    ChampionOptions options;
    MctsOptions& tree = options.engine.tree;
    tree = tree_options(order);
    tree.balance = count_of(order.spec, "balance", 1) != 0;
    tree.cut = number_of(order.spec, "cut", default_cut);
    tree.slices = count_of(order.spec, "slices", 1) != 0;
    tree.saddle = tree.bounds;
    tree.thrifty = count_of(order.spec, "thrifty", 1) != 0;
    if (given("exploration")) tree.exploration = number_of(order.spec, "exploration", 0);
    options.engine.table = count_of(order.spec, "table", 1) != 0;
    options.engine.symmetry_time = 0.01 * number_of(order.spec, "symmetry-time", 25);
    options.config.resolve = 0.01 * number_of(order.spec, "resolve", 90);
    // Filtered playouts know what is hidden.
    const unsigned filter = order.rules.hidden() ? 0 : options.config.filter;
    options.config.filter = static_cast<unsigned>(count_of(order.spec, "filter", filter));
    options.config.transfer =
        static_cast<unsigned>(count_of(order.spec, "transfer", options.config.transfer));
    options.config.value = 0.01 * number_of(order.spec, "value", 0);
    options.config.symmetry = count_of(order.spec, "symmetry", 1) != 0;
    options.changes = {.resolve = !given("resolve"),
                       .explore = !given("exploration"),
                       .filter = !given("filter"),
                       .transfer = !given("transfer"),
                       .symmetry = !given("symmetry") && !given("symmetry-time"),
                       .value = !given("value"),
                       .net = !given("net-use"),
                       .drop_net = !given("net")};
    options.engine.judgement = find_judgement(order);
    // A net that was not asked for and has not shown what it is worth has to win the race.
    const bool begins_with_it =
        options.engine.judgement && (given("net") || options.engine.judgement->trusted());
    options.config.net = static_cast<unsigned>(count_of(order.spec, "net-use", begins_with_it ? 1 : 0));
    if (count_of(order.spec, "adapt", 1) == 0)
        return make_champion(order.rules, order.settings, options, nullptr);
    std::string name = order.spec.name;
    for (const auto& [key, value] : order.spec.options) name += " " + key + "=" + value;
    const bool remembers = ConfigRacing::supports(order.rules) && count_of(order.spec, "remember", 1) != 0;
    const auto* form = remembers ? &known_form(order) : nullptr;
    auto racing = order.shared.racing(name, [&] {
        auto made =
            std::make_shared<ConfigRacing>(order.rules, options.engine, options.config, options.changes);
        if (form != nullptr && *form)
            made->keep_beside(learn::cache_file((*form)->fingerprint),
                              racing_subject((*form)->fingerprint, name, options.engine.judgement.get()));
        return made;
    });
    std::shared_ptr<StartLearning> learning;
    if (!options.engine.judgement && options.changes.net && text_of(order.spec, "net", "") != "none" &&
        count_of(order.spec, "learn", 0) != 0 && StartLearning::supports(order.rules))
        learning = std::static_pointer_cast<StartLearning>(order.shared.kept(
            "learning " + name, [&] { return std::make_shared<StartLearning>(order.rules); }));
    return make_champion(order.rules, order.settings, options, std::move(racing), std::move(learning));
}

std::unique_ptr<Player> make_mac_ucb_player(const Order& order, MacUcbOptions options) {
    options.resolve = 0.01 * number_of(order.spec, "resolve", 100 * options.resolve);
    options.symmetry_time = 0.01 * number_of(order.spec, "symmetry-time", 100 * options.symmetry_time);
    if (options.resolve + options.symmetry_time > 1)
        bad(order.spec, "resolve and symmetry-time are more than 100 percent together", "choose less");
    options.symmetry = static_cast<unsigned>(count_of(order.spec, "symmetry", options.symmetry));
    options.exploration = number_of(order.spec, "exploration", options.exploration);
    options.each = count_of(order.spec, "each", options.each);
    options.leaves = count_of(order.spec, "leaves", options.leaves);
    options.pruning = static_cast<unsigned>(count_of(order.spec, "pruning", options.pruning));
    options.file = text_of(order.spec, "cache", "");
    options.keep = !options.file.empty() || count_of(order.spec, "keep", 0) != 0;
    const auto shared = order.shared.kept(options.symmetry > 0 ? "mac-ucb-sym" : "mac-ucb",
                                          [&] { return std::make_shared<MacUcbShared>(order.rules); });
    return make_mac_ucb(order.rules, order.settings, options, std::static_pointer_cast<MacUcbShared>(shared));
}

std::vector<Key> tree_keys(std::vector<Key> own) {
    own.push_back({"leaves", Key::Type::count, 1, 512, "number of leaves evaluated at once"});
    own.push_back({"each", Key::Type::count, 1, 512, "playouts per leaf"});
    own.push_back({"bounds", Key::Type::count, 0, 1, "0: keep no proven bounds"});
    return own;
}

std::vector<Key> mac_ucb_keys(std::vector<Key> own) {
    own.push_back({"resolve", Key::Type::number, 0, 100, "percent of the time for resolution by MAC"});
    own.push_back({"exploration", Key::Type::number, 0, 10,
                   "factor of the square root in the confidence bound; the paper's is the root of 2"});
    own.push_back({"each", Key::Type::count, 0, 1e6,
                   "simulations of a resolved turn; 0: one for each solution, or by the share of the time"});
    own.push_back({"leaves", Key::Type::count, 0, 512,
                   "simulations at work at the same time, where they are counted; 0: by the budget"});
    own.push_back(
        {"pruning", Key::Type::count, 0, 2, "0: none, 1: the certain one, 2: also the probable one"});
    own.push_back({"keep", Key::Type::count, 0, 1, "1: the cache lives on from match to match"});
    own.push_back(
        {"cache", Key::Type::text, 0, 0, "a file from which the cache is read and to which it is saved"});
    return own;
}

std::vector<Key> champion_keys(std::vector<Key> own) {
    own.push_back({"resolve", Key::Type::number, 0, 100, "percent of the time for resolution"});
    own.push_back(
        {"filter", Key::Type::count, 0, 3,
         "filtering of moves: 0: none, 1: immediate wins, 2: also losses, 3: also risks in playouts"});
    own.push_back(
        {"transfer", Key::Type::count, 0, 3,
         "use of move statistics from other states: 0: none, 1: cautious, 2: full, 3: as in GRAVE"});
    own.push_back({"value", Key::Type::number, 0, 100,
                   "percent of the value of a leaf that a network tells, learned from quick plays"});
    own.push_back({"net", Key::Type::text, 0, 0,
                   "a file that `zermelo train` wrote, or none; by default, the file in the cache folder, if "
                   "there is one"});
    own.push_back(
        {"net-use", Key::Type::count, 0, 2,
         "use of the net: 0: none, 1: in place of playouts, 2: mixed with them; by default it is raced"});
    own.push_back(
        {"learn", Key::Type::count, 0, 1, "1: learn the game before the first move, where there is no net"});
    own.push_back(
        {"thrifty", Key::Type::count, 0, 1, "0: the tree keeps every leaf as long as there is memory"});
    own.push_back({"adapt", Key::Type::count, 0, 1, "0: do not race configurations before the first move"});
    own.push_back(
        {"remember", Key::Type::count, 0, 1, "0: racing begins anew, and keeps nothing for the next match"});
    own.push_back({"cut", Key::Type::number, 0, 100,
                   "prune moves that are worse by this many standard deviations; 0: never prune"});
    own.push_back(
        {"balance", Key::Type::count, 0, 1, "0: draw chance outcomes at random instead of equally often"});
    own.push_back({"slices", Key::Type::count, 0, 1, "0: run playouts one by one, not bit-parallel"});
    own.push_back({"table", Key::Type::count, 0, 1, "0: resolution uses no transposition table"});
    own.push_back(
        {"exploration", Key::Type::number, 0, 10, "exploration constant, for goals scaled to 0 to 1"});
    return tree_keys(std::move(own));
}

// All players, those of embedding programs last. A new one is a line here and a function above.
std::deque<Kind>& kinds() {
    static std::deque<Kind> all = {
        {"random", "plays random moves", {}, make_random},
        {"greedy", "plays the move with the best goal one step ahead", {}, make_greedy},
        {"uct", "Monte Carlo tree search with upper confidence bounds (UCT)",
         tree_keys(
             {{"exploration", Key::Type::number, 0, 10, "exploration constant, for goals scaled to 0 to 1"},
              {"symmetry", Key::Type::count, 0, 1, "1: treat symmetric states as one"}}),
         make_uct_player},
        {"grave", "Monte Carlo tree search with generalised rapid action value estimation (GRAVE)",
         tree_keys({{"reference", Key::Type::count, 0, no_end,
                     "visits that a node needs to serve as reference for the AMAF statistics"},
                    {"bias", Key::Type::number, 0, 1,
                     "bias of the AMAF value; larger: a move's own mean takes over sooner"}}),
         make_grave},
        {"zermelo",
         "expectimax over the coming turns and Monte Carlo tree search on a filtered network, in a "
         "configuration that is raced on the game at hand",
         champion_keys({{"symmetry", Key::Type::count, 0, 1, "0: do not use symmetries"},
                        {"symmetry-time", Key::Type::number, 0, 100,
                         "percent of a move's time for symmetry detection, until it is complete"}}),
         make_champion_player},
        {"mac-ucb",
         "MAC-UCB (Koriche et al. 2015): turns resolved by MAC as stochastic CSPs, solutions estimated by "
         "UCB1",
         mac_ucb_keys({}), [](const Order& order) { return make_mac_ucb_player(order, {}); }},
        {"mac-ucb-sym", "MAC-UCB-SYM (Koriche et al. 2016): MAC-UCB, and symmetric turns are resolved once",
         mac_ucb_keys(
             {{"symmetry", Key::Type::count, 0, 2,
               "symmetries: 0: none, 1: of the game, 2: also of microstructures by nauty"},
              {"symmetry-time", Key::Type::number, 0, 100, "percent of the time for symmetry detection"}}),
         [](const Order& order) {
             return make_mac_ucb_player(order, {.resolve = 0.5, .symmetry_time = 0.25, .symmetry = 2});
         }},
        {"alpha-beta",
         "iterative deepening alpha-beta with a heuristic learned from random plays",
         {{"worlds", Key::Type::count, 1, 1024, "number of determinizations under imperfect information"}},
         make_alphabeta},
        {"cfr",
         "counterfactual regret minimisation (CFR), for hidden and simultaneous moves",
         {{"exploration", Key::Type::number, 0.01, 1, "probability of a random move in a sampled play"},
          {"start", Key::Type::number, 0, 1,
           "share of plays sampled from the initial state, under imperfect information"}},
         make_cfr},
        {"perfect",
         "plays optimally where the game is solved; another player plays the rest",
         {{"solve", Key::Type::number, 0, 1e6, "seconds to solve the game, once"},
          {"strategy", Key::Type::text, 0, 0, "a strategy file to follow"},
          {"fallback", Key::Type::player, 0, 0, "the player for positions that are not solved"}},
         make_perfect},
    };
    return all;
}

const Kind* find_kind(const std::string& name) {
    const auto at = std::ranges::find(kinds(), name, &Kind::name);
    return at == kinds().end() ? nullptr : &*at;
}

template <class Named>
std::vector<std::string> list_of_names(const Named& all) {
    std::vector<std::string> list;
    for (const auto& each : all) list.push_back(each.name);
    return list;
}

template <class Named>
std::string names(const Named& all) {
    return fmt::format("{}", fmt::join(list_of_names(all), ", "));
}

void check(const Spec& spec, const Key& key, const std::string& value) {
    std::optional<double> number;
    std::string expected = "a number";
    switch (key.type) {
        case Key::Type::text:
            if (value.empty()) bad(spec, fmt::format("{} has no value", key.name), "write one after the =");
            return;
        case Key::Type::player:
            if (find_kind(value) == nullptr || value == spec.name) {
                bad(spec, fmt::format("{} cannot be the {}", value, key.name),
                    "choose another of: " + names(kinds()));
            }
            return;
        case Key::Type::number:
            number = read_number<double>(value);
            break;
        case Key::Type::count:
            expected = "a whole number";
            if (const auto count = read_number<std::uint64_t>(value)) number = static_cast<double>(*count);
            break;
        case Key::Type::bytes:
            expected = "a number of bytes such as 64M";
            if (const auto bytes = read_size(value)) number = static_cast<double>(*bytes);
            break;
    }
    if (number && *number >= key.low && *number <= key.high) return;
    const std::string range = key.high == no_end ? fmt::format("of at least {}", key.low)
                                                 : fmt::format("from {} to {}", key.low, key.high);
    bad(spec, fmt::format("{} is no value for {}", value, key.name),
        fmt::format("write {} {}", expected, range));
}

std::string name_in(const std::string& text) { return text.substr(0, text.find(':')); }

void take(Spec& spec, const Kind& kind, const std::string& part) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const bool common = std::ranges::find(common_keys(), name, &Key::name) != common_keys().end();
    const std::vector<Key>& keys = common ? common_keys() : kind.keys;
    const auto key = std::ranges::find(keys, name, &Key::name);
    if (key == keys.end() && kind.name.starts_with("mac-ucb")) {
        const std::vector<Key>& champion = find_kind("zermelo")->keys;
        if (std::ranges::find(champion, name, &Key::name) != champion.end())
            bad(spec, fmt::format("{} is a key of another player", name),
                fmt::format("write zermelo:{} for the player that has it, or one of: {}, {}", part,
                            names(kind.keys), names(common_keys())));
    }
    if (key == keys.end() || equals == std::string::npos) {
        const std::string own = kind.keys.empty() ? "" : names(kind.keys) + ", ";
        bad(spec, fmt::format("{} is no key with a value", name.empty() ? "nothing" : name),
            fmt::format("{}write KEY=VALUE with one of: {}{}", did_you_mean(name, list_of_names(keys)), own,
                        names(common_keys())));
    }
    const std::string value = part.substr(equals + 1);
    check(spec, *key, value);
    if (name == "seconds")
        spec.seconds = read_number<double>(value);
    else if (name == "playouts")
        spec.playouts = read_number<std::uint64_t>(value);
    else if (name == "threads")
        spec.threads = static_cast<unsigned>(read_number<std::uint64_t>(value).value());
    else if (name == "memory")
        spec.memory = read_size(value);
    else if (name == "ponder")
        spec.ponder = value != "0";
    else if (name == "label")
        spec.label = value;
    else
        spec.options[name] = value;
}

std::vector<KeyDescription> described(const std::vector<Key>& keys) {
    std::vector<KeyDescription> all;
    for (const Key& key : keys) all.push_back({key.name, key.about});
    return all;
}

}  // namespace

std::optional<Spec> find_spec(const std::string& text) {
    Spec spec;
    spec.text = spec.label = text;
    spec.name = name_in(text);
    const Kind* kind = find_kind(spec.name);
    if (kind == nullptr) return std::nullopt;
    for (std::size_t end = spec.name.size(); end < text.size();) {
        const std::size_t from = end + 1;
        end = std::min(text.find(',', from), text.size());
        take(spec, *kind, text.substr(from, end - from));
    }
    return spec;
}

Spec read_spec(const std::string& text) {
    if (text.starts_with(scheme)) {
        Spec spec;
        spec.text = spec.label = text;
        spec.name = "http";
        spec.label.erase(0, scheme.size());
        while (spec.label.ends_with('/')) spec.label.pop_back();
        if (spec.label.empty())
            throw Error(fmt::format("the player {} has no address", text), "write http://HOST:PORT");
        return spec;
    }
    if (auto found = find_spec(text)) return *std::move(found);
    const std::string name = name_in(text);
    throw Error(fmt::format("there is no player {}", name.empty() ? "without a name" : name),
                did_you_mean(name, list_of_names(kinds())) + "choose one of: " + names(kinds()) +
                    ", or give the address http://HOST:PORT of a remote player");
}

std::vector<PlayerDescription> describe_players() {
    std::vector<PlayerDescription> all;
    for (const Kind& kind : kinds()) all.push_back({kind.name, kind.about, described(kind.keys)});
    return all;
}

std::vector<KeyDescription> describe_common_keys() { return described(common_keys()); }

std::shared_ptr<Solutions> Shared::solutions(const std::string& name,
                                             const std::function<std::shared_ptr<Solutions>()>& make) {
    const std::lock_guard lock(mutex_);
    auto& found = solutions_[name];
    if (!found) found = make();
    return found;
}

std::shared_ptr<ConfigRacing> Shared::racing(const std::string& name,
                                             const std::function<std::shared_ptr<ConfigRacing>()>& make) {
    const std::lock_guard lock(mutex_);
    auto& found = racings_[name];
    if (!found) found = make();
    return found;
}

std::shared_ptr<void> Shared::kept(const std::string& name,
                                   const std::function<std::shared_ptr<void>()>& make) {
    const std::lock_guard lock(mutex_);
    auto& found = kept_[name];
    if (!found) found = make();
    return found;
}

void register_player(const PlayerDescription& description, PlayerFactory make) {
    if (find_kind(description.name) != nullptr)
        throw Error(fmt::format("there is a player {} already", description.name), "choose another name");
    Kind kind{description.name, description.about, {}, {}};
    for (const KeyDescription& key : description.keys)
        kind.keys.push_back({key.name, Key::Type::text, 0, 0, key.about});
    kind.make = [make = std::move(make)](const Order& order) {
        return make(order.spec, order.rules, order.settings);
    };
    kinds().push_back(std::move(kind));
}

std::unique_ptr<Player> make_player(const Spec& spec, const GameContext& rules, Settings settings,
                                    Shared& shared) {
    if (spec.remote())
        throw Error(fmt::format("the player {} is somewhere else", spec.text),
                    "remote players are for match, tournament and manage; choose a built-in player here");
    if (spec.threads) {
        settings.threads = *spec.threads;
        settings.start_threads = 0;
    }
    if (spec.seconds) settings.clock = *spec.seconds;
    if (spec.memory) settings.memory = *spec.memory;
    return find_kind(spec.name)->make({spec, rules, settings, shared});
}

}  // namespace zermelo::play
