#include "ggp/player/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/format/json_text.hpp"
#include "core/hash.hpp"
#include "ggp/message.hpp"

namespace zermelo::ggp {

namespace {

constexpr const char* suffix = ".match.jsonl";

std::string line_of(const std::string& match, const Journal::Entry& entry) {
    nlohmann::json line = {{"match", match}, {entry.turn ? "answer" : "message", entry.text}};
    if (entry.turn) line["turn"] = *entry.turn;
    return json_text(line) + '\n';
}

// A whole line or nothing: where there is no space for all of it, what was written is taken back.
void append(const std::string& file, const std::string& line) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    int failure = descriptor < 0 ? errno : 0;
    const off_t before = failure == 0 ? lseek(descriptor, 0, SEEK_END) : 0;
    for (std::size_t done = 0; failure == 0 && done < line.size();) {
        const ssize_t written = ::write(descriptor, line.data() + done, line.size() - done);
        if (written > 0) done += static_cast<std::size_t>(written);
        if (written < 0 && errno != EINTR) failure = errno;
        if (written == 0) failure = ENOSPC;
    }
    if (failure != 0 && descriptor >= 0 && ftruncate(descriptor, before) != 0)
        unlink(file.c_str());  // half a line would hide those behind it
    if (descriptor >= 0) close(descriptor);
    if (failure != 0)
        throw Error({file}, fmt::format("the journal cannot be written: {}", std::strerror(failure)),
                    "give another " + setting("journal") + ", or free some disk space");
}

std::string text_in(const nlohmann::json& line, const char* key) {
    const auto found = line.find(key);
    return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

// Nothing where the line is none of the match.
std::optional<Journal::Entry> entry_in(const std::string& text, const std::string& match) {
    const auto line = json_or_discarded(text);
    if (!line.is_object() || lower(text_in(line, "match")) != lower(match)) return std::nullopt;
    if (!line.contains("answer")) return Journal::Entry{text_in(line, "message")};
    const auto turn = line.find("turn");
    const bool counted = turn != line.end() && turn->is_number_unsigned();
    return Journal::Entry{text_in(line, "answer"), counted ? turn->get<std::size_t>() : 0};
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
    replace_file(file(match), line_of(match, {message}));
}

void Journal::add(const std::string& match, const Entry& entry) const {
    if (has(match)) append(file(match), line_of(match, entry));
}

bool Journal::has(const std::string& match) const { return std::filesystem::exists(file(match)); }

std::vector<Journal::Entry> Journal::read(const std::string& match) const {
    std::vector<Entry> entries;
    std::ifstream in(file(match));
    std::uintmax_t good = 0;  // bytes
    for (std::string line; std::getline(in, line);) {
        auto entry = entry_in(line, match);
        if (in.eof() || !entry) break;
        good += line.size() + 1;
        entries.push_back(std::move(*entry));
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
        // Half-written ones go, too.
        if (entry.path().filename().string().find(suffix) == std::string::npos) continue;
        if (entry.last_write_time(ignored) < before) std::filesystem::remove(entry.path(), ignored);
    }
}

}  // namespace zermelo::ggp
