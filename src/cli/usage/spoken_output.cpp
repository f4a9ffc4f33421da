#include "cli/usage/spoken_output.hpp"

#include <iostream>

#include "cli/usage/language.hpp"

namespace zermelo::cli {

SpokenOutput::SpokenOutput() : real_(std::cout.rdbuf()) { std::cout.rdbuf(this); }

SpokenOutput::~SpokenOutput() {
    say_line();
    std::cout.rdbuf(real_);
}

void SpokenOutput::say_line() {
    const std::size_t begin = line_.find_first_not_of(' ');
    const std::size_t indent = begin == std::string::npos ? line_.size() : begin;
    const std::string text = line_.substr(0, indent) + spoken(line_.substr(indent));
    real_->sputn(text.data(), static_cast<std::streamsize>(text.size()));
    line_.clear();
}

SpokenOutput::int_type SpokenOutput::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char c = traits_type::to_char_type(character);
    if (c != '\n') {
        line_ += c;
        return character;
    }
    say_line();
    return real_->sputc(c);
}

int SpokenOutput::sync() {
    say_line();
    return real_->pubsync();
}

}  // namespace zermelo::cli
