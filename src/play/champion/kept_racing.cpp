#include "play/champion/kept_racing.hpp"

#include <bit>

#include "core/error.hpp"
#include "game/explore/checkpoint.hpp"

namespace zermelo::play {

namespace {

constexpr const char* racing_kind = "racing";
constexpr const char* racing_section = "choice";
constexpr std::uint64_t racing_version = 1;  // of the questions, too
constexpr unsigned highest_filter = 3;
constexpr unsigned highest_transfer = 3;
constexpr unsigned highest_net = 2;

bool share(double x) { return x >= 0 && x <= 1; }

}  // namespace

Hash128 racing_subject(const Hash128& rules, const std::string& how, const learn::Judgement* judgement) {
    Hasher hasher;
    hasher.add(racing_version);
    hasher.add(rules);
    hasher.add(how);
    if (judgement != nullptr) {
        const learn::QuantisedWeights& weights = judgement->network().weights();
        for (const auto row : weights.rows) hasher.add(static_cast<std::uint64_t>(row));
        for (const float value : weights.values) hasher.add(std::bit_cast<std::uint32_t>(value));
    }
    return hasher.value();
}

RacingFile::RacingFile(const std::string& net_file, const Hash128& subject, double clock) {
    Hasher hasher;
    hasher.add(subject);
    hasher.add(std::bit_cast<std::uint64_t>(clock));
    subject_ = hasher.value();
    name_ = net_file + "." + hex(subject_) + ".racing";
}

std::optional<KeptRacing> RacingFile::read() const {
    try {
        game::CheckpointReader in(name_, {racing_kind, subject_});
        in.section(racing_section);
        KeptRacing racing;
        for (double* number : {&racing.config.resolve, &racing.config.explore, &racing.config.value})
            *number = in.get<double>();
        for (unsigned* level : {&racing.config.filter, &racing.config.transfer, &racing.config.net})
            *level = in.get<std::uint32_t>();
        racing.config.symmetry = in.get<std::uint8_t>() != 0;
        racing.step = in.get<std::uint32_t>();
        racing.matches = in.get<std::uint64_t>();
        in.finish();
        const ChampionConfig& config = racing.config;
        const bool sound = share(config.resolve) && share(config.explore) && share(config.value) &&
                           config.filter <= highest_filter && config.transfer <= highest_transfer &&
                           config.net <= highest_net;
        return sound ? std::optional(racing) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

void RacingFile::write(const KeptRacing& racing) const {
    try {
        game::CheckpointWriter out(name_, {racing_kind, subject_});
        out.section(racing_section);
        for (const double number : {racing.config.resolve, racing.config.explore, racing.config.value})
            out.put(number);
        for (const unsigned level : {racing.config.filter, racing.config.transfer, racing.config.net})
            out.put(std::uint32_t{level});
        out.put(static_cast<std::uint8_t>(racing.config.symmetry ? 1 : 0));
        out.put(racing.step);
        out.put(racing.matches);
        out.commit();
    } catch (const Error&) {
        // The next match begins anew.
    }
}

}  // namespace zermelo::play
