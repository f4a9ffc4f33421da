#include "core/format/rational.hpp"

#include <algorithm>

namespace zermelo {

namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr std::size_t most_digits = 4096;  // longer input is refused

bool all_digits(const std::string& text) {
    return !text.empty() && text.size() <= most_digits &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A leading zero would mean an octal number.
Integer integer(const std::string& digits) {
    const auto first = digits.find_first_not_of('0');
    return first == std::string::npos ? Integer(0) : Integer(digits.substr(first));
}

}  // namespace

std::string text(const Rational& number) { return number.str(); }

std::string text(const Rationals& numbers) {
    if (numbers.size() == 1) return text(numbers.front());
    std::string all;
    for (const Rational& number : numbers) all += (all.empty() ? "" : ", ") + text(number);
    return "(" + all + ")";
}

std::optional<Rational> read_rational(const std::string& text) {
    const bool negative = text.starts_with('-');
    const std::string rest = text.substr(negative ? 1 : 0);
    const auto mark = rest.find_first_of("/.");
    const std::string before = rest.substr(0, mark);
    if (!all_digits(before)) return std::nullopt;
    Rational result(integer(before));
    if (mark != std::string::npos) {
        const std::string after = rest.substr(mark + 1);
        if (!all_digits(after)) return std::nullopt;
        if (rest[mark] == '/') {
            if (integer(after) == 0) return std::nullopt;
            result /= Rational(integer(after));
        } else {
            result +=
                Rational(integer(after)) / Rational(pow(Integer(10), static_cast<unsigned>(after.size())));
        }
    }
    return negative ? Rational(-result) : result;
}

}  // namespace zermelo
