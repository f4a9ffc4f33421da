#include <fmt/format.h>

#include <ostream>
#include <set>

#include "encode/quantify.hpp"

namespace zermelo::encode {

namespace {

class Writer {
public:
    Writer(std::ostream& out, const gdl::Game& game, const QuantifiedGame& quantified)
        : out_(out), game_(game), quantified_(quantified), model_(quantified.model) {}

    void run() {
        header();
        moves();
        for (const model::Constraint& constraint : model_.constraints) std::visit(*this, constraint.body);
        const char* demand = model_.strategic ? "hold" : "win";
        for (std::size_t b = 0; b < model_.prefix.size(); ++b) {
            if (const auto& rule = model_.prefix[b].rule)
                out_ << fmt::format("constraint rule({}, {});\n", b + 1, text(*rule));
        }
        for (const model::Literal literal : model_.win)
            out_ << fmt::format("constraint {}({});\n", demand, text(literal));
        out_ << "\nsolve satisfy;\n";
    }

    // A gate is defined by its negation: it is false if and only if one of its inputs is.
    void operator()(const model::Clause& c) const {
        std::vector<std::string> parts;
        for (const model::Literal literal : c.literals) parts.push_back(text(c.reified ? !literal : literal));
        if (!c.reified) {
            out_ << fmt::format("constraint hold({});\n", fmt::join(parts, " \\/ "));
            return;
        }
        define(*c.reified, fmt::format("{}", fmt::join(parts, " /\\ ")));
    }
    void operator()(const model::Linear& c) const {
        define(*c.reified, fmt::format("{} = {}", name(c.terms.front().variable), c.constant));
    }
    void operator()(const model::Member& c) const {
        define(*c.reified, fmt::format("{} in {}", name(c.variable), set_text(c.set)));
    }
    template <class Other>
    void operator()(const Other&) const {
        throw Error("a model of a game has a constraint that is not written as MiniZinc");
    }

private:
    void header() {
        const Question& question = quantified_.question;
        out_ << fmt::format(
            "% {}\n%\n% Can {} force a goal of at least {} within {} moves? Read it with: zermelo solve\n",
            game_.description().file, role(question.role), question.threshold, quantified_.horizon);
        const MoveNumbers numbers(game_);
        std::set<std::size_t> moving;
        for (const auto& turn : quantified_.turns) moving.insert(turn.role);
        for (const std::size_t r : moving) {
            out_ << fmt::format("%\n% The moves of {}:\n", role(r));
            const auto count = static_cast<model::Value>(game_.machine().network().moves[r].size());
            for (model::Value value = 1; value <= count; ++value)
                out_ << fmt::format("%   {} = {}\n", value, numbers.text(r, value));
        }
        out_ << "\ninclude \"zermelo.mzn\";\n\n";
    }

    void moves() {
        for (std::size_t b = 0; b < model_.prefix.size(); ++b) {
            const model::Block& block = model_.prefix[b];
            const bool ours = block.quantifier == model::Quantifier::exists;
            const char* player = ours ? "some" : model_.strategic ? "every_consistent" : "every";
            for (const model::VarId v : block.variables) {
                if (const auto* turn = quantified_.turn_of(v)) {
                    const std::string domain = set_text(model_.domain(v));
                    out_ << fmt::format("var {}: {};\n", domain, name(v))
                         << fmt::format("constraint {}({}, {}, {});  % {}\n", player, b + 1, name(v), domain,
                                        role(turn->role));
                } else {
                    out_ << fmt::format("var bool: {};\nconstraint {}({}, {});\n", name(v), player, b + 1,
                                        name(v));
                }
            }
        }
        out_ << '\n';
    }

    void define(model::Literal literal, const std::string& meaning) const {
        out_ << fmt::format("var bool: {} = ({});\n", name(literal.variable), meaning);
    }

    [[nodiscard]] const std::string& name(model::VarId v) const { return model_.name_of(v); }
    [[nodiscard]] std::string text(model::Literal literal) const {
        if (model_.domain(literal.variable).single())
            return (model_.domain(literal.variable).low() != 0) == literal.positive ? "true" : "false";
        return literal.positive ? name(literal.variable) : fmt::format("not {}", name(literal.variable));
    }
    [[nodiscard]] static std::string set_text(const model::Domain& domain) {
        if (domain.ranges().size() == 1) return fmt::format("{}..{}", domain.low(), domain.high());
        return fmt::format("{{{}}}", fmt::join(domain.values(), ", "));
    }
    [[nodiscard]] std::string role(std::size_t r) const {
        return game_.text(game_.machine().network().roles[r]);
    }

    std::ostream& out_;
    const gdl::Game& game_;
    const QuantifiedGame& quantified_;
    const model::Model& model_;
};

}  // namespace

void write_minizinc(std::ostream& out, const gdl::Game& game, const QuantifiedGame& quantified) {
    Writer(out, game, quantified).run();
}

}  // namespace zermelo::encode
