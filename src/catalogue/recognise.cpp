#include "catalogue/recognise.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>

namespace zermelo::catalogue {

namespace {

using Words = std::vector<std::string>;
constexpr std::size_t fewest = 2;  // places along a side
constexpr std::size_t most = 26;

bool is_number(const std::string& word) {
    const bool leading_zero = word.size() > 1 && word[0] == '0';  // another word than the number's own
    return !word.empty() && word.size() < 6 && !leading_zero &&
           word.find_first_not_of("0123456789") == std::string::npos;
}
bool is_letter(const std::string& word) { return word.size() == 1 && word[0] >= 'a' && word[0] <= 'z'; }

struct Relation {
    std::string name;
    std::size_t arity = 0;
    std::vector<Words> rows;
};

std::vector<Relation> relations_of(const std::vector<std::string>& facts) {
    std::vector<Relation> all;
    for (const std::string& text : facts) {
        Words fact = words_of(text);
        const auto same = [&](const Relation& one) {
            return one.name == fact.front() && one.arity + 1 == fact.size();
        };
        auto found = std::ranges::find_if(all, same);
        if (found == all.end()) found = all.insert(all.end(), {fact.front(), fact.size() - 1, {}});
        found->rows.push_back(std::move(fact));
    }
    return all;
}

bool all_values(const Relation& relation, std::size_t index, bool (*is)(const std::string&)) {
    return std::ranges::all_of(relation.rows, [&](const Words& row) { return is(row[index + 1]); });
}

// All values from the first to the last, also those that no fact names; in the order of the alphabet where they do not
// count.
Words axis(const Relation& relation, std::size_t index) {
    const bool numbers = all_values(relation, index, is_number);
    const bool letters = all_values(relation, index, is_letter);
    if (!numbers && !letters) {
        std::set<std::string> names;
        for (const Words& row : relation.rows) names.insert(row[index + 1]);
        return {names.begin(), names.end()};
    }
    std::set<int> values;
    for (const Words& row : relation.rows)
        values.insert(numbers ? std::stoi(row[index + 1]) : row[index + 1][0]);
    if (values.empty()) return {};
    Words result;
    const bool full = static_cast<std::size_t>(*values.rbegin() - *values.begin()) < most;
    for (int v = *values.begin(); v <= *values.rbegin(); v = full ? v + 1 : *values.upper_bound(v)) {
        result.push_back(numbers ? std::to_string(v) : std::string(1, static_cast<char>(v)));
        if (v == *values.rbegin()) break;
    }
    return result;
}

bool counts(const Relation& relation, std::size_t index) {
    if (!all_values(relation, index, is_number) && !all_values(relation, index, is_letter)) return false;
    const std::size_t length = axis(relation, index).size();
    return length >= fewest && length <= most;
}

std::optional<BoardLayer> hinted(const Relation& relation, const nlohmann::json& hint) {
    if (!hint.is_object() || hint.value("fact", "") != relation.name) return std::nullopt;
    BoardLayer layer{relation.name, relation.arity, hint.value("x", 1U) - 1U, hint.value("y", 2U) - 1U};
    if (hint.contains("piece")) layer.piece = hint.value("piece", 1U) - 1U;
    const std::size_t last = std::max({layer.x, layer.y, layer.piece.value_or(0)});
    return last < relation.arity ? std::optional(layer) : std::nullopt;
}

// The names of the variables wherever the rules use the relation.
class Uses {
public:
    Uses(const gdl::Description& game, const Relation& relation) : game_(game), relation_(relation) {
        for (const gdl::Rule& rule : game.rules) {
            for (const gdl::Term& term : rule.head.arguments) look(term, rule);
            for (const gdl::BodyLiteral& literal : rule.body)
                for (const gdl::Term& term : literal.atom.arguments) look(term, rule);
        }
    }

