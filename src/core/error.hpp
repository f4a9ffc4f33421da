// Errors: what is wrong with the input, where, and what to do about it.
//
// Every complaint about something that a user wrote is an Error. Its text is one line,
// `file:line:col: what is wrong; what to do`, and the command line ends with exit code 2 on it.
//
// A library does not know how its caller's settings are written. Where an error speaks of one, it marks it by
// setting(); each front end words the mark in its own terms: `--engine alpha-beta` on the command line,
// `engine = alpha-beta` elsewhere.

#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace zermelo {

struct Place {
    std::string file;
    int line = 0;  // from 1; 0 where the whole file is meant
    int column = 0;

    [[nodiscard]] std::string text() const;
};

// A setting of the caller, to be put into the text of an Error.
[[nodiscard]] std::string setting(const std::string& name, const std::string& value = "");

// How a front end writes a setting; the value is empty where only the name is meant.
using SettingWords = std::function<std::string(const std::string& name, const std::string& value)>;
[[nodiscard]] std::string plain_setting(const std::string& name, const std::string& value);  // name = value

// The text with its marks worded.
[[nodiscard]] std::string worded(const std::string& text, const SettingWords& words = plain_setting);

class Error : public std::runtime_error {
public:
    Error(const Place& place, const std::string& problem, const std::string& remedy = "");
    explicit Error(const std::string& problem, const std::string& remedy = "");

    [[nodiscard]] const Place& place() const { return place_; }  // no file and no line where none is meant
    // With marks; what() has them in plain words.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& remedy() const { return remedy_; }
    // The whole line, settings written as `words` does.
    [[nodiscard]] std::string text(const SettingWords& words) const;

private:
    Place place_;
    std::string problem_;
    std::string remedy_;
};

}  // namespace zermelo
