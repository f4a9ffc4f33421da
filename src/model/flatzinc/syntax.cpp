#include "model/flatzinc/syntax.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <sstream>
#include <unordered_map>

namespace zermelo::model::flatzinc {

namespace {

enum class Kind { name, integer, real, text, symbol, end };

struct Token {
    Kind kind = Kind::end;
    std::string_view text;
    std::size_t at = 0;
    Value number = 0;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
    explicit Lexer(const Program& program) : program_(program), text_(*program.text) {}

    Token next() {
        skip_space();
        const std::size_t start = at_;
        if (at_ == text_.size()) return {Kind::end, "end of file", start};
        const char c = text_[at_];
        if (is_letter(c)) {
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
            return {Kind::name, text_.substr(start, at_ - start), start};
        }
        if (is_digit(c) || (c == '-' && is_digit(peek(1)))) return number();
        if (c == '"') return string();
        const bool pair = (c == ':' && peek(1) == ':') || (c == '.' && peek(1) == '.');
        if (!pair && std::string_view("()[]{},:;=").find(c) == std::string_view::npos) {
            throw Error(program_.place({start}),
                        fmt::format("character {} does not belong in FlatZinc", shown(c)),
                        "read the output of `minizinc -c`");
        }
        at_ += pair ? 2 : 1;
        return {Kind::symbol, text_.substr(start, at_ - start), start};
    }

private:
    [[nodiscard]] char peek(std::size_t ahead) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    static std::string shown(char c) {
        return c > ' ' && c < 127 ? fmt::format("'{}'", c)
                                  : fmt::format("0x{:02x}", static_cast<unsigned char>(c));
    }

    void skip_space() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '%') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
                ++at_;
            } else {
                return;
            }
        }
    }

    void digits() {
        while (is_digit(peek(0))) ++at_;
    }

    Token number() {
        const std::size_t start = at_;
        if (text_[at_] == '-') ++at_;
        const std::size_t first = at_;
        int base = 10;
        if (text_[at_] == '0' && (peek(1) == 'x' || peek(1) == 'o')) {
            base = peek(1) == 'x' ? 16 : 8;
            at_ += 2;
            while (is_digit(peek(0)) || is_letter(peek(0))) ++at_;
        } else {
            digits();
            bool real = false;
            if (peek(0) == '.' && is_digit(peek(1))) {
                real = true;
                ++at_;
                digits();
            }
            if (peek(0) == 'e' || peek(0) == 'E') {
                real = true;
                ++at_;
                if (peek(0) == '-' || peek(0) == '+') ++at_;
                digits();
            }
            if (real) return {Kind::real, text_.substr(start, at_ - start), start};
        }
        const std::size_t skipped = base == 10 ? 0 : 2;
        const bool negative = first != start;
        std::string spelled(negative ? "-" : "");
        spelled += text_.substr(first + skipped, at_ - first - skipped);
        Token token{Kind::integer, text_.substr(start, at_ - start), start};
        const auto [end, problem] =
            std::from_chars(spelled.data(), spelled.data() + spelled.size(), token.number, base);
        if (problem != std::errc{} || end != spelled.data() + spelled.size()) {
            throw Error(program_.place({start}), "this number does not fit into 64 bits",
                        "use smaller numbers");
        }
        return token;
    }

    Token string() {
        const std::size_t start = at_++;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        if (at_ >= text_.size()) {
            at_ = text_.size();
            throw Error(program_.place({start}), "this string has no end", "close it with \"");
        }
        ++at_;
        return {Kind::text, text_.substr(start, at_ - start), start};
    }

    const Program& program_;
    std::string_view text_;
    std::size_t at_ = 0;
};

class Parser {
public:
    explicit Parser(Program& program) : program_(program), lexer_(program) {
        // A declaration is hardly shorter than this, so the table never has to grow.
        symbols_.reserve(program.text->size() / 48);
        advance();
    }

    void run() {
        bool solved = false;
        while (token_.kind != Kind::end) {
            if (solved) fail("something follows the solve item", "end the file with it");
            if (take_word("predicate")) {
                skip_to_semicolon();
            } else if (take_word("constraint")) {
                constraint();
            } else if (take_word("solve")) {
                solve();
                solved = true;
            } else if (take_word("array")) {
                array();
            } else {
                single();
            }
            expect(";");
        }
        if (!solved) fail("the file ends before its solve item", "the file may be truncated: make it again");
    }

private:
    // ---- tokens

