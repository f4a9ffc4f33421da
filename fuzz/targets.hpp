// Fuzz targets: one for each reader of what others wrote.
//
// A target does with any bytes what the program would do with such a file or message, within small budgets. What is wrong
// with them is told by an Error, which the target expects; anything else that it throws is a finding, and so are a crash, a
// sanitizer's report, and a promise that is broken. `make fuzz` gives them to libFuzzer, one program each; the tests give
// them the corpus and seeded mutants of it.

#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/limits.hpp"

namespace zermelo::fuzz {

void gdl(const std::string& text);
void flatzinc(const std::string& text);
void annotations(const std::string& text);
void qbf(const std::string& text);
void graph(const std::string& text);
void certificate(const std::string& text);
void checkpoint(const std::string& text);
void record(const std::string& text);
void hints(const std::string& text);
void net(const std::string& text);
void journal(const std::string& text);
void message(const std::string& text);
void http(const std::string& text);
void api(const std::string& text);

// For engines and checkers; loops ask for the time, so this bounds an input.
[[nodiscard]] inline Limits small_limits() { return {0.02, std::nullopt}; }

// What no input may bring about.
inline void promise(bool kept, const std::string& what) {
    if (!kept) throw std::logic_error("a broken promise: " + what);
}

// A file with these bytes, for readers that want one; there is one at a time.
[[nodiscard]] const std::string& file_with(const std::string& bytes, const std::string& ending = "");

// Bytes with changes in place: of each three bytes of the text, two say where and the third what is written there.
[[nodiscard]] std::string patched(std::string bytes, const std::string& patches);

}  // namespace zermelo::fuzz
