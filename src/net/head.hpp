// Head of an HTTP message: normalises its first line and its fields while they arrive.
//
// Old programs end lines with a line feed alone, or send blank lines first. Both are corrected before a
// strict parser sees the head.

#pragma once

#include <string>
#include <string_view>

namespace zermelo::net {

class Head {
public:
    static constexpr std::size_t most = std::size_t{64} << 10;  // bytes

    enum class State { partial, whole, too_large, malformed };

    // Takes what belongs to the head and says how many bytes that were.
    std::size_t take(std::string_view bytes);
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const std::string& text() const { return text_; }  // all lines end with CR LF

private:
    void take(char letter);

    std::string text_;
    std::size_t taken_ = 0;
    bool line_empty_ = true;
    bool after_return_ = false;
    State state_ = State::partial;
};

// A value that was given for a field, on one line whatever it holds.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace zermelo::net
