// Output in the language of the person: while it lives, what goes to std::cout is translated line by line
// (usage/language.hpp). For commands that speak to people; not for those that print files, and not with --json.

#pragma once

#include <streambuf>
#include <string>

namespace zermelo::cli {

class SpokenOutput : public std::streambuf {
public:
    SpokenOutput();
    ~SpokenOutput() override;
    SpokenOutput(const SpokenOutput&) = delete;
    SpokenOutput& operator=(const SpokenOutput&) = delete;

protected:
    int_type overflow(int_type character) override;
    int sync() override;  // a prompt is a line without an end

private:
    void say_line();

    std::streambuf* real_;
    std::string line_;
};

}  // namespace zermelo::cli
