// Files that the program writes for itself: checkpoints, tournament records, and the hints beside rules.

#include <filesystem>
#include <fstream>

#include "arena/record.hpp"
#include "catalogue/library.hpp"
#include "catalogue/recognise.hpp"
#include "checkpoint_contents.hpp"
#include "cluster/search/search_checkpoint.hpp"
#include "core/format/json.hpp"
#include "game/explore/explore.hpp"
#include "game/solve.hpp"
#include "game/views/gdl_game.hpp"
#include "gdl/syntax/parse.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

namespace {

const gdl::Game& small_game() {
    static const gdl::Game game(gdl::parse(small_rules, "small.kif"));
    return game;
}

std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

game::ExploreOptions exploring(const std::string& file) {
    game::ExploreOptions options;
    options.threads = 1;
    options.limits = small_limits();
    options.checkpoint = file;
    return options;
}

// An exploration that was stopped in the middle.
const Contents& stopped_exploration() {
    static const Contents contents = [] {
        const std::string file = file_with("", ".explore");
        std::filesystem::remove(file);
        game::GdlGame game(small_game());
        game::ExploreOptions options = exploring(file);
        options.limits = Limits::after_questions(2);
        (void)game::explore(game, options);
        return contents_of(file, {game::exploration_kind, game.fingerprint()});
    }();
    return contents;
}

const Contents& divided_search() {
    static const Contents contents = [] {
        const std::string file = file_with("", ".search");
        std::filesystem::remove(file);
        cluster::SearchCheckpoint checkpoint(file, {1, 2});
        checkpoint.open({3, 4});
        checkpoint.put(Hash128{5, 6}, Solved{true, Bytes(9, std::byte{1})});
        Split split;
        split.open.push_back({{1, 2}, {7, 8}});
        checkpoint.put(Hash128{9, 10}, split);
        checkpoint.save();
        return contents_of(file, {"divided search", {1, 2}});
    }();
    return contents;
}

}  // namespace

// The first letter says whether the rest is a whole file, or changes to what a true one contains.
void checkpoint(const std::string& text) {
    if (text.empty()) return;
    const std::string rest = text.substr(1);
    try {
        if (text.front() == 'd') {
            const std::string file = file_with("", ".search");
            write(file, divided_search(), rest);
            (void)cluster::SearchCheckpoint(file, {1, 2});
            return;
        }
        const std::string file = file_with(rest, ".explore");
        if (text.front() == 'e') write(file, stopped_exploration(), rest);
        (void)game::checkpoint_kind(file);
        game::GdlGame game(small_game());
        (void)game::explore(game, exploring(file));
    } catch (const Error&) {
        // what a damaged file deserves
    }
}

void record(const std::string& text) {
    static const std::string whole = [] {
        const std::string file = file_with("", ".record");
        std::filesystem::remove(file);
        {
            arena::Record record(file, R"({"games": ["x"], "players": ["a", "b"]})");
            arena::MatchResult match;
            match.game = "x";
            match.seats.resize(2);
            match.seats[0].counters["nodes"] = 3;
            match.moves = "(mark 1 1)";
            record.add(match);
        }
        return bytes_of(file);
    }();
    try {
        const bool file_itself = text.starts_with("SQLite format 3");
        const std::string file = file_with(file_itself ? text : patched(whole, text), ".record");
        const std::string plan = arena::Record::plan_of(file);
        (void)arena::Record::results_of(file);
        arena::Record again(file, plan);
        arena::MatchResult match;
        match.match = 77;
        again.add(match);
    } catch (const Error&) {
        // what a damaged file deserves
    }
}

// Hints beside rules, in a library of one game; and boards that they describe.
void hints(const std::string& text) {
    const std::string file = file_with("; A game.\n" + std::string(small_rules), ".kif");
    const auto folder = std::filesystem::path(file).parent_path() / "library" / "gdl";
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(file, folder / "small.kif", std::filesystem::copy_options::overwrite_existing);
    std::ofstream(folder / "small.hints.json", std::ios::binary | std::ios::trunc) << text;
    try {
        const catalogue::Library library(folder.parent_path().string());
        for (const catalogue::Shipped& game : library.games())
            (void)catalogue::recognise_boards(small_game(), game.hints);
    } catch (const Error&) {
        // what a damaged file deserves
    }
}

}  // namespace zermelo::fuzz
