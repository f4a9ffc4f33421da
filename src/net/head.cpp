#include "net/head.hpp"

namespace zermelo::net {

std::size_t Head::take(std::string_view bytes) {
    std::size_t count = 0;
    while (count < bytes.size() && state_ == State::partial) take(bytes[count++]);
    return count;
}

void Head::take(char letter) {
    if (++taken_ > most) {
        state_ = State::too_large;
        return;
    }
    if (letter == '\n') {
        after_return_ = false;
        if (line_empty_ && text_.empty()) return;
        if (line_empty_) state_ = State::whole;
        text_ += "\r\n";
        line_empty_ = true;
        return;
    }
    const bool control = (static_cast<unsigned char>(letter) < ' ' && letter != '\t') || letter == 0x7f;
    if (after_return_ || (control && letter != '\r')) {
        state_ = State::malformed;
    } else if (letter == '\r') {
        after_return_ = true;
    } else {
        text_ += letter;
        line_empty_ = false;
    }
}

std::string one_line(std::string text) {
    for (char& letter : text) {
        if (letter == '\r' || letter == '\n' || letter == '\0') letter = ' ';
    }
    return text;
}

}  // namespace zermelo::net
