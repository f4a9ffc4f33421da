#include "model/flatzinc/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace zermelo::model::flatzinc {

namespace {

using Kind = Token::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string shown(char c) {
    return c > ' ' && c < 127 ? fmt::format("'{}'", c)
                              : fmt::format("0x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

Token Lexer::next() {
    skip_space();
    const std::size_t start = at_;
    if (at_ == text_.size()) return {Kind::end, "end of file", start};
    const char c = text_[at_];
    if (is_letter(c)) {
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        return {Kind::name, text_.substr(start, at_ - start), start};
    }
    if (is_digit(c) || (c == '-' && is_digit(peek(1)))) return number();
    if (c == '"') return string();
    const bool pair = (c == ':' && peek(1) == ':') || (c == '.' && peek(1) == '.');
    if (!pair && std::string_view("()[]{},:;=").find(c) == std::string_view::npos) {
        throw Error(program_.place({start}),
                    fmt::format("character {} does not belong in FlatZinc", shown(c)),
                    "read the output of `minizinc -c`");
    }
    at_ += pair ? 2 : 1;
    return {Kind::symbol, text_.substr(start, at_ - start), start};
}

void Lexer::skip_space() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '%') {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            ++at_;
        } else {
            return;
        }
    }
}

void Lexer::digits() {
    while (is_digit(peek(0))) ++at_;
}

Token Lexer::number() {
    const std::size_t start = at_;
    if (text_[at_] == '-') ++at_;
    const std::size_t first = at_;
    int base = 10;
    if (text_[at_] == '0' && (peek(1) == 'x' || peek(1) == 'o')) {
        base = peek(1) == 'x' ? 16 : 8;
        at_ += 2;
        while (is_digit(peek(0)) || is_letter(peek(0))) ++at_;
    } else {
        digits();
        bool real = false;
        if (peek(0) == '.' && is_digit(peek(1))) {
            real = true;
            ++at_;
            digits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            real = true;
            ++at_;
            if (peek(0) == '-' || peek(0) == '+') ++at_;
            digits();
        }
        if (real) return {Kind::real, text_.substr(start, at_ - start), start};
    }
    const std::size_t skipped = base == 10 ? 0 : 2;
    const bool negative = first != start;
    std::string spelled(negative ? "-" : "");
    spelled += text_.substr(first + skipped, at_ - first - skipped);
    Token token{Kind::integer, text_.substr(start, at_ - start), start};
    const auto [end, problem] =
        std::from_chars(spelled.data(), spelled.data() + spelled.size(), token.number, base);
    if (problem != std::errc{} || end != spelled.data() + spelled.size()) {
        throw Error(program_.place({start}), "this number does not fit into 64 bits", "use smaller numbers");
    }
    return token;
}

Token Lexer::string() {
    const std::size_t start = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
        at_ = text_.size();
        throw Error(program_.place({start}), "this string has no end", "close it with \"");
    }
    ++at_;
    return {Kind::text, text_.substr(start, at_ - start), start};
}

}  // namespace zermelo::model::flatzinc
