// Match file: the record of a match in the format of GGP-Base, for its viewers and archives.
//
// One JSON object: who played what with which clocks, all states with their times, the moves between them,
// the faults of each step (first at START), and the goals. Chance is a role like the others.

#pragma once

#include <nlohmann/json.hpp>

#include "arena/referee.hpp"
#include "ggp/kif_names.hpp"

namespace zermelo::ggp {

struct MatchHead {
    std::string id = {};
    std::string game = {};                  // where its description is
    std::vector<std::string> players = {};  // names, by seat
    double start_clock = 0;                 // seconds
    double play_clock = 0;
    std::string tournament = {};  // empty: none
};

class MatchFile {
public:
    // The match begins now. `rules` must outlive it.
    MatchFile(const play::GameContext& rules, std::shared_ptr<const KifNames> names, const MatchHead& head);

    void started(const arena::Faults& faults);
    void step(const play::State& state, const play::JointMove& joint, const arena::Faults& faults);
    void complete();  // the last state is the end
    void abort();

    [[nodiscard]] const nlohmann::json& json() const { return json_; }
    [[nodiscard]] std::string text() const;

private:
    void add(const play::State& state);

    const play::GameContext& rules_;
    std::shared_ptr<const KifNames> names_;
    play::State last_;
    nlohmann::json json_;
};

}  // namespace zermelo::ggp
