#include "game/heuristic/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "core/format/numbers.hpp"

namespace zermelo::game {

namespace {

constexpr int deepest_nesting = 200;
constexpr std::int64_t largest_number = 1'000'000'000;

std::string lower(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// How many letters must be changed, added or left out.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

struct Pattern {
    std::string word;  // in lower case; a variable with its question mark
    bool compound = false;
    std::vector<Pattern> arguments = {};
};

using Binding = std::map<std::string, gdl::TermId>;

}  // namespace

class ExpressionReader {
public:
    ExpressionReader(Expression& out, const gdl::Game& game, std::string_view text, const std::string& file)
        : out_(out), game_(game), network_(game.machine().network()), text_(text), file_(file) {}

    void read() {
        out_.root_ = expression();
        skip();
        if (at_ < text_.size()) fail("an operator was expected here", "write + - or *, or remove the rest");
    }

private:
    using Node = Expression::Node;
    struct Match {
        std::uint32_t fluent;
        Binding binding;
    };

    // --- words ---

    [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
        fail_at(at_, problem, remedy);
    }
    [[noreturn]] void fail_at(std::size_t at, const std::string& problem, const std::string& remedy) const {
        const std::string_view before = text_.substr(0, at);
        const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
        const std::size_t start = line == 1 ? 0 : before.rfind('\n') + 1;
        throw Error({file_, line, static_cast<int>(at - start) + 1}, problem, remedy);
    }

