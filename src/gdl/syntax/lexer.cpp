#include "gdl/syntax/lexer.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"

namespace zermelo::gdl {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool ends_word(char c) { return is_space(c) || c == '(' || c == ')' || c == ';'; }

class Lexer {
public:
    Lexer(std::string_view text, const std::string& file) : file_(file) {
        constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();
        if (text.size() > largest) throw Error({file}, "larger than two gigabytes", "split the description");
        tree_.text = text;
        if (text.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
    }

    Tree read() {
        const std::string_view text = tree_.text;
        while (at_ < text.size()) {
            const char c = text[at_];
            if (is_space(c)) {
                if (c == '\n') new_line();
                ++at_;
            } else if (c == ';') {
                comment();
            } else if (c == '(') {
                open();
            } else if (c == ')') {
                close();
            } else if (c == '\'' || c == '`' || c == '|' || c == '"') {
                quote();
            } else {
                word(text.size());
            }
        }
        if (!open_.empty()) {
            const Node& node = tree_.nodes[open_.back()];
            throw Error({file_, node.line, node.column}, "parenthesis is never closed",
                        "add the missing `)`");
        }
        return std::move(tree_);
    }

private:
    [[nodiscard]] int column() const { return static_cast<int>(at_ - line_start_) + 1; }
    [[nodiscard]] Place here() const { return {file_, line_, column()}; }

    void new_line() {
        ++line_;
        line_start_ = at_ + 1;
        blank_so_far_ = true;
    }

    void comment() {
        const std::size_t start = at_;
        while (at_ < tree_.text.size() && tree_.text[at_] != '\n') ++at_;
        std::size_t end = at_;
        while (is_space(tree_.text[end - 1])) --end;
        tree_.comments.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end - start),
                                  line_, blank_so_far_});
    }

    void add(bool list, std::size_t length) {
        blank_so_far_ = false;
        const auto number = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.push_back({list, number + 1, static_cast<std::uint32_t>(at_),
                               static_cast<std::uint32_t>(length), line_, column()});
    }

    void open() {
        if (open_.size() == deepest_nesting) {
            throw Error(here(), fmt::format("nested deeper than {} levels", deepest_nesting),
                        "give the inner terms names of their own");
        }
        open_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
        add(true, 1);
        ++at_;
    }

    void close() {
        if (open_.empty()) {
            throw Error(here(), "parenthesis was never opened", "remove this `)` or add the missing `(`");
        }
        blank_so_far_ = false;
        ++at_;
        Node& node = tree_.nodes[open_.back()];
        node.end = static_cast<std::uint32_t>(tree_.nodes.size());
        node.length = static_cast<std::uint32_t>(at_) - node.offset;
        open_.pop_back();
    }

    [[nodiscard]] bool apart(std::size_t at) const {
        return at >= tree_.text.size() || ends_word(tree_.text[at]);
    }

    // A quote before a word or a list, one behind a word, or a pair around a word says nothing. Others would begin a
    // string.
    void quote() {
        const std::string_view text = tree_.text;
        const char mark = text[at_];
        std::size_t end = at_ + 1;
        while (!apart(end) && text[end] != mark) ++end;
        const bool closed = end < text.size() && text[end] == mark && end > at_ + 1;
        const std::string_view rest = text.substr(end, text.find('\n', end) - end);
        const bool inside = at_ > 0 && !apart(at_ - 1) && !apart(at_ + 1);
        const bool string =
            !closed && (mark == '"' || mark == '|') && rest.find(mark) != std::string_view::npos;
        const bool list_follows = at_ + 1 < text.size() && text[at_ + 1] == '(';
        const bool alone = !closed && apart(at_ + 1) && !list_follows && (at_ == 0 || apart(at_ - 1));
        if (inside || string || alone || (closed && !apart(end + 1)))
            throw Error(here(), mark == '"' ? "GDL has no strings" : "quote inside a word",
                        "write a symbol without quotes");
        tree_.repairs.push_back(
            {here(), fmt::format("the quote {} says nothing in GDL and is left out", mark), "remove it"});
        ++at_;
        if (!closed) return;
        word(end);
        if (at_ != end) throw Error(here(), "quote inside a word", "write a symbol without quotes");
        at_ = end + 1;
    }

    void word(std::size_t limit) {
        const std::string_view text = tree_.text.substr(0, limit);
        std::size_t end = at_;
        for (; end < text.size() && !ends_word(text[end]); ++end) {
            const auto byte = static_cast<unsigned char>(text[end]);
            if (byte == '"') break;  // a stray one, or the beginning of a string
            if (byte >= 0x20 && byte != 0x7F) continue;
            at_ = end;
            throw Error(here(), fmt::format("unexpected byte {:#04x}", byte), "write plain text");
        }
        add(false, end - at_);
        at_ = end;
    }

    const std::string& file_;
    Tree tree_;
    std::vector<std::uint32_t> open_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    bool blank_so_far_ = true;
};

}  // namespace

Tree read_tree(std::string_view text, const std::string& file) { return Lexer(text, file).read(); }

}  // namespace zermelo::gdl
