#include "play/learn/known_nets.hpp"

#include <filesystem>

namespace zermelo::play {

namespace {

constexpr double most_seconds_unasked = 2;  // to find out which game it is, where no file is named

}  // namespace

std::shared_ptr<const learn::Judgement> load_judgement(const GameContext& rules, const std::string& file) {
    if (file.empty() && !learn::cache_has_nets()) return nullptr;
    const Limits limits(file.empty() ? std::optional(most_seconds_unasked) : std::nullopt, std::nullopt);
    const symmetry::RulesForm form = symmetry::rules_form(rules.game(), limits);
    const std::string name = file.empty() ? learn::cache_file(form.fingerprint) : file;
    if (file.empty() && !std::filesystem::exists(name)) return nullptr;
    try {
        const learn::NetFile net = learn::read_net(name, form.fingerprint);
        if (net.weights.shape.seats != rules.seats().size())
            throw Error({name}, "the network is of another game", "train one for this game");
        return learn::judgement_of(net, rules.machine(), form, limits);
    } catch (const LimitReached&) {
        if (!file.empty()) throw;
        return nullptr;
    } catch (const Error&) {
        if (!file.empty()) throw;
        return nullptr;
    }
}

}  // namespace zermelo::play