    void advance() { token_ = lexer_.next(); }
    [[nodiscard]] bool at_symbol(std::string_view symbol) const {
        return token_.kind == Kind::symbol && token_.text == symbol;
    }
    bool take(std::string_view symbol) {
        if (!at_symbol(symbol)) return false;
        advance();
        return true;
    }
    bool take_word(std::string_view word) {
        if (token_.kind != Kind::name || token_.text != word) return false;
        advance();
        return true;
    }
    void expect(std::string_view symbol) {
        if (!take(symbol)) fail(fmt::format("expected `{}` but found {}", symbol, found()));
    }
    void expect_word(std::string_view word) {
        if (!take_word(word)) fail(fmt::format("expected `{}` but found {}", word, found()));
    }
    std::string_view expect_name() {
        if (token_.kind != Kind::name) fail(fmt::format("expected a name but found {}", found()));
        const auto name = token_.text;
        advance();
        return name;
    }
    Value expect_integer() {
        if (token_.kind == Kind::real) fail_at_float(token_.at);
        if (token_.kind != Kind::integer) fail(fmt::format("expected an integer but found {}", found()));
        const Value number = token_.number;
        advance();
        return number;
    }
    [[nodiscard]] std::string found() const {
        return token_.kind == Kind::end ? "the end of the file"
                                        : fmt::format("`{}`", token_.text.substr(0, 40));
    }

