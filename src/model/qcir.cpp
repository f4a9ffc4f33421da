#include "model/qcir.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <unordered_map>

namespace zermelo::model {

namespace {

class CircuitReader {
public:
    CircuitReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
        model_.name = file;
    }

    Model read() {
        if (!text_.starts_with("#QCIR") && !text_.starts_with("#qcir"))
            fail(here(), "the header is missing", "start with `#QCIR-14`");
        while (true) {
            skip();
            const Place place = here();
            const std::string_view word = name("a quantifier or `output`");
            if (word == "output") {
                expect('(');
                output_ = reference();
                expect(')');
                break;
            }
            block(word, place);
        }
        while (skip()) gate();
        finish();
        return std::move(model_);
    }

private:
    struct Reference {
        std::string name;
        bool positive;
        Place place;
    };

    [[nodiscard]] Place here() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }
    [[noreturn]] static void fail(const Place& place, const std::string& problem, const std::string& remedy) {
        throw Error(place, problem, remedy);
    }

    // Over space and comments; false at the end.
    bool skip() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                ++at_;
                if (c == '\n') ++line_, line_start_ = at_;
            } else {
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] bool next_is(char c) { return skip() && text_[at_] == c; }
    void expect(char c) {
        if (!next_is(c)) {
            const std::string found = at_ < text_.size() ? fmt::format("`{}`", text_[at_]) : "the end";
            fail(here(), fmt::format("expected `{}` but found {}", c, found), "");
        }
        ++at_;
    }
    static bool in_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    std::string_view name(const std::string& what) {
        skip();
        const std::size_t start = at_;
        while (at_ < text_.size() && in_name(text_[at_])) ++at_;
        if (at_ == start)
            fail(here(), fmt::format("expected {}", what), "the file may be damaged: make it again");
        return text_.substr(start, at_ - start);
    }
    Reference reference() {
        skip();
        const Place place = here();
        const bool negative = next_is('-');
        if (negative) ++at_;
        return {std::string(name("a literal")), !negative, place};
    }

    void block(std::string_view word, const Place& place) {
        if (word != "exists" && word != "forall" && word != "free") {
            fail(place, fmt::format("expected a quantifier or `output` but found `{}`", word.substr(0, 40)),
                 "write exists(…), forall(…) or free(…), then output(…), then the gates");
        }
        const Quantifier quantifier = word == "forall" ? Quantifier::forall : Quantifier::exists;
        const bool free = word == "free";
        if (!free && (model_.prefix.empty() || model_.prefix.back().quantifier != quantifier))
            model_.prefix.push_back({quantifier, {}, std::nullopt, place});
        expect('(');
        while (!next_is(')')) {
            const Place at = here();
            const std::string variable(name("a variable"));
            const VarId v = model_.add_variable(variable, Domain(0, 1), true);
            if (!known_.try_emplace(variable, Literal{v, true}).second)
                fail(at, fmt::format("variable {} is quantified twice", variable), "quantify it once");
            (free ? free_ : model_.prefix.back().variables).push_back(v);
            if (!next_is(')')) expect(',');
        }
        expect(')');
    }

    Literal known(const Reference& reference) {
        const auto found = known_.find(reference.name);
        if (found != known_.end()) return reference.positive ? found->second : !found->second;
        fail(reference.place, fmt::format("{} is neither a variable nor a gate above", reference.name),
             "quantify it, or define the gate before it is used");
    }

    void gate() {
        const Place place = here();
        const std::string gate(name("a gate"));
        expect('=');
        skip();
        const Place at = here();
        const std::string kind(name("and, or, xor or ite"));
        expect('(');
        std::vector<Literal> inputs;
        while (!next_is(')')) {
            if (next_is(';')) fail(at, "a quantifier inside the circuit", "make the circuit prenex");
            inputs.push_back(known(reference()));
            if (!next_is(')') && !next_is(';')) expect(',');
        }
        expect(')');
        const Literal value = make(kind, inputs, at);
        if (!known_.try_emplace(gate, value).second)
            fail(place, fmt::format("{} is defined twice", gate), "give each gate and variable its own name");
    }

    Literal make(const std::string& kind, const std::vector<Literal>& inputs, const Place& place) {
        if (kind == "or") return disjunction(inputs, place);
        if (kind == "and") return !disjunction(negated(inputs), place);
        if (kind == "xor" && inputs.size() == 2) return exclusive(inputs[0], inputs[1], place);
        if (kind == "ite" && inputs.size() == 3) {
            const Literal then = !disjunction({!inputs[0], !inputs[1]}, place);
            const Literal otherwise = !disjunction({inputs[0], !inputs[2]}, place);
            return disjunction({then, otherwise}, place);
        }
        fail(place, fmt::format("`{}` with {} inputs is no gate", kind, inputs.size()),
             "write and(…), or(…), xor(a, b) or ite(a, b, c)");
    }

    static std::vector<Literal> negated(std::vector<Literal> literals) {
        for (Literal& l : literals) l = !l;
        return literals;
    }

    VarId fresh() { return model_.add_variable(fmt::format("gate {}", ++gates_), Domain(0, 1), true); }

    Literal disjunction(const std::vector<Literal>& inputs, const Place& place) {
        if (inputs.empty()) return model_.literal(false);
        if (inputs.size() == 1) return inputs.front();
        const VarId g = fresh();
        model_.constraints.push_back({Clause{inputs, Literal{g, true}}, place, g});
        return {g, true};
    }

    Literal exclusive(Literal a, Literal b, const Place& place) {
        const VarId g = fresh();
        // Of a, b and not g an odd number holds.
        model_.constraints.push_back({Parity{{a, b, {g, false}}}, place, g});
        return {g, true};
    }

    void finish() {
        model_.win.push_back(known(output_));
        if (free_.empty()) return;
        if (model_.prefix.empty() || model_.prefix.front().quantifier == Quantifier::forall) {
            model_.prefix.insert(model_.prefix.begin(), Block{Quantifier::exists, {}, std::nullopt, {file_}});
        }
        auto& first = model_.prefix.front().variables;
        first.insert(first.begin(), free_.begin(), free_.end());
    }

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    int gates_ = 0;
    Reference output_;
    std::unordered_map<std::string, Literal> known_;
    std::vector<VarId> free_;
    Model model_;
};

}  // namespace

Model read_qcir(std::istream& input, const std::string& filename) {
    std::ostringstream copy;
    copy << input.rdbuf();
    const std::string text = std::move(copy).str();
    return CircuitReader(text, filename).read();
}

}  // namespace zermelo::model
