// zermelo bench symmetry: how much smaller a search tree is whose symmetric states are one (Koriche et al.
// 2016, table 2, column Ame): all states up to a depth, counted with and without.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <unordered_set>

#include "cli/bench/bench.hpp"
#include "gdl/game.hpp"
#include "play/info_state.hpp"

namespace zermelo::cli {

namespace {

struct Key {
    std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

// The states that can be reached, all of one depth at a time.
class Layers {
public:
    Layers(const play::GameContext& rules, const symmetry::Canonical& canonical)
        : rules_(rules), canonical_(canonical), info_(rules) {
        add(rules.machine().initial());
    }

    // One depth further; stops early with more than `most` states. False where there is nothing new.
    bool deepen(std::uint64_t most) {
        std::vector<play::State> from;
        std::swap(from, newest_);
        for (const play::State& state : from) {
            if (reached_.size() > most) break;
            expand(state);
        }
        return !newest_.empty();
    }
    [[nodiscard]] std::uint64_t size() const { return reached_.size(); }

private:
    void add(play::State state) {
        (void)canonical_.canonicalise(state);
        if (reached_.insert(gdl::hash(state)).second) newest_.push_back(std::move(state));
    }

    // All joint moves, like the digits of a number.
    void expand(const play::State& state) {
        info_.load(state);
        if (info_.terminal()) return;
        std::vector<std::vector<play::MoveId>> legal;
        for (std::size_t role = 0; role < rules_.roles(); ++role) legal.push_back(info_.legal(role));
        std::vector<std::size_t> digits(legal.size(), 0);
        play::JointMove joint(legal.size());
        for (std::size_t role = 0; role < legal.size();) {
            for (std::size_t r = 0; r < legal.size(); ++r) joint[r] = legal[r][digits[r]];
            play::State next = state;
            info_.load(state);
            info_.play(joint, next);
            add(std::move(next));
            for (role = 0; role < legal.size() && ++digits[role] == legal[role].size(); ++role)
                digits[role] = 0;
        }
    }

    const play::GameContext& rules_;
    const symmetry::Canonical& canonical_;
    play::InfoState info_;
    std::unordered_set<Hash128, Key> reached_;
    std::vector<play::State> newest_;
};

}  // namespace

int BenchSymmetry::run() const {
    nlohmann::json rows = nlohmann::json::array();
    if (!json)
        std::cout << fmt::format("{:<24} {:>10} {:>6} {:>12} {:>12} {:>8}\n", "game", "symmetries", "depth",
                                 "states", "classes", "fewer");
    for (const std::string& file : files) {
        const gdl::Game game(file);
        const play::GameContext rules(game);
        const symmetry::Canonical plain;
        const symmetry::Canonical& canonical = rules.canonical({});
        Layers all(rules, plain);
        Layers classes(rules, canonical);
        std::size_t depth = 0;
        std::uint64_t states = 1;
        std::uint64_t found = 1;
        while (all.deepen(most_states) && all.size() <= most_states) {
            (void)classes.deepen(most_states);
            states = all.size();
            found = classes.size();
            ++depth;
        }
        const double fewer = 100 * (1 - static_cast<double>(found) / static_cast<double>(states));
        rows.push_back({{"game", file},
                        {"symmetries", canonical.size()},
                        {"depth", depth},
                        {"states", states},
                        {"classes", found},
                        {"fewer_percent", fewer}});
        if (!json)
            std::cout << fmt::format("{:<24} {:>10} {:>6} {:>12} {:>12} {:>7.1f}%\n",
                                     std::filesystem::path(file).stem().string(), canonical.size(), depth,
                                     count_text(states), count_text(found), fewer)
                      << std::flush;
    }
    if (json) print({{"most_states", most_states}, {"rows", rows}});
    return answered;
}

}  // namespace zermelo::cli