    // Which argument the variables call so, where just one is.
    [[nodiscard]] std::optional<BoardLayer> named(const std::regex& across, const std::regex& upwards) const {
        for (const Words& variables : found_) {
            const auto x = only(variables, across);
            const auto y = only(variables, upwards);
            if (x && y && counts(relation_, *x) && counts(relation_, *y))
                return BoardLayer{relation_.name, relation_.arity, *x, *y};
        }
        return std::nullopt;
    }

private:
    void look(const gdl::Term& term, const gdl::Rule& rule) {
        for (const gdl::Term& argument : term.arguments) look(argument, rule);
        if (term.kind != gdl::Term::Kind::compound || term.arguments.size() != relation_.arity ||
            game_.symbols.name(term.id) != relation_.name)
            return;
        Words names;
        for (const gdl::Term& argument : term.arguments)
            names.push_back(argument.kind == gdl::Term::Kind::variable ? rule.variables[argument.id] : "");
        if (std::ranges::find(found_, names) == found_.end()) found_.push_back(std::move(names));
    }
    static std::optional<std::size_t> only(const Words& variables, const std::regex& pattern) {
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            if (!std::regex_search(variables[i], pattern)) continue;
            if (found) return std::nullopt;
            found = i;
        }
        return found;
    }

    const gdl::Description& game_;
    const Relation& relation_;
    std::vector<Words> found_;
};

std::optional<BoardLayer> named(const Uses& uses) {
    static const std::regex across(R"(^\?(\w+_)?(x|column|col|file|c)(\d+|_\w+)?$)", std::regex::icase);
    static const std::regex upwards(R"(^\?(\w+_)?(y|row|height|rank|r)(\d+|_\w+)?$)", std::regex::icase);
    return uses.named(across, upwards);
}
bool named_in_full(const Uses& uses) {
    static const std::regex across(R"(^\?((\w+_)?(column|col)|c\d*$))", std::regex::icase);
    static const std::regex upwards(R"(^\?((\w+_)?(row|height)|r\d*$))", std::regex::icase);
    return uses.named(across, upwards).has_value();
}

// (square 1 3): pairs of numbers that are places, and no function of one argument such as (heap 1 3).
bool is_set(const Relation& relation, const std::vector<Words>& holding) {
    constexpr std::size_t fewest_places = 4;
    if (relation.arity != 2 || holding.size() < fewest_places) return false;
    for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        std::set<std::string> values;
        for (const Words& fact : holding) values.insert(fact[index + 1]);
        if (!all_values(relation, index, is_number) || !counts(relation, index)) return false;
        if (values.size() == holding.size()) return false;
    }
    return true;
}

// `holding`: the same relation in the initial state.
std::optional<BoardLayer> shaped(const Relation& relation, const std::vector<Words>& holding) {
    if (relation.arity == 2 && is_set(relation, holding))
        return BoardLayer{relation.name, relation.arity, 1, 0};
    if (relation.arity < 3 || holding.size() < fewest) return std::nullopt;
    for (std::size_t x = 0; x + 1 < relation.arity; ++x) {
        if (!counts(relation, x) || !counts(relation, x + 1)) continue;
        const BoardLayer layer{relation.name, relation.arity, x, x + 1};
        std::set<std::string> places;
        for (const Words& fact : holding) places.insert(layer.place(fact));
        if (places.size() == holding.size()) return layer;
    }
    return std::nullopt;
}

bool includes(const Words& all, const Words& some) {
    return std::ranges::all_of(some,
                               [&](const auto& word) { return std::ranges::find(all, word) != all.end(); });
}
// On the same board; what is a little larger has an edge that the other does not reach.
bool fits(const Words& board, const Words& other) {
    return includes(board, other) || (includes(other, board) && other.size() == board.size() + 1);
}

struct Candidate {
    BoardLayer layer;
    Relation relation;
    int rank = 0;
    bool makes_a_board = false;
};

