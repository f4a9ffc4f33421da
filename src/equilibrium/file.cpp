#include "equilibrium/file.hpp"

#include <fmt/format.h>

#include <ostream>

#include "core/format/dot.hpp"
#include "core/format/json.hpp"

namespace zermelo::equilibrium {

namespace {

using nlohmann::json;

constexpr int version = 1;

const char* name(Equilibrium::By by) { return by == Equilibrium::By::states ? "states" : "views"; }

Rational number(const JsonCursor& value) {
    const auto found = read_rational(value.text());
    if (!found) throw value.wrong("this is no fraction such as 1/3");
    return *found;
}

BehaviourStrategy strategy(const JsonCursor& choices) {
    BehaviourStrategy all;
    for (const JsonCursor& choice : choices.elements()) {
        choice.allow_only({"at", "moves"});
        Mixture mixture;
        const JsonCursor moves = choice.member("moves");
        if (!moves.value().is_object()) throw moves.wrong("moves are given with their probabilities");
        Rational sum = 0;
        for (const auto& [move, probability] : moves.value().items()) {
            const JsonCursor one = moves.member(move.c_str());
            mixture.push_back({move, number(one)});
            if (mixture.back().probability <= 0) throw one.wrong("this probability is not positive");
            sum += mixture.back().probability;
        }
        if (sum != 1) throw moves.wrong("the probabilities add up to " + zermelo::text(sum) + ", not to 1");
        if (!all.emplace(choice.member("at").text(), std::move(mixture)).second)
            throw choice.wrong("there is another choice for the same information set");
    }
    return all;
}

}  // namespace

Hash128 fingerprint(const Equilibrium& equilibrium) {
    Hasher hasher;
    const auto add = [&](const std::string& text) {
        hasher.add(text.size());
        hasher.add(text);
    };
    add(name(equilibrium.by));
    add(text(equilibrium.lower));
    add(text(equilibrium.upper));
    for (std::size_t p = 0; p < 2; ++p) {
        add(equilibrium.roles[p]);
        hasher.add(equilibrium.strategies[p].size());
        for (const auto& [at, mixture] : equilibrium.strategies[p]) {
            add(at);
            hasher.add(mixture.size());
            for (const Chosen& one : mixture) {
                add(one.move);
                add(text(one.probability));
            }
        }
    }
    return hasher.value();
}

void write_json(std::ostream& out, const Equilibrium& equilibrium, const std::string& game,
                const Hash128& rules) {
    out << fmt::format(
        "{{\n\"format\": \"zermelo-strategy\",\n\"version\": {},\n\"kind\": \"equilibrium\",\n"
        "\"game\": {},\n\"rules\": \"{}\",\n\"by\": \"{}\",\n"
        "\"value\": {{\"role\": {}, \"lower\": \"{}\", \"upper\": \"{}\"}},\n\"strategies\": [",
        version, quoted_json(game), hex(rules), name(equilibrium.by), quoted_json(equilibrium.roles[0]),
        text(equilibrium.lower), text(equilibrium.upper));
    for (std::size_t p = 0; p < 2; ++p) {
        out << fmt::format("{}\n{{\"role\": {}, \"choices\": [", p == 0 ? "" : ",",
                           quoted_json(equilibrium.roles[p]));
        const char* comma = "";
        for (const auto& [at, mixture] : equilibrium.strategies[p]) {
            out << fmt::format("{}\n{{\"at\": {}, \"moves\": {{", comma, quoted_json(at));
            comma = ",";
            for (std::size_t i = 0; i < mixture.size(); ++i)
                out << fmt::format("{}{}: \"{}\"", i == 0 ? "" : ", ", quoted_json(mixture[i].move),
                                   text(mixture[i].probability));
            out << "}}";
        }
        out << "\n]}";
    }
    out << "\n]\n}\n";
}

Equilibrium read_json(const std::string& bytes, const std::string& file, const Hash128& rules) {
    const JsonFile about{.name = file,
                         .what = "equilibrium",
                         .not_json = "write the equilibrium again",
                         .deepest = 8,
                         .remedy = "write the equilibrium again"};
    const json value = parse_json(bytes, about);
    const JsonCursor document(about, value);
    document.allow_only({"format", "version", "kind", "game", "rules", "by", "value", "strategies"});
    if (document.member("version").integer() != version)
        throw document.member("version").wrong(
            fmt::format("its version is unknown; version {} can be read", version));
    if (document.member("rules").text() != hex(rules)) {
        throw Error({file},
                    "this equilibrium was made for other rules, those of " + document.member("game").text(),
                    "give the game that it was made for");
    }
    Equilibrium result;
    const JsonCursor by = document.member("by");
    if (by.value() != "states" && by.value() != "views") throw by.wrong("it is neither states nor views");
    result.by = by.value() == "states" ? Equilibrium::By::states : Equilibrium::By::views;
    const JsonCursor strategies = document.member("strategies");
    if (strategies.size() != 2) throw strategies.wrong("there are not two strategies");
    for (std::size_t p = 0; p < 2; ++p) {
        const JsonCursor one = strategies.element(p);
        one.allow_only({"role", "choices"});
        result.roles[p] = one.member("role").text();
        result.strategies[p] = strategy(one.member("choices"));
    }
    const JsonCursor claim = document.member("value");
    claim.allow_only({"role", "lower", "upper"});
    if (claim.member("role").text() != result.roles[0])
        throw claim.member("role").wrong("the value is not that of the first role");
    result.lower = number(claim.member("lower"));
    result.upper = number(claim.member("upper"));
    if (result.lower > result.upper) throw claim.wrong("the lower bound is above the upper one");
    return result;
}

void write_text(std::ostream& out, const Equilibrium& equilibrium, std::size_t most) {
    const Rational& lower = equilibrium.lower;
    const Rational& upper = equilibrium.upper;
    if (equilibrium.exact()) {
        out << fmt::format("{} gets {} on average\n", equilibrium.roles[0], text(lower));
    } else {
        out << fmt::format("{} gets between {:.12g} and {:.12g} on average\n", equilibrium.roles[0],
                           static_cast<double>(lower), static_cast<double>(upper));
    }
    std::size_t shown = 0;
    for (std::size_t p = 0; p < 2; ++p) {
        out << fmt::format("{} plays\n", equilibrium.roles[p]);
        for (const auto& [at, mixture] : equilibrium.strategies[p]) {
            if (shown++ >= most) continue;
            out << fmt::format("  {}:\n", at.empty() ? "at the start" : at);
            for (const Chosen& one : mixture) {
                const std::string exact = text(one.probability);
                const auto decimal = static_cast<double>(one.probability);
                out << fmt::format("    {:<24} {:.4f}{}\n", one.move, decimal,
                                   exact.size() <= 12 ? "  " + exact : "");
            }
        }
    }
    if (shown > most) out << fmt::format("… and {} more information sets\n", shown - most);
}

void write_dot(std::ostream& out, const Equilibrium& equilibrium, std::size_t most) {
    DotDecisions picture(out, "equilibrium");
    std::size_t id = 0;
    std::size_t drawn = 0;
    for (std::size_t p = 0; p < 2; ++p) {
        for (const auto& [at, mixture] : equilibrium.strategies[p]) {
            if (drawn++ >= most) continue;
            const std::size_t set = id++;
            picture.node(set, equilibrium.roles[p] + ": " + (at.empty() ? "at the start" : at), p == 0);
            for (const Chosen& one : mixture) {
                picture.node(id, one.move, false);
                picture.edge(set, id++, fmt::format("{:.3f}", static_cast<double>(one.probability)));
            }
        }
    }
    picture.end(drawn > most ? fmt::format("{} more information sets are not drawn", drawn - most) : "");
}

}  // namespace zermelo::equilibrium
