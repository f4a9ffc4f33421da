#include "game/strategy/file.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace zermelo::game::plan_file {

bool wants_json(const std::string& file) { return file.ends_with(".json"); }

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (std::filesystem::is_directory(file)) throw Error({file}, "is a folder", "give a file");
    if (!in) throw Error({file}, "cannot be opened", "check the name of the file");
    return {std::istreambuf_iterator<char>(in), {}};
}

void replace(const std::string& file, const std::string& new_contents) {
    const std::string beside = fmt::format("{}.{}.part", file, getpid());
    std::ofstream out(beside, std::ios::binary);
    if (!out) throw Error({file}, "cannot be written", "check the folder and its permissions");
    out.write(new_contents.data(), static_cast<std::streamsize>(new_contents.size()));
    out.close();
    if (!out) {
        std::remove(beside.c_str());
        throw Error({file}, "could not be written completely", "free some disk space");
    }
    if (std::rename(beside.c_str(), file.c_str()) != 0) {
        std::remove(beside.c_str());
        throw Error({file}, "cannot be written", "check the folder and its permissions");
    }
}

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
