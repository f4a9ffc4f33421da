#include "model/plain_qcsp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::model {

namespace {

class PlainQcsp {
public:
    explicit PlainQcsp(const Model& model) : model_(model) {}

    Model run() {
        for (std::size_t b = 0; b < model_.prefix.size(); ++b) cut_behind(b);
        // Inside out: what must hold from block b on.
        for (std::size_t b = model_.prefix.size(); b-- > 0;) {
            const Block& block = model_.prefix[b];
            if (!block.rule) continue;
            if (block.quantifier == Quantifier::exists) {
                model_.win.push_back(*block.rule);
            } else {
                model_.win = implied(*block.rule, b);
            }
        }
        for (Block& block : model_.prefix) block.rule.reset();
        return std::move(model_);
    }

private:
    void cut_behind(std::size_t b) {
        const Block& block = model_.prefix[b];
        if (!block.rule) return;
        if (block.quantifier == Quantifier::forall)
            model_.cuts.push_back({obeyed_, *block.rule, block.place});
        obeyed_.push_back(*block.rule);
    }

    // The literals for: the rule of block b implies all that must hold behind it.
    std::vector<Literal> implied(Literal rule, std::size_t b) {
        if (model_.win.empty()) return {};
        const Literal rest = model_.win.size() == 1 ? model_.win.front() : conjunction(b);
        return {define(Clause{{!rule, rest}, {}}, fmt::format("implied[{}]", b + 1))};
    }

    Literal conjunction(std::size_t b) {
        Clause violated;
        for (const Literal literal : model_.win) violated.literals.push_back(!literal);
        return !define(std::move(violated), fmt::format("violated[{}]", b + 1));
    }

    Literal define(Clause clause, std::string name) {
        const VarId variable = model_.add_variable(std::move(name), Domain(0, 1), true);
        clause.reified = Literal{variable};
        model_.constraints.push_back({std::move(clause), {}, variable});
        return {variable};
    }

    Model model_;
    std::vector<Literal> obeyed_;  // the rules of the blocks so far
};

}  // namespace

Model plain_qcsp(const Model& model) {
    if (model.strategic)
        throw Error(fmt::format("{} is a strategic model, which has no rules to translate", model.name),
                    "give a model with rules");
    if (model.objective)
        throw Error(fmt::format("{} asks for the best value, which the translation would demand after an "
                                "illegal move too",
                                model.name),
                    "leave the objective out");
    return PlainQcsp(model).run();
}

}  // namespace zermelo::model