    void skip() {
        while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == ';')) {
            if (text_[at_] != ';') {
                ++at_;
            } else {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            }
        }
    }
    [[nodiscard]] char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(fmt::format("`{}` was expected here", c), "see the grammar of expressions");
    }
    // Up to a blank or a parenthesis, or one of `also`.
    std::string word(std::string_view also = "") {
        skip();
        const std::size_t start = at_;
        const auto inside = [&](char c) {
            return !is_space(c) && c != '(' && c != ')' && c != ';' && also.find(c) == std::string_view::npos;
        };
        while (at_ < text_.size() && inside(text_[at_])) ++at_;
        if (at_ == start) fail("a word was expected here", "write the name of a fluent, a term or a number");
        return lower(text_.substr(start, at_ - start));
    }
    std::int64_t number() {
        skip();
        const bool negative = take('-');
        skip();
        std::int64_t value = 0;
        const char* first = text_.data() + at_;
        const auto [end, problem] = std::from_chars(first, text_.data() + text_.size(), value);
        if (end == first || value < 0) fail("a number was expected here", "write a whole number");
        if (problem != std::errc() || value > largest_number) {
            fail("this number is too large", fmt::format("write at most {}", largest_number));
        }
        at_ += static_cast<std::size_t>(end - first);
        return negative ? -value : value;
    }

    // --- the grammar ---

    std::uint32_t expression() {
        std::uint32_t left = product();
        while (peek() == '+' || peek() == '-') {
            const bool minus = text_[at_++] == '-';
            const std::uint32_t right = product();
            left = add(left, minus ? multiply(constant(-1), right) : right);
        }
        return left;
    }

    std::uint32_t product() {
        std::uint32_t left = factor();
        while (take('*')) left = multiply(left, factor());
        return left;
    }

    std::uint32_t factor() {
        if (++depth_ > deepest_nesting) fail("nested too deeply", "write a simpler expression");
        const std::uint32_t result = unnested_factor();
        --depth_;
        return result;
    }

    std::uint32_t unnested_factor() {
        const char c = peek();
        const std::size_t start = at_;
        if (c == '\0') fail("the expression ends too early", "write a number or a fluent");
        if (is_digit(c)) return constant(number());
        if (take('-')) return multiply(constant(-1), factor());
        if (c == '(' && !fluent_follows()) {
            expect('(');
            const std::uint32_t inner = expression();
            expect(')');
            return inner;
        }
        if (c == '(') return single(start, pattern());
        const std::string name = word();
        if (name == "count" || name == "sum") return sum(name == "sum");
        return single(start, {name});
    }

    std::uint32_t single(std::size_t start, const Pattern& pattern) {
        const std::vector<Match> found = matches(start, pattern);
        if (!found.front().binding.empty()) {
            fail_at(start, "a fluent with variables stands for many", "write `count` or `sum` before it");
        }
        return sum_of(found, {1});
    }

    // A parenthesis opens a fluent when the word after it is not the start of an expression.
    [[nodiscard]] bool fluent_follows() {
        const std::size_t start = at_;
        ++at_;
        const char c = peek();
        const bool letter = c != '\0' && c != '(' && c != ')' && c != '-' && !is_digit(c);
        const std::string name = letter ? word() : "";
        const char next = peek();
        at_ = start;
        const bool continues = next == '+' || next == '-' || next == '*';
        if (!letter || name == "count" || name == "sum") return false;
        return !continues || is_function(name);
    }
    [[nodiscard]] bool is_function(const std::string& name) const {
        return std::any_of(network_.fluents.begin(), network_.fluents.end(), [&](gdl::TermId t) {
            return !network_.terms.arguments(t).empty() && lower(symbol(t)) == name;
        });
    }

    std::uint32_t sum(bool weighed) {
        skip();
        const std::size_t start = at_;
        std::vector<Match> found = matches(start, pattern());
        std::vector<std::int64_t> weights(found.size(), 1);
        while (weighed && weight_follows()) {
            expect('*');
            weigh(found, weights);
        }
        return sum_of(found, weights);
    }
    [[nodiscard]] bool weight_follows() {
        const std::size_t start = at_;
        const bool follows = take('*') && peek() == '?';
        at_ = start;
        return follows;
    }

    void weigh(const std::vector<Match>& found, std::vector<std::int64_t>& weights) {
        skip();
        const std::size_t start = at_;
        const std::string variable = word("[*+-");
        if (!found.front().binding.contains(variable)) {
            fail_at(start, fmt::format("{} does not occur in the pattern of this sum", variable),
                    "use a variable of the pattern");
        }
        const auto table = peek() == '[' ? std::optional(list()) : std::nullopt;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::string bound = lower(game_.text(found[i].binding.at(variable)));
            weights[i] *= table ? (table->contains(bound) ? table->at(bound) : 0) : as_number(bound, start);
            if (std::abs(weights[i]) > largest_number)
                fail_at(start, "this weight is too large", "use a smaller weight");
        }
    }
    std::map<std::string, std::int64_t> list() {
        std::map<std::string, std::int64_t> table;
        expect('[');
        do {
            const std::string key = word(":,]");
            expect(':');
            table[key] = number();
        } while (take(','));
        expect(']');
        return table;
    }
    [[nodiscard]] std::int64_t as_number(const std::string& bound, std::size_t at) const {
        const auto value = read_number<std::int64_t>(bound);
        if (!value) {
            fail_at(at, fmt::format("this variable also stands for {}, which is not a number", bound),
                    fmt::format("give weights by a list, for example ?v[{}: 1]", bound));
        }
        return *value;
    }

    // --- fluents ---

    Pattern pattern() {
        if (!take('(')) return {word()};
        if (++depth_ > deepest_nesting) fail("nested too deeply", "write a simpler term");
        Pattern result{word(), true};
        while (peek() != ')') {
            if (peek() == '\0') fail("this fluent is never closed", "add the missing `)`");
            result.arguments.push_back(pattern());
        }
        expect(')');
        --depth_;
        return result;
    }

    [[nodiscard]] const std::string& symbol(gdl::TermId t) const {
        return game_.description().symbols.name(network_.terms.symbol(t));
    }

    bool fits(const Pattern& pattern, gdl::TermId t, Binding& binding) const {
        if (pattern.word.front() == '?' && !pattern.compound) {
            return binding.try_emplace(pattern.word, t).first->second == t;
        }
        const auto arguments = network_.terms.arguments(t);
        if (arguments.size() != pattern.arguments.size() || lower(symbol(t)) != pattern.word) return false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!fits(pattern.arguments[i], arguments[i], binding)) return false;
        }
        return true;
    }

    // At least one.
    [[nodiscard]] std::vector<Match> matches(std::size_t at, const Pattern& pattern) const {
        std::vector<Match> found;
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) {
            Binding binding;
            if (fits(pattern, network_.fluents[f], binding)) found.push_back({f, std::move(binding)});
        }
        if (found.empty()) {
            fail_at(at, fmt::format("no fluent of the game fits {}", text_of(pattern)),
                    fmt::format("did you mean {}?", nearest(pattern)));
        }
        return found;
    }
    static std::string text_of(const Pattern& pattern) {
        if (!pattern.compound) return pattern.word;
        std::string text = "(" + pattern.word;
        for (const Pattern& argument : pattern.arguments) text += " " + text_of(argument);
        return text + ")";
    }
    [[nodiscard]] std::string nearest(const Pattern& pattern) const {
        const std::string wanted = text_of(pattern);
        std::string best;
        std::size_t least = ~std::size_t{0};
        for (const gdl::TermId t : network_.fluents) {
            const std::string name = game_.text(t);
            const std::size_t d = distance(wanted, lower(name));
            if (d < least) {
                least = d;
                best = name;
            }
        }
        return best;
    }

    // --- nodes ---

    std::uint32_t put(Node node) {
        out_.nodes_.push_back(std::move(node));
        return static_cast<std::uint32_t>(out_.nodes_.size() - 1);
    }
    std::uint32_t constant(std::int64_t value) { return put({Node::Kind::linear, value}); }

    std::uint32_t sum_of(const std::vector<Match>& found, const std::vector<std::int64_t>& weights) {
        Node node;
        for (std::size_t i = 0; i < found.size(); ++i) node.parts.push_back({found[i].fluent, weights[i]});
        return put(std::move(node));
    }

    [[nodiscard]] bool is_linear(std::uint32_t n) const { return out_.nodes_[n].kind == Node::Kind::linear; }
    [[nodiscard]] bool is_constant(std::uint32_t n) const {
        return is_linear(n) && out_.nodes_[n].parts.empty();
    }

    // Sums of weighted fluents stay one node, so that most expressions are a single pass over a list.
    std::uint32_t add(std::uint32_t left, std::uint32_t right) {
        if (!is_linear(left) || !is_linear(right)) return put({Node::Kind::sum, 0, {}, left, right});
        Node node = out_.nodes_[left];
        const Node& other = out_.nodes_[right];
        node.constant = checked(node.constant + other.constant);
        node.parts.insert(node.parts.end(), other.parts.begin(), other.parts.end());
        return put(std::move(node));
    }
    std::uint32_t multiply(std::uint32_t left, std::uint32_t right) {
        if (!is_constant(left)) std::swap(left, right);
        if (!is_constant(left) || !is_linear(right)) return put({Node::Kind::product, 0, {}, left, right});
        const std::int64_t by = out_.nodes_[left].constant;
        Node node = out_.nodes_[right];
        node.constant = checked(node.constant * by);
        for (Node::Part& part : node.parts) part.weight = checked(part.weight * by);
        return put(std::move(node));
    }
    [[nodiscard]] std::int64_t checked(std::int64_t value) const {
        if (std::abs(value) > largest_number) fail("this number becomes too large", "use smaller numbers");
        return value;
    }

    Expression& out_;
    const gdl::Game& game_;
    const gdl::Network& network_;
    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Expression::Expression(const gdl::Game& game, std::string_view text, const std::string& file, Player owner)
    : owner_(owner) {
    ExpressionReader(*this, game, text, file).read();
}

std::int64_t Expression::value(std::uint32_t at, const gdl::State& state) const {
    constexpr std::int64_t most = std::int64_t{1}
                                  << 31;  // beyond any score; two of them can still be multiplied
    const Node& node = nodes_[at];
    std::int64_t result = node.constant;
    if (node.kind == Node::Kind::linear) {
        for (const Node::Part& part : node.parts) {
            if ((state[part.fluent / 64] >> (part.fluent % 64) & 1) != 0) result += part.weight;
        }
    } else {
        const std::int64_t left = value(node.left, state);
        const std::int64_t right = value(node.right, state);
        result = node.kind == Node::Kind::sum ? left + right : left * right;
    }
    return std::clamp(result, -most, most);
}

}  // namespace zermelo::game