std::vector<Candidate> candidates(const gdl::Game& game, const nlohmann::json& hint) {
    std::vector<std::string> fluents;
    for (const gdl::TermId term : game.machine().network().fluents) fluents.push_back(game.text(term));
    const auto holding = relations_of(game.facts(game.machine().initial()));
    std::vector<Candidate> all;
    for (Relation& relation : relations_of(fluents)) {
        const Uses uses(game.description(), relation);
        std::optional<BoardLayer> layer = hinted(relation, hint);
        const bool said = layer.has_value();
        if (!layer) layer = named(uses);
        const auto held = std::ranges::find_if(holding, [&](const Relation& one) {
            return one.name == relation.name && one.arity == relation.arity;
        });
        const std::vector<Words> now = held == holding.end() ? std::vector<Words>{} : held->rows;
        if (!layer) {
            layer = shaped(relation, now);
        }
        if (!layer) continue;
        const int rank = (said ? 2 : 0) + (layer->arity > 2 ? 1 : 0);
        // A pair that is just called x and y may be anything; it lies on a board, but makes none.
        const bool board = rank > 0 || named_in_full(uses) || is_set(relation, now);
        all.push_back({*layer, std::move(relation), rank, board});
    }
    std::ranges::stable_sort(all, [](const Candidate& a, const Candidate& b) {
        return std::pair(a.rank, a.relation.rows.size()) > std::pair(b.rank, b.relation.rows.size());
    });
    return all;
}

int lean_of(const nlohmann::json& hint) {
    const std::string lean = hint.is_object() ? hint.value("lean", "") : "";
    return lean == "right" ? 1 : lean == "left" ? -1 : 0;
}

}  // namespace

std::vector<std::string> terms_in(const std::string& text) {
    Words terms;
    int depth = 0;
    bool within = false;
    for (const char c : text) {
        const bool between = c == ' ' && depth == 0;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (!between && !within) terms.emplace_back();
        if (!between) terms.back() += c;
        within = !between;
    }
    return terms;
}

std::vector<std::string> words_of(const std::string& fact) {
    if (!fact.starts_with("(")) return {fact};
    Words words = terms_in(fact.substr(1, fact.size() - 2));
    for (std::string& word : words) std::erase_if(word, [](char c) { return c == '(' || c == ')'; });
    if (words.empty()) words.emplace_back();
    return words;
}

std::string BoardLayer::thing(const std::vector<std::string>& fact) const {
    if (piece) return fact[*piece + 1];
    std::string all;
    for (std::size_t i = 0; i < arity; ++i) {
        if (i != x && i != y) all += (all.empty() ? "" : " ") + fact[i + 1];
    }
    return all.empty() ? relation : all;
}

std::vector<BoardGrid> recognise_boards(const gdl::Game& game, const nlohmann::json& hints) {
    const nlohmann::json hint = hints.is_object() ? hints.value("board", nlohmann::json()) : nlohmann::json();
    std::vector<BoardGrid> grids;
    for (const auto& [layer, relation, rank, makes_a_board] : candidates(game, hint)) {
        const Words columns = axis(relation, layer.x);
        const Words rows = axis(relation, layer.y);
        auto host = std::ranges::find_if(grids, [&](const BoardGrid& grid) {
            return fits(grid.columns, columns) && fits(grid.rows, rows);
        });
        if (host == grids.end()) {
            if (!makes_a_board || columns.empty() || rows.empty()) continue;
            const bool up = hint.is_object() ? hint.value("up", layer.x < layer.y) : layer.x < layer.y;
            const bool chequered = hint.is_object() && hint.value("chequered", false);
            const bool points = hint.is_object() && hint.value("cells", "") == "point";
            host = grids.insert(grids.end(), {columns, rows, up, lean_of(hint), chequered, points, {}, {}});
        }
        if (columns.size() > host->columns.size()) host->columns = columns;
        if (rows.size() > host->rows.size()) host->rows = rows;
        host->layers.push_back(layer);
        for (const Words& fact : relation.rows) host->places.insert(layer.place(fact));
    }
    return grids;
}

}  // namespace zermelo::catalogue
