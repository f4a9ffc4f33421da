#include "game/strategy/file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/files.hpp"

namespace zermelo::game::plan_file {

bool wants_json(const std::string& file) { return file.ends_with(".json"); }

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (std::filesystem::is_directory(file)) throw Error({file}, "is a folder", "give a file");
    if (!in) throw Error({file}, "cannot be opened", remedy_for_unreadable(file));
    return {std::istreambuf_iterator<char>(in), {}};
}

void replace(const std::string& file, const std::string& new_contents) { replace_file(file, new_contents); }

std::string text_of(const PlanText& text) {
    std::ostringstream out;
    write_plan_json(out, text);
    return out.str();
}

void require_rules(const std::string& file, Hash128 expected, Hash128 found, const std::string& game) {
    if (expected == found) return;
    throw Error({file}, "this plan was made for other rules, those of " + game,
                "give the game that it was made for");
}

}  // namespace zermelo::game::plan_file