    [[noreturn]] void fail_at(std::size_t at, const std::string& problem, const std::string& remedy) const {
        throw Error(program_.place({at}), problem, remedy);
    }
    [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const {
        const bool cut = token_.kind == Kind::end && remedy.empty();
        fail_at(token_.at, problem, cut ? "the file may be truncated: make it again" : remedy);
    }
    [[noreturn]] void fail_at_float(std::size_t at) const {
        fail_at(at, "floats are not supported", "scale the values to integers");
    }

    void skip_to_semicolon() {
        while (token_.kind != Kind::end && !at_symbol(";")) advance();
    }

    // ---- declarations

    enum class Base { boolean, integer, set, real };
    struct Type {
        bool variable = false;
        Base base = Base::integer;
        std::optional<Domain> domain = {};
    };

    Type type() {
        Type type;
        const std::size_t at = token_.at;
        type.variable = take_word("var");
        if (take_word("bool")) {
            type.base = Base::boolean;
        } else if (take_word("float") || token_.kind == Kind::real) {
            type.base = Base::real;
            if (token_.kind == Kind::real) {
                advance();
                expect("..");
                advance();
            }
        } else if (take_word("set")) {
            expect_word("of");
            if (!take_word("int")) set();
            type.base = Base::set;
        } else if (!take_word("int")) {
            type.domain = set();
        }
        if (type.variable && type.base == Base::real) fail_at_float(at);
        if (type.variable && type.base == Base::set) {
            fail_at(at, "set variables are not supported",
                    "compile with --solver zermelo, which turns them into Booleans");
        }
        return type;
    }

    struct Notes {
        bool introduced = false, defined = false, output = false;
        std::optional<Atom> defines = {};
        std::vector<Domain> index_sets = {};
        std::string_view path = {};
    };

    Notes notes() {
        Notes notes;
        while (take("::")) {
            const auto name = expect_name();
            if (name == "var_is_introduced") notes.introduced = true;
            if (name == "is_defined_var") notes.defined = true;
            if (name == "output_var") notes.output = true;
            if (name == "output_array") {
                notes.output = true;
                expect("(");
                expect("[");
                while (!take("]")) {
                    notes.index_sets.push_back(set());
                    if (!at_symbol("]")) expect(",");
                }
                expect(")");
            } else if (name == "defines_var") {
                expect("(");
                const Argument argument = expression();
                if (const Atom* atom = std::get_if<Atom>(&argument.value)) notes.defines = *atom;
                expect(")");
            } else if (name == "mzn_path" && take("(")) {
                notes.path = token_.text;
                program_.has_paths = true;
                advance();
                expect(")");
            } else if (at_symbol("(")) {
                skip_brackets();
            }
        }
        return notes;
    }

    void skip_brackets() {
        std::size_t depth = 0;
        const std::size_t start = token_.at;
        do {
            if (token_.kind == Kind::end || at_symbol(";"))
                fail_at(start, "this bracket is never closed", "close it");
            if (at_symbol("(") || at_symbol("[") || at_symbol("{")) ++depth;
            if (at_symbol(")") || at_symbol("]") || at_symbol("}")) --depth;
            advance();
        } while (depth > 0);
    }

    void declare(std::string_view name, std::size_t at, Argument value) {
        if (!symbols_.try_emplace(name, std::move(value)).second) {
            fail_at(at, fmt::format("{} is declared twice", name), "rename one of the two");
        }
    }

    void single() {
        if (token_.kind != Kind::name && token_.kind != Kind::integer && token_.kind != Kind::real &&
            !at_symbol("{")) {
            fail(fmt::format("expected a declaration, a constraint or a solve item but found {}", found()));
        }
        const Type declared = type();
        expect(":");
        const std::size_t at = token_.at;
        const auto name = expect_name();
        const Notes said = notes();
        if (!declared.variable) {
            expect("=");
            if (declared.base == Base::real) {
                advance();  // nothing that we support can use it
                return;
            }
            declare(name, at, expression());
            return;
        }
        Declaration variable{name, {at, said.path}, Domain(0, 1), declared.base == Base::boolean};
        if (!variable.boolean)
            variable.domain = declared.domain.value_or(Domain(-largest_value, largest_value));
        if (variable.domain.empty()) {
            fail_at(at, fmt::format("the domain of {} is empty", name), "give it at least one value");
        }
        variable.introduced = said.introduced;
        variable.defined = said.defined;
        variable.output = said.output;
        if (take("=")) variable.value = atom_of(expression());
        const auto index = static_cast<Value>(program_.variables.size());
        program_.variables.push_back(std::move(variable));
        declare(name, at, {at, Atom{Atom::Kind::variable, index}});
    }

    void array() {
        expect("[");
        std::optional<Value> size;
        if (!take_word("int")) {
            if (expect_integer() != 1) fail("an array of FlatZinc starts at 1", "write array [1..n]");
            expect("..");
            size = expect_integer();
        }
        expect("]");
        expect_word("of");
        const Type declared = type();
        expect(":");
        const std::size_t at = token_.at;
        const auto name = expect_name();
        const Notes said = notes();
        expect("=");
        if (declared.base == Base::real) {
            skip_to_semicolon();
            return;
        }
        Argument value = expression();
        const auto* list = std::get_if<std::shared_ptr<const List>>(&value.value);
        if (list == nullptr)
            fail_at(value.at, fmt::format("{} is an array but its value is not", name), "use [ ]");
        if (size &&
            static_cast<Value>((*list)->atoms.size() + (*list)->sets.size()) != std::max<Value>(*size, 0)) {
            fail_at(at,
                    fmt::format("{} is declared with {} elements but has {}", name, *size,
                                (*list)->atoms.size() + (*list)->sets.size()),
                    "the file may be damaged: make it again");
        }
        if (declared.variable || said.output) {
            program_.arrays.push_back(
                {name, *list, said.introduced || nameless(name), said.output, said.index_sets});
        }
        declare(name, at, std::move(value));
    }

    // ---- expressions

    Atom atom_of(const Argument& argument) const {
        const Atom* atom = std::get_if<Atom>(&argument.value);
        if (atom == nullptr) fail_at(argument.at, "expected a number, a Boolean or a variable here", "");
        return *atom;
    }

    Value bound() {
        const std::size_t at = token_.at;
        const Value value = expect_integer();
        if (value < -largest_value || value > largest_value) {
            fail_at(at, fmt::format("{} is outside the range of the solver", value),
                    fmt::format("keep domains within -{0}..{0}", largest_value));
        }
        return value;
    }

    Domain set() {
        if (!take("{")) {
            const Value low = bound();
            expect("..");
            const Value high = bound();
            return Domain(low, high);
        }
        std::vector<Value> values;
        while (!take("}")) {
            values.push_back(bound());
            if (!at_symbol("}")) expect(",");
        }
        return Domain(std::move(values));
    }

    Argument expression() {
        const std::size_t at = token_.at;
        if (at_symbol("[")) return {at, list()};
        if (at_symbol("{")) return {at, set()};
        if (token_.kind == Kind::integer) {
            const Value low = expect_integer();
            if (!take("..")) return {at, Atom{Atom::Kind::integer, low}};
            const Value high = bound();
            if (low < -largest_value || low > largest_value) {
                fail_at(at, fmt::format("{} is outside the range of the solver", low),
                        fmt::format("keep sets within -{0}..{0}", largest_value));
            }
            return {at, Domain(low, high)};
        }
        if (token_.kind == Kind::real) fail_at_float(at);
        const auto name = expect_name();
        if (name == "true" || name == "false") return {at, Atom{Atom::Kind::boolean, name == "true"}};
        const auto symbol = symbols_.find(name);
        if (symbol == symbols_.end()) {
            fail_at(at, fmt::format("{} is not declared", name), "declare it before it is used");
        }
        if (!take("[")) return {at, symbol->second.value};
        const auto* list = std::get_if<std::shared_ptr<const List>>(&symbol->second.value);
        const Value index = expect_integer();
        expect("]");
        if (list == nullptr || index < 1 || static_cast<std::size_t>(index) > (*list)->atoms.size()) {
            fail_at(at, fmt::format("{} has no element {}", name, index), "");
        }
        return {at, (*list)->atoms[static_cast<std::size_t>(index) - 1]};
    }

    std::shared_ptr<const List> list() {
        auto list = std::make_shared<List>();
        expect("[");
        while (!take("]")) {
            if (at_symbol("[")) fail("arrays do not nest in FlatZinc", "write one flat array");
            Argument element = expression();
            if (const Atom* atom = std::get_if<Atom>(&element.value)) {
                list->atoms.push_back(*atom);
            } else if (Domain* domain = std::get_if<Domain>(&element.value)) {
                list->sets.push_back(std::move(*domain));
            } else {
                fail_at(element.at, "arrays do not nest in FlatZinc", "write one flat array");
            }
            if (!list->atoms.empty() && !list->sets.empty()) {
                fail_at(element.at, "an array holds either sets or single values", "");
            }
            if (!at_symbol("]")) expect(",");
        }
        return list;
    }

    // ---- items

    void constraint() {
        Call call{token_.text, {token_.at}};
        expect_name();
        expect("(");
        while (!take(")")) {
            call.arguments.push_back(expression());
            if (!at_symbol(")")) expect(",");
        }
        const Notes said = notes();
        call.defines = said.defines;
        call.origin.path = said.path;
        program_.calls.push_back(std::move(call));
    }

    // int_search(variables, which variable, which value, …), also inside seq_search([…]); the rest is not for
    // us.
    void search() {
        const auto name = expect_name();
        if (name == "seq_search" && take("(")) {
            expect("[");
            while (!take("]")) {
                search();
                if (!at_symbol("]")) expect(",");
            }
            expect(")");
        } else if ((name == "int_search" || name == "bool_search") && take("(")) {
            const Argument variables = expression();
            expect(",");
            expect_name();
            expect(",");
            program_.searches.emplace_back(variables, expect_name());
            while (take(",")) expect_name();
            expect(")");
        } else if (at_symbol("(")) {
            skip_brackets();
        }
    }

    void solve() {
        while (take("::")) search();
        if (take_word("satisfy")) return;
        const bool maximize = token_.kind == Kind::name && token_.text == "maximize";
        if (!maximize && !(token_.kind == Kind::name && token_.text == "minimize")) {
            fail(fmt::format("expected satisfy, minimize or maximize but found {}", found()));
        }
        advance();
        program_.goal = maximize ? Goal::maximize : Goal::minimize;
        program_.objective = expression();
    }

    Program& program_;
    Lexer lexer_;
    Token token_;
    std::unordered_map<std::string_view, Argument> symbols_;
};

}  // namespace

