// FlatZinc lexer: text in, tokens out. Comments and blanks are skipped.

#pragma once

#include "model/flatzinc/syntax.hpp"

namespace zermelo::model::flatzinc {

struct Token {
    enum class Kind { name, integer, real, text, symbol, end };

    Kind kind = Kind::end;
    std::string_view text;
    std::size_t at = 0;
    Value number = 0;  // of an integer
};

class Lexer {
public:
    explicit Lexer(const Program& program) : program_(program), text_(*program.text) {}

    // Throws Error where no token begins.
    [[nodiscard]] Token next();

private:
    [[nodiscard]] char peek(std::size_t ahead) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void skip_space();
    void digits();
    Token number();
    Token string();

    const Program& program_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace zermelo::model::flatzinc
