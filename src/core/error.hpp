// Errors: what is wrong with the input, where, and what to do about it.
//
// Every complaint about something that a user wrote is an Error. Its text is one line, `file:line:col: what
// is wrong; what to do`, and the command line ends with exit code 2 on it.

#pragma once

#include <stdexcept>
#include <string>

namespace zermelo {

struct Place {
    std::string file;
    int line = 0;  // from 1; 0 where the whole file is meant
    int column = 0;

    [[nodiscard]] std::string text() const;
};

class Error : public std::runtime_error {
public:
    Error(const Place& place, const std::string& problem, const std::string& remedy = "");
    explicit Error(const std::string& problem, const std::string& remedy = "");

    [[nodiscard]] const Place& place() const { return place_; }  // no file and no line where none is meant
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& remedy() const { return remedy_; }

private:
    Place place_;
    std::string problem_;
    std::string remedy_;
};

}  // namespace zermelo
