// Files of networks: what was learned about a game, found again by its rules.
//
// A file belongs to the rules that have its fingerprint (symmetry/rules_form.hpp), and keeps its rows by the canonical
// numbers of fluents and moves: names do not matter. It is a checkpoint file (game/explore/checkpoint.hpp), so it is written
// as a whole or not at all, and one that is damaged, or of another game, is refused.

#pragma once

#include <string>

#include "game/explore/checkpoint.hpp"
#include "learn/judgement.hpp"

namespace zermelo::learn {

struct NetFile {
    QuantisedWeights weights;  // by canonical numbers
    std::vector<GateFeature> gates;
    bool opposed = false;
    bool trusted = false;     // as in Judgement
    std::uint64_t games = 0;  // it learned from
};

void write_net(const std::string& file, const Hash128& rules, const NetFile& net);
// Throws Error where the file cannot be used for these rules.
[[nodiscard]] NetFile read_net(const std::string& file, const Hash128& rules);

// From canonical numbers to those of this machine, and back.
[[nodiscard]] std::shared_ptr<const Judgement> judgement_of(const NetFile& net, const gdl::Machine& machine,
                                                            const symmetry::RulesForm& form,
                                                            const Limits& limits = {});
[[nodiscard]] NetFile net_of(const Judgement& judgement, const symmetry::RulesForm& form,
                             std::uint64_t games);

// Where the net of these rules is kept: in $XDG_CACHE_HOME/zermelo, or in ~/.cache/zermelo. Empty where there is no such
// place.
[[nodiscard]] std::string cache_file(const Hash128& rules);
// Whether any nets are kept there.
[[nodiscard]] bool cache_has_nets();

}  // namespace zermelo::learn
