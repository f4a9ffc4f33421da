#include "model/qdimacs.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <unordered_map>

#include "model/qbf/gates.hpp"

namespace zermelo::model {

namespace {

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : text_(text), file_(file) { model_.name = file; }

    Model read() {
        header();
        while (const char c = peek()) {
            if (c == 'e' || c == 'a') {
                block(c == 'e' ? Quantifier::exists : Quantifier::forall);
            } else if (c == 'c') {
                skip_line();
            } else {
                clause();
            }
        }
        if (!free_.empty()) {
            if (model_.prefix.empty() || model_.prefix.front().quantifier == Quantifier::forall) {
                model_.prefix.insert(model_.prefix.begin(),
                                     Block{Quantifier::exists, {}, std::nullopt, {file_}});
            }
            auto& first = model_.prefix.front().variables;
            first.insert(first.begin(), free_.begin(), free_.end());
        }
        define_gates(model_);
        return std::move(model_);
    }

private:
    [[nodiscard]] Place here() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }
    [[noreturn]] static void fail(const Place& place, const std::string& problem, const std::string& remedy) {
        throw Error(place, problem, remedy);
    }

    void step() {
        if (text_[at_++] == '\n') {
            ++line_;
            line_start_ = at_;
        }
    }
    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    }
    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

    // The next character that is not space, or 0 at the end; `same_line` stops before a line break.
    char peek(bool same_line = false) {
        while (at_ < text_.size() && is_space(text_[at_]) && !(same_line && text_[at_] == '\n')) step();
        if (at_ == text_.size() || text_[at_] == '\n') return '\0';
        // A zero byte is no end of the text.
        return text_[at_] == '\0' ? '?' : text_[at_];
    }

    std::string_view word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    long long number(const std::string& what) {
        const Place place = here();
        const auto text = word();
        long long value = 0;
        const bool negative = text.starts_with('-');
        const auto digits = text.substr(negative ? 1 : 0);
        constexpr std::size_t longest = 10;
        const bool good = !digits.empty() && digits.size() <= longest &&
                          digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (!good) {
            fail(place, fmt::format("expected {} but found `{}`", what, text.substr(0, 40)),
                 "the file may be damaged: make it again");
        }
        for (const char c : digits) value = 10 * value + (c - '0');
        return negative ? -value : value;
    }

    void header() {
        while (peek() == 'c') skip_line();
        const Place place = here();
        if (peek() != 'p' || word() != "p" || peek(true) != 'c' || word() != "cnf") {
            fail(place, "the header is missing", "start with `p cnf <variables> <clauses>`");
        }
        for (long long* count : {&variables_, &clauses_}) {
            if (peek(true) == '\0')
                fail(here(), "the header is cut off", "write `p cnf <variables> <clauses>`");
            const Place at = here();
            *count = number("a number");
            if (*count < 0 || *count > largest_value) fail(at, "this number is out of range", "");
        }
        if (peek(true) != '\0') fail(here(), "something follows the header", "start a new line");
    }

    VarId check(long long variable, const Place& place) {
        if (variable > variables_) {
            fail(place, fmt::format("variable {} is out of range", variable),
                 fmt::format("the header promises {} variables", variables_));
        }
        return static_cast<VarId>(variable);
    }

    void block(Quantifier quantifier) {
        const Place place = here();
        if (matrix_) fail(place, "a quantifier follows a clause", "put all quantifiers before the clauses");
        if (word().size() != 1) fail(place, "expected a quantifier or a clause", "write `e`, `a` or numbers");
        if (model_.prefix.empty() || model_.prefix.back().quantifier != quantifier) {
            model_.prefix.push_back({quantifier, {}, std::nullopt, place});
        }
        while (true) {
            if (peek(true) == '\0') fail(here(), "this quantifier line has no 0 at its end", "end it with 0");
            const Place at = here();
            const long long variable = number("a variable");
            if (variable == 0) break;
            if (variable < 0)
                fail(at, "a negative number cannot be quantified", "write the variable without a sign");
            const auto [entry, added] = variables_by_number_.try_emplace(check(variable, at), -1);
            if (!added)
                fail(at, fmt::format("variable {} is quantified twice", variable), "quantify it once");
            entry->second = model_.add_variable(std::to_string(variable), Domain(0, 1), true);
            model_.prefix.back().variables.push_back(entry->second);
        }
        if (peek(true) != '\0')
            fail(here(), "something follows the 0 of a quantifier line", "start a new line");
    }

    void clause() {
        matrix_ = true;
        Clause clause{{}, std::nullopt};
        const Place place = here();
        while (true) {
            if (peek() == '\0') fail(here(), "this clause has no 0 at its end", "end it with 0");
            const Place at = here();
            const long long literal = number("a literal");
            if (literal == 0) break;
            const auto [entry, added] = variables_by_number_.try_emplace(check(std::abs(literal), at), -1);
            if (added) {
                entry->second = model_.add_variable(std::to_string(std::abs(literal)), Domain(0, 1), true);
                free_.push_back(entry->second);
            }
            clause.literals.push_back({entry->second, literal > 0});
        }
        if (!tautology(clause.literals)) model_.constraints.push_back({std::move(clause), place});
    }

    // Drops repeated literals; true when one and its opposite are there.
    static bool tautology(std::vector<Literal>& literals) {
        std::sort(literals.begin(), literals.end(), [](Literal a, Literal b) {
            return a.variable != b.variable ? a.variable < b.variable : a.positive < b.positive;
        });
        literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
        const auto same = [](Literal a, Literal b) { return a.variable == b.variable; };
        return std::adjacent_find(literals.begin(), literals.end(), same) != literals.end();
    }

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    long long variables_ = 0;
    long long clauses_ = 0;
    bool matrix_ = false;
    std::unordered_map<int, VarId> variables_by_number_;
    std::vector<VarId> free_;
    Model model_;
};

}  // namespace

Model read_qdimacs(std::istream& input, const std::string& filename) {
    std::ostringstream copy;
    copy << input.rdbuf();
    const std::string text = std::move(copy).str();
    return Reader(text, filename).read();
}

}  // namespace zermelo::model
