// Laying a description out anew: one statement after the other, the literals of a longer rule each in a line
// of its own. The words stay as their author wrote them, and so do the comments, which stand before the
// statement that they stood before or in, or behind the one that they stood behind. Runs of empty lines
// become one.

#include <algorithm>

#include "gdl/syntax/lexer.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t short_rule = 80;  // up to this width a rule with one literal stays in one line
constexpr std::size_t step = 4;

class Formatter {
public:
    explicit Formatter(const Tree& tree) : tree_(tree) {}

    std::string run() {
        for (std::uint32_t at = 0; at < tree_.nodes.size(); at = tree_.nodes[at].end) {
            const Node& node = tree_.nodes[at];
            comments_before(node.offset);
            const std::uint32_t end = node.offset + node.length;
            const int last_line = line_of_end(node);
            int first_line = node.line;
            if (next_comment_ < tree_.comments.size() && tree_.comments[next_comment_].offset < end) {
                gap(node.line);
                first_line = 0;  // the comments from inside stand directly before the statement
                while (next_comment_ < tree_.comments.size() && tree_.comments[next_comment_].offset < end) {
                    out_ += tree_.text.substr(comment().offset, comment().length);
                    out_ += '\n';
                    ++next_comment_;
                }
            }
            if (first_line != 0) gap(first_line);
            statement(at);
            if (next_comment_ < tree_.comments.size() && comment().line == last_line && is_next(node)) {
                out_ += ' ';
                out_ += tree_.text.substr(comment().offset, comment().length);
                ++next_comment_;
            }
            out_ += '\n';
            last_line_ = last_line;
        }
        comments_before(static_cast<std::uint32_t>(tree_.text.size()) + 1);
        return std::move(out_);
    }

private:
    [[nodiscard]] const Comment& comment() const { return tree_.comments[next_comment_]; }

    // Whether the next comment, in the same line, follows this statement and not a later one.
    [[nodiscard]] bool is_next(const Node& node) const {
        const auto after = static_cast<std::uint32_t>(&node - tree_.nodes.data());
        const std::uint32_t other = tree_.nodes[after].end;
        return other == tree_.nodes.size() || comment().offset < tree_.nodes[other].offset;
    }

    [[nodiscard]] int line_of_end(const Node& node) const {
        const std::string_view text = tree_.word(node);
        return node.line + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }

    // An empty line where there was one, or more.
    void gap(int line) {
        if (!out_.empty() && line > last_line_ + 1) out_ += '\n';
    }

    void comments_before(std::uint32_t offset) {
        for (; next_comment_ < tree_.comments.size() && comment().offset < offset; ++next_comment_) {
            gap(comment().line);
            out_ += tree_.text.substr(comment().offset, comment().length);
            out_ += '\n';
            last_line_ = comment().line;
        }
    }

    // Facts and rules with one literal stay in one line where they fit; other rules get a line for each
    // literal.
    void statement(std::uint32_t at) {
        const Node& node = tree_.nodes[at];
        const bool rule = node.list && node.end > at + 2 && tree_.word(tree_.nodes[at + 1]) == "<=";
        if (!rule) return lay_out(at, 0, line_width);
        const std::uint32_t body = tree_.nodes[at + 2].end;
        const bool one_literal = body < node.end && tree_.nodes[body].end == node.end;
        lay_out(at, 0, one_literal ? short_rule : 0);
    }

    // The width in one line, or more than `most`.
    [[nodiscard]] std::size_t width(std::uint32_t at, std::size_t most) const {
        std::size_t sum = 0;
        for (std::uint32_t i = at; i < tree_.nodes[at].end && sum <= most; ++i) {
            sum += tree_.nodes[i].list ? 2 : tree_.nodes[i].length + 1;
        }
        return sum;
    }

    void flat(std::uint32_t at) {
        const Node& node = tree_.nodes[at];
        if (!node.list) {
            out_ += tree_.word(node);
            return;
        }
        out_ += '(';
        for (std::uint32_t part = at + 1; part < node.end; part = tree_.nodes[part].end) {
            if (part != at + 1) out_ += ' ';
            flat(part);
        }
        out_ += ')';
    }

    // The first part, and of a rule the head, beside the parenthesis; the others in lines of their own.
    void lay_out(std::uint32_t at, std::size_t indent, std::size_t most) {
        const Node& node = tree_.nodes[at];
        if (!node.list || node.end <= at + 2 || indent + width(at, most) <= most) {
            flat(at);
            return;
        }
        const bool rule = indent == 0 && tree_.word(tree_.nodes[at + 1]) == "<=";
        out_ += '(';
        std::uint32_t part = at + 1;
        lay_out(part, indent + 1, line_width);
        part = tree_.nodes[part].end;
        if (rule) {
            out_ += ' ';
            lay_out(part, indent + step, line_width);
            part = tree_.nodes[part].end;
        }
        for (; part < node.end; part = tree_.nodes[part].end) {
            out_ += '\n';
            out_.append(indent + step, ' ');
            lay_out(part, indent + step, line_width);
        }
        out_ += ')';
    }

    const Tree& tree_;
    std::string out_;
    std::size_t next_comment_ = 0;
    int last_line_ = 0;
};

}  // namespace

std::string format(std::string_view text, const std::string& file) {
    (void)parse(text, file);  // only what can be read is laid out
    const Tree tree = read_tree(text, file);
    return Formatter(tree).run();
}

}  // namespace zermelo::gdl
