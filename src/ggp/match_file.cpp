#include "ggp/match_file.hpp"

#include <chrono>
#include <cmath>
#include <random>

#include "core/format/json_text.hpp"

namespace zermelo::ggp {

namespace {

constexpr std::size_t token_length = 32;
constexpr double most_whole = 1e9;

std::int64_t now() {  // milliseconds
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string token() {
    static constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::random_device source;
    std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
    std::string text;
    while (text.size() < token_length) text += letters[letter(source)];
    return text;
}

// GGP-Base knows whole seconds only.
nlohmann::json clock(double seconds) {
    if (std::floor(seconds) == seconds && seconds < most_whole) return static_cast<std::int64_t>(seconds);
    return seconds;
}

// What was said instead of a move is spelled as moves are.
nlohmann::json spelled(const arena::Faults& faults) {
    constexpr std::string_view illegal = "IL ";
    nlohmann::json list = nlohmann::json::array();
    for (const std::string& fault : faults) {
        const auto term = fault.starts_with(illegal)
                              ? read_move(std::string_view(fault).substr(illegal.size()))
                              : std::nullopt;
        list.push_back(term ? std::string(illegal) + spaced(*term) : fault);
    }
    return list;
}

}  // namespace

MatchFile::MatchFile(const play::GameContext& rules, std::shared_ptr<const KifNames> names,
                     const MatchHead& head)
    : rules_(rules), names_(std::move(names)) {
    using nlohmann::json;
    json_ = {{"matchId", head.id},
             {"randomToken", token()},
             {"startTime", now()},
             {"gameMetaURL", head.game},
             {"isCompleted", false},
             {"isAborted", false},
             {"states", json::array()},
             {"moves", json::array()},
             {"stateTimes", json::array()},
             {"errors", json::array()},
             {"previewClock", -1},
             {"startClock", clock(head.start_clock)},
             {"playClock", clock(head.play_clock)},
             {"playerNamesFromHost", json::array()},
             {"scrambled", false}};
    std::size_t seat = 0;
    for (std::size_t r = 0; r < rules.roles(); ++r)
        json_["playerNamesFromHost"].push_back(rules.chance(r) ? "random" : head.players.at(seat++));
    if (!head.tournament.empty()) json_["tournamentNameFromHost"] = head.tournament;
    add(rules.machine().initial());
}

void MatchFile::add(const play::State& state) {
    last_ = state;
    std::string text = "( ";
    for (const std::string& fact : rules_.game().facts(state)) text += spaced(plain(fact)) + " ";
    json_["states"].push_back(text + ")");
    json_["stateTimes"].push_back(now());
}

void MatchFile::started(const arena::Faults& faults) { json_["errors"].push_back(spelled(faults)); }

void MatchFile::step(const play::State& state, const play::JointMove& joint, const arena::Faults& faults) {
    nlohmann::json moves = nlohmann::json::array();
    for (std::size_t r = 0; r < joint.size(); ++r) moves.push_back(spaced(names_->move(r, joint[r])));
    json_["moves"].push_back(moves);
    add(state);
    json_["errors"].push_back(spelled(faults));
}

void MatchFile::complete() {
    play::InfoState info(rules_);
    info.load(last_);
    json_["isCompleted"] = true;
    for (std::size_t r = 0; r < rules_.roles(); ++r) json_["goalValues"].push_back(info.goal(r));
}

void MatchFile::abort() { json_["isAborted"] = true; }

std::string MatchFile::text() const { return json_text(json_) + "\n"; }

}  // namespace zermelo::ggp
