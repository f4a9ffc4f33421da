// Moves in words: as the hints beside the rules say them, or else as the rules write them. As web/src/board/speech.ts
// does it; tests/support/moves.json holds what both have to say.
//
// A hint is a pattern by the name of the move: "{1:a}{2}–{3:a}{4}" for (move 5 2 5 4) is e2–e4. {n} is an argument, in
// the words of the hints where they have some; {n:a} a number as a letter.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace zermelo::catalogue {

// What NAME.hints.json beside a game says; an empty object where there is none that can be read.
[[nodiscard]] nlohmann::json hints_beside(const std::string& game);

class Speech {
public:
    Speech() = default;  // says moves as they are written
    // `language`: en or fr.
    Speech(nlohmann::json hints, std::string language);

    [[nodiscard]] std::string say(const std::string& move) const;

private:
    [[nodiscard]] std::string argument(const std::string& term, bool as_letter) const;
    [[nodiscard]] std::string in_language(const nlohmann::json& words) const;

    nlohmann::json hints_ = nlohmann::json::object();
    std::string language_ = "en";
};

}  // namespace zermelo::catalogue
