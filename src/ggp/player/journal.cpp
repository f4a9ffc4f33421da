#include "ggp/player/journal.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "ggp/message.hpp"

namespace zermelo::ggp {

namespace {

constexpr const char* suffix = ".match.jsonl";

std::string line_of(const std::string& match, const Journal::Entry& entry) {
    nlohmann::json line = {{"match", match}, {entry.turn ? "answer" : "message", entry.text}};
    if (entry.turn) line["turn"] = *entry.turn;
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace

Journal::Journal(std::string folder) : folder_(std::move(folder)) {
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    if (failure)
        throw Error({folder_}, "cannot be created: " + failure.message(),
                    "give another " + setting("journal"));
}

// The name of a match may be anything, so the file's is its hash.
std::string Journal::file(const std::string& match) const {
    Hasher hasher;
    hasher.add(lower(match));
    return fmt::format("{}/{}{}", folder_, hex(hasher.value()), suffix);
}

void Journal::begin(const std::string& match, const std::string& message) const {
    std::ofstream(file(match), std::ios::trunc) << line_of(match, {message}) << std::flush;
}

void Journal::add(const std::string& match, const Entry& entry) const {
    if (has(match)) std::ofstream(file(match), std::ios::app) << line_of(match, entry) << std::flush;
}

bool Journal::has(const std::string& match) const { return std::filesystem::exists(file(match)); }

std::vector<Journal::Entry> Journal::read(const std::string& match) const {
    std::vector<Entry> entries;
    std::ifstream in(file(match));
    std::uintmax_t good = 0;  // bytes
    for (std::string line; std::getline(in, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (in.eof() || json.is_discarded() || lower(json.value("match", "")) != lower(match)) break;
        good += line.size() + 1;
        if (json.contains("answer"))
            entries.push_back({json.value("answer", ""), json.value("turn", std::size_t{0})});
        else
            entries.push_back({json.value("message", "")});
    }
    std::error_code ignored;
    if (!entries.empty() && std::filesystem::file_size(file(match), ignored) > good)
        std::filesystem::resize_file(file(match), good, ignored);
    return entries;
}

void Journal::remove(const std::string& match) const {
    std::error_code ignored;
    std::filesystem::remove(file(match), ignored);
}

void Journal::remove_older_than(double seconds) const {
    std::error_code ignored;
    const auto before = std::filesystem::file_time_type::clock::now() -
                        std::chrono::duration_cast<std::filesystem::file_time_type::duration>(
                            std::chrono::duration<double>(seconds));
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        if (!entry.path().string().ends_with(suffix)) continue;
        if (entry.last_write_time(ignored) < before) std::filesystem::remove(entry.path(), ignored);
    }
}

}  // namespace zermelo::ggp
