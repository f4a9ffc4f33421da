#include "ggp/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "core/format/numbers.hpp"
#include "gdl/syntax/lexer.hpp"

namespace zermelo::ggp {

using gdl::Node;
using gdl::Tree;

namespace {

constexpr double longest_clock = 1e6;  // seconds

[[noreturn]] void bad(const std::string& problem) {
    throw Error("the message " + problem, "send INFO, PING, PREVIEW, START, PLAY, STOP or ABORT");
}

// A message's tree; the children of a list are the places of their nodes.
class Reader {
public:
    explicit Reader(std::string_view text) : tree_(gdl::read_tree(text, "message")) {
        if (tree_.nodes.empty()) bad("is empty");
        if (tree_.nodes[0].end != tree_.nodes.size()) bad("has text after its end");
    }

    [[nodiscard]] const Node& at(std::uint32_t node) const { return tree_.nodes[node]; }
    [[nodiscard]] std::vector<std::uint32_t> children(std::uint32_t node) const {
        std::vector<std::uint32_t> result;
        if (!at(node).list) return result;
        for (std::uint32_t child = node + 1; child < at(node).end; child = at(child).end)
            result.push_back(child);
        return result;
    }
    [[nodiscard]] bool is(std::uint32_t node, std::string_view word) const {
        return !at(node).list && lower(tree_.word(at(node))) == word;
    }
    [[nodiscard]] std::string_view text(std::uint32_t node) const { return tree_.word(at(node)); }

    void write(std::uint32_t node, std::string& to) const {
        if (!at(node).list) {
            to += lower(text(node));
            return;
        }
        to += '(';
        bool first = true;
        for (const std::uint32_t child : children(node)) {
            if (!first) to += ' ';
            first = false;
            write(child, to);
        }
        to += ')';
    }
    [[nodiscard]] std::string plain(std::uint32_t node) const {
        std::string result;
        write(node, result);
        return result;
    }
    [[nodiscard]] double clock(std::uint32_t node) const {
        const std::string_view word = text(node);
        const auto seconds = read_number<double>(word);
        if (at(node).list || !seconds || *seconds < 0)
            bad(fmt::format("has {} in place of a clock in seconds", word.substr(0, 40)));
        return std::min(*seconds, longest_clock);
    }
    // The rules, without the parentheses around them.
    [[nodiscard]] std::string rules(std::uint32_t node) const {
        if (!at(node).list) bad("has no list of rules");
        return std::string(text(node).substr(1, at(node).length - 2));
    }
    // nil, a list, or one thing alone.
    void items(std::uint32_t node, Message& message) const {
        message.nothing = is(node, "nil");
        if (message.nothing) return;
        if (!at(node).list) message.items.push_back(plain(node));
        for (const std::uint32_t child : children(node)) message.items.push_back(plain(child));
    }

private:
    Tree tree_;
};

constexpr std::pair<const char*, Verb> verbs[] = {
    {"info", Verb::info}, {"ping", Verb::ping}, {"preview", Verb::preview}, {"start", Verb::start},
    {"play", Verb::play}, {"stop", Verb::stop}, {"abort", Verb::abort}};

void expect(bool well_formed, const std::string& form) {
    if (!well_formed) bad("should be " + form);
}

void read_step(const Reader& reader, const std::vector<std::uint32_t>& words, const std::string& verb,
               Message& message) {
    expect(words.size() == 2 || words.size() == 3 || words.size() == 5,
           fmt::format("({0} match moves) or ({0} match turn own-move percepts)", verb));
    message.match = std::string(reader.text(words[1]));
    if (words.size() == 2) {
        message.nothing = true;
        return;
    }
    reader.items(words.back(), message);
    if (words.size() == 3) return;
    message.dated = true;
    const std::string_view said = reader.text(words[2]);
    const auto turn = read_number<std::uint64_t>(said);
    if (!turn) bad(fmt::format("has {} in place of a turn number", said.substr(0, 40)));
    message.turn = *turn;
    if (!reader.is(words[3], "nil")) message.own = reader.plain(words[3]);
}

}  // namespace

Message read_message(std::string_view text) {
    const Reader reader(text);
    // Some write INFO without parentheses.
    const auto words = reader.at(0).list ? reader.children(0) : std::vector<std::uint32_t>{0};
    if (words.empty()) bad("is empty");
    const std::string verb = lower(reader.text(words[0]));
    const auto* known = std::ranges::find(verbs, verb, [](const auto& one) { return one.first; });
    if (known == std::end(verbs)) bad(fmt::format("has the unknown verb {}", verb.substr(0, 40)));
    Message message{.verb = known->second};
    switch (message.verb) {
        case Verb::info:
        case Verb::ping:
            break;
        case Verb::preview:
            expect(words.size() == 3, "(PREVIEW rules clock)");
            message.rules = reader.rules(words[1]);
            message.start_clock = reader.clock(words[2]);
            break;
        case Verb::start:
            expect(words.size() == 6, "(START match role rules start-clock play-clock)");
            message.match = std::string(reader.text(words[1]));
            message.role = reader.plain(words[2]);
            message.rules = reader.rules(words[3]);
            message.start_clock = reader.clock(words[4]);
            message.play_clock = reader.clock(words[5]);
            break;
        case Verb::play:
            read_step(reader, words, "PLAY", message);
            break;
        case Verb::stop:
            read_step(reader, words, "STOP", message);
            break;
        case Verb::abort:
            expect(words.size() >= 2, "(ABORT match)");
            message.match = std::string(reader.text(words[1]));
            break;
    }
    return message;
}

std::string write(const Message& message) {
    const auto* known = std::ranges::find(verbs, message.verb, [](const auto& one) { return one.second; });
    std::string word = known->first;
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
    std::string text = "( " + word;
    if (!message.match.empty()) text += ' ' + message.match;
    switch (message.verb) {
        case Verb::info:
        case Verb::ping:
        case Verb::abort:
            break;
        case Verb::preview:
            text += fmt::format(" ({}) {}", message.rules, message.start_clock);
            break;
        case Verb::start:
            text += fmt::format(" {} ({}) {} {}", message.role, message.rules, message.start_clock,
                                message.play_clock);
            break;
        case Verb::play:
        case Verb::stop:
            if (message.dated) {
                text += fmt::format(" {} ", message.turn);
                text += spaced(message.own.value_or("NIL"));
            }
            if (message.nothing) {
                text += " NIL";
                break;
            }
            text += " (";
            for (const std::string& item : message.items) text += spaced(item) + ' ';
            text += ")";
            break;
    }
    return text + " )";
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

std::string spaced(std::string_view plain) {
    std::string text;
    for (const char c : plain) {
        if (c == '(')
            text += "( ";
        else if (c == ')')
            text += " )";
        else
            text += c;
    }
    return text;
}

std::string plain(std::string_view term) { return Reader(term).plain(0); }

std::optional<std::string> read_move(std::string_view text) {
    try {
        return plain(text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace zermelo::ggp
