#include "play/learn/known_nets.hpp"

#include <filesystem>

namespace zermelo::play {

namespace {

constexpr double most_seconds_unasked = 2;  // to find out which game it is, where no file is named

std::shared_ptr<const learn::Judgement> read_judgement(const GameContext& rules, const std::string& file,
                                                       const symmetry::RulesForm& form,
                                                       const Limits& limits) {
    const learn::NetFile net = learn::read_net(file, form.fingerprint);
    if (net.weights.shape.seats != rules.seats().size())
        throw Error({file}, "the network is of another game", "train one for this game");
    return learn::judgement_of(net, rules.machine(), form, limits);
}

Limits unasked() { return {most_seconds_unasked, std::nullopt}; }

}  // namespace

std::optional<symmetry::RulesForm> form_in_cache(const GameContext& rules) {
    if (!learn::cache_has_nets()) return std::nullopt;
    try {
        return symmetry::rules_form(rules.game(), unasked());
    } catch (const LimitReached&) {
        return std::nullopt;
    }
}

std::shared_ptr<const learn::Judgement> judgement_in_cache(const GameContext& rules,
                                                           const symmetry::RulesForm& form) {
    const std::string file = learn::cache_file(form.fingerprint);
    if (!std::filesystem::exists(file)) return nullptr;
    try {
        return read_judgement(rules, file, form, unasked());
    } catch (const Error&) {
        return nullptr;
    }
}

std::shared_ptr<const learn::Judgement> load_judgement(const GameContext& rules, const std::string& file) {
    if (!file.empty()) return read_judgement(rules, file, symmetry::rules_form(rules.game()), {});
    const auto form = form_in_cache(rules);
    return form ? judgement_in_cache(rules, *form) : nullptr;
}

}  // namespace zermelo::play
