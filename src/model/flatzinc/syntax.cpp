#include "model/flatzinc/syntax.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <unordered_map>

#include "model/flatzinc/lexer.hpp"

namespace zermelo::model::flatzinc {

namespace {

using Kind = Token::Kind;

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
