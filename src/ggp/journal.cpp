#include "ggp/journal.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace zermelo::ggp {

namespace {

constexpr const char* suffix = ".match.jsonl";

}  // namespace

Journal::Journal(std::string folder) : folder_(std::move(folder)) {
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    if (failure) throw Error({folder_}, "cannot be made: " + failure.message(), "give another --journal");
}

// The name of a match may be anything, so the file's is its hash.
std::string Journal::file(const std::string& match) const {
    Hasher hasher;
    for (const char c : match) hasher.add(static_cast<unsigned char>(c));
    const Hash128 hash = hasher.value();
    return fmt::format("{}/{:016x}{:016x}{}", folder_, hash.high, hash.low, suffix);
}

void Journal::add(const std::string& match, const Entry& entry) const {
    std::ofstream out(file(match), std::ios::app);
    const nlohmann::json line = {{"match", match}, {entry.ours ? "answer" : "message", entry.text}};
    out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
}

std::vector<Journal::Entry> Journal::read(const std::string& match) const {
    std::vector<Entry> entries;
    std::ifstream in(file(match));
    for (std::string line; std::getline(in, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (json.is_discarded() || json.value("match", "") != match) break;
        const bool ours = json.contains("answer");
        entries.push_back({ours, json.value(ours ? "answer" : "message", "")});
    }
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
