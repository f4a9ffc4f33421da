#include "cluster/search/search_checkpoint.hpp"

#include <filesystem>

#include "cluster/comm/packing.hpp"

namespace zermelo::cluster {

SearchCheckpoint::SearchCheckpoint(std::string file, const Hash128& first_question)
    : file_(std::move(file)), work_{"divided search", first_question} {
    if (file_.empty() || !std::filesystem::exists(file_)) return;
    game::CheckpointReader reader(file_, work_);
    reader.section("answers");
    for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
        const auto key = reader.get<Hash128>();
        Solved answer;
        answer.won = reader.get<std::uint8_t>() != 0;
        const auto bytes = reader.get<std::uint64_t>();
        reader.append(answer.certificate, bytes);
        answers_.emplace(key, std::move(answer));
    }
    reader.section("splits");
    for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
        const auto key = reader.get<Hash128>();
        Bytes bytes;
        reader.append(bytes, reader.get<std::uint64_t>());
        try {
            splits_.emplace(key, split_from(unpacked(bytes)));
        } catch (const nlohmann::json::exception&) {
            reader.refuse("its splits are damaged");
        }
    }
    reader.finish();
}

const Solved* SearchCheckpoint::find(const Hash128& key) const {
    const auto found = answers_.find(place(key));
    return found == answers_.end() ? nullptr : &found->second;
}

const Split* SearchCheckpoint::find_split(const Hash128& key) const {
    const auto found = splits_.find(place(key));
    return found == splits_.end() ? nullptr : &found->second;
}

void SearchCheckpoint::put(const Hash128& key, const Split& split) {
    if (!file_.empty()) splits_.insert_or_assign(place(key), split);
}

void SearchCheckpoint::put(const Hash128& key, const Solved& answer) {
    if (!file_.empty()) answers_.insert_or_assign(place(key), answer);
}

void SearchCheckpoint::save_after(double seconds) {
    if (!file_.empty() && seconds_since(saved_) >= seconds) save();
}

void SearchCheckpoint::save() {
    if (file_.empty()) return;
    game::CheckpointWriter writer(file_, work_);
    writer.section("answers");
    writer.put<std::uint64_t>(answers_.size());
    for (const auto& [key, answer] : answers_) {
        writer.put(key);
        writer.put<std::uint8_t>(answer.won ? 1 : 0);
        writer.put<std::uint64_t>(answer.certificate.size());
        writer.put_all(std::span(answer.certificate));
    }
    writer.section("splits");
    writer.put<std::uint64_t>(splits_.size());
    for (const auto& [key, split] : splits_) {
        const Bytes bytes = packed(to_json(split));
        writer.put(key);
        writer.put<std::uint64_t>(bytes.size());
        writer.put_all(std::span(bytes));
    }
    writer.commit();
    saved_ = Clock::now();
}

Hash128 SearchCheckpoint::place(const Hash128& key) const {
    Hasher hasher;
    for (const std::uint64_t word : {question_.low, question_.high, key.low, key.high}) hasher.add(word);
    return hasher.value();
}

}  // namespace zermelo::cluster