namespace {

// A path of MiniZinc is `file|line|column|…;file|line|column|…;…` from the item down to the expression; the
// last step that is still in the item's own file is what the modeller wrote.
std::optional<Place> source(std::string_view path) {
    if (path.size() < 2) return std::nullopt;
    path = path.substr(1, path.size() - 2);
    const std::string_view file = path.substr(0, path.find('|'));
    std::optional<Place> place;
    while (!path.empty()) {
        const std::string_view step = path.substr(0, path.find(';'));
        path.remove_prefix(std::min(step.size() + 1, path.size()));
        if (!step.starts_with(file) || step.size() <= file.size()) continue;
        const char* end = step.data() + step.size();
        Place here{std::string(file)};
        const auto line = std::from_chars(step.data() + file.size() + 1, end, here.line);
        if (line.ec != std::errc{} || line.ptr == end || *line.ptr != '|') continue;
        if (std::from_chars(line.ptr + 1, end, here.column).ec == std::errc{}) place = std::move(here);
    }
    return place;
}

}  // namespace

Place Program::place(const Origin& origin) const {
    if (auto written = source(origin.path)) {
        if (written->file == full_name) written->file = file;
        return *written;
    }
    if (has_paths) return {file};
    const auto after = std::upper_bound(lines.begin(), lines.end(), origin.at);
    const auto line = static_cast<std::size_t>(after - lines.begin());
    const std::size_t start = line == 0 ? 0 : lines[line - 1];
    return {file, static_cast<int>(line), static_cast<int>(origin.at - start) + 1};
}

Program parse(std::istream& input, const std::string& filename) {
    Program program;
    program.file = filename;
    std::error_code ignored;
    program.full_name = std::filesystem::absolute(filename, ignored).string();
    std::ostringstream copy;
    copy << input.rdbuf();
    if (input.bad()) throw Error(Place{filename}, "the file cannot be read");
    program.text = std::make_unique<const std::string>(std::move(copy).str());
    program.lines.push_back(0);
    for (std::size_t at = program.text->find('\n'); at != std::string::npos;
         at = program.text->find('\n', at + 1)) {
        program.lines.push_back(at + 1);
    }
    Parser(program).run();
    return program;
}

}  // namespace zermelo::model::flatzinc
