#include "ggp/kif_names.hpp"

#include <fstream>
#include <sstream>

#include "gdl/syntax/lexer.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::ggp {

namespace {

constexpr std::size_t moves_between_questions = 1024;

// The text of a description: its file, or its rules where there is none.
std::string source(const gdl::Description& game) {
    std::ostringstream text;
    if (std::ifstream file(game.file, std::ios::binary); file && text << file.rdbuf()) return text.str();
    text.str("");
    text.clear();
    for (const gdl::Rule& rule : game.rules) text << gdl::text(game, rule) << '\n';
    return text.str();
}

std::string one_line(const gdl::Description& game) {
    const std::string text = source(game);
    const gdl::Tree tree = gdl::read_tree(text, game.file);
    std::string line;
    line.reserve(text.size());
    std::vector<std::uint32_t> ends;  // of the lists around
    const auto close = [&](std::size_t at) {
        for (; !ends.empty() && ends.back() == at; ends.pop_back()) line += ") ";
    };
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        close(at);
        const gdl::Node& node = tree.nodes[at];
        if (node.list) {
            line += "( ";
            ends.push_back(node.end);
            continue;
        }
        line += lower(tree.word(node)) + ' ';
    }
    close(tree.nodes.size());
    return line;
}

}  // namespace

KifNames::KifNames(const play::GameContext& rules)
    : game_(rules.game()), moves_(rules.roles()), places_(rules.roles()) {
    const Limits limits;
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        roles_.push_back(lower(rules.role_name(r)));
        const std::size_t count = rules.machine().network().moves[r].size();
        for (play::MoveId m = 0; m < count; ++m) {
            const Stop stop = m % moves_between_questions == 0 ? limits.reached() : Stop::none;
            if (stop != Stop::none) throw LimitReached(stop, "while naming the moves", "try again");
            moves_[r].push_back(lower(rules.game().move_text(r, m)));
            places_[r].emplace(moves_[r].back(), m);
        }
    }
}

const std::string& KifNames::rules() const {
    std::call_once(written_, [this] { rules_ = one_line(game_.description()); });
    return rules_;
}

std::optional<play::MoveId> KifNames::find(std::size_t role, const std::string& move) const {
    const auto at = places_[role].find(move);
    return at == places_[role].end() ? std::nullopt : std::optional(at->second);
}

}  // namespace zermelo::ggp
