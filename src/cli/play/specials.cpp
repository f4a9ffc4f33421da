#include "cli/play/specials.hpp"

#include <algorithm>
#include <map>

#include "arena/report/layout.hpp"
#include "catalogue/recognise.hpp"
#include "cli/usage/language.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// The arguments of all facts of this relation, which are taken.
std::vector<Words> take(std::vector<std::string>& facts, const std::string& relation) {
    std::vector<Words> rows;
    std::erase_if(facts, [&](const std::string& text) {
        Words words = catalogue::words_of(text);
        if (words.front() != relation) return false;
        words.erase(words.begin());
        rows.push_back(std::move(words));
        return true;
    });
    return rows;
}

std::string argument(const Words& row, std::size_t from_one) {
    return from_one >= 1 && from_one <= row.size() ? row[from_one - 1] : "";
}

std::string in_language(const json& titled, const std::string& otherwise) {
    const char* language = tongue() == Tongue::french ? "fr" : "en";
    if (!titled.is_object() || !titled.contains("title")) return otherwise;
    return titled["title"].value(language, otherwise);
}

class Specials {
public:
    Specials(std::vector<std::string>& facts, const json& hints, const Words& roles)
        : facts_(facts), hints_(hints), roles_(roles) {}

    [[nodiscard]] std::string draw() {
        std::string text;
        for (const json& hint : hints_.value("dice", json::array())) text += dice(hint);
        text += hands();
        for (const json& hint : hints_.value("sheet", json::array())) text += sheet(hint);
        for (const json& hint : hints_.value("numbers", json::array())) text += numbers(hint);
        return text;
    }

private:
    [[nodiscard]] json piece(const std::string& name) const {
        const json pieces = hints_.value("pieces", json::object());
        return pieces.contains(name) ? pieces[name] : json();
    }
    [[nodiscard]] std::string sign(const std::string& name) const {
        static const char* const faces[] = {"⚀", "⚁", "⚂", "⚃", "⚄", "⚅"};
        if (name.size() == 1 && name[0] >= '1' && name[0] <= '6') return faces[name[0] - '1'];
        const json found = piece(name);
        const std::string text = found.is_object() ? found.value("text", "") : "";
        return text.empty() ? name : text;
    }
    [[nodiscard]] std::string title(const std::string& name) const {
        const json roles = hints_.value("roles", json::object());
        const json found = roles.contains(name) ? roles[name] : piece(name);
        std::string plain = name;
        std::ranges::replace(plain, '_', ' ');
        return in_language(found, plain);
    }
    [[nodiscard]] std::string named(const std::string& relation) const {
        const json names = hints_.value("facts", json::object());
        return in_language({{"title", names.value(relation, json::object())}}, relation);
    }

    // ⚁ ⚃ (two four): the signs are small.
    std::string dice(const json& hint) {
        std::string signs;
        std::string said;
        for (const Words& row : take(facts_, hint.value("fact", ""))) {
            const std::string side = argument(row, hint.value("side", 1U));
            signs += " " + sign(side);
            said += " " + title(side);
        }
        if (signs.empty()) return "";
        return (tongue() == Tongue::french ? "dés " : "dice ") + signs + "  (" + said.substr(1) + ")\n";
    }
    std::string hands() {
        std::map<std::string, std::string> by_owner;
        for (const json& hint : hints_.value("cards", json::array())) {
            for (const Words& row : take(facts_, hint.value("fact", ""))) {
                const std::string owner =
                    hint.contains("owner") ? title(argument(row, hint.value("owner", 1U))) : "";
                by_owner[owner] += " [" + sign(argument(row, hint.value("card", 1U))) + "]";
            }
        }
        std::string text;
        for (const auto& [owner, cards] : by_owner)
            text +=
                (owner.empty() ? (tongue() == Tongue::french ? "cartes" : "cards") : owner) + cards + "\n";
        return text;
    }
    std::string sheet(const json& hint) {
        std::map<std::pair<std::string, std::string>, std::string> values;
        for (const Words& row : take(facts_, hint.value("fact", "")))
            values[{argument(row, hint.value("row", 1U)), argument(row, hint.value("column", 1U))}] =
                argument(row, hint.value("value", 1U));
        Words head = {""};
        Words columns;
        for (const std::string& role : roles_) {
            if (role == "random") continue;
            columns.push_back(role);
            head.push_back(title(role));
        }
        arena::Rows rows = {head};
        for (const std::string& name : hint.value("rows", Words{})) {
            Words line = {title(name)};
            for (const std::string& column : columns) {
                const auto found = values.find({name, column});
                line.push_back(found == values.end() ? "." : found->second);
            }
            rows.push_back(std::move(line));
        }
        return arena::aligned(rows, 1);
    }
    // The digits of one number, each in a fact of its own.
    std::string numbers(const json& hint) {
        const std::string relation = hint.value("fact", "");
        const auto unit = hint.value("unit", 1U);
        const auto digit = hint.value("digit", 1U);
        const json units = hint.value("units", json::object());
        std::map<std::string, long> sums;
        for (const Words& row : take(facts_, relation)) {
            std::string label;
            for (std::size_t i = 1; i <= row.size(); ++i) {
                if (i != unit && i != digit) label += (label.empty() ? "" : " ") + title(row[i - 1]);
            }
            const std::string amount = argument(row, digit);
            const bool number = !amount.empty() && amount.size() < 6 &&
                                amount.find_first_not_of("0123456789") == std::string::npos;
            sums[label] += number ? units.value(argument(row, unit), 0L) * std::stol(amount) : 0;
        }
        std::string text;
        for (const auto& [label, sum] : sums)
            text += named(relation) + (label.empty() ? "" : " " + label) + " " + std::to_string(sum) + "\n";
        return text;
    }

    std::vector<std::string>& facts_;
    const json& hints_;
    const Words& roles_;
};

}  // namespace

std::string draw_specials(std::vector<std::string>& facts, const nlohmann::json& hints,
                          const std::vector<std::string>& roles) {
    std::vector<std::string> left = facts;
    try {
        std::string text = Specials(left, hints, roles).draw();
        facts = std::move(left);
        return text;
    } catch (const json::exception&) {
        return "";
    }
}

}  // namespace zermelo::cli
