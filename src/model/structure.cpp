#include "model/structure.hpp"

#include <fmt/format.h>

#include "model/simplify/image.hpp"

namespace zermelo::model {

namespace {

// Finds definitions from the known variables outwards: a constraint with one unknown variable that it can
// define makes this variable known. Total definitions go first, because a partial one turns into a demand,
// and so does the constraint that is said to define a variable; when nothing can be defined any more, one
// unknown is set free.
class Analysis {
public:
    explicit Analysis(const Model& model) : model_(model) {
        result_.prefix = model.prefix;
        result_.block_of.assign(variables(), -1);
        result_.definition.assign(variables(), -1);
        result_.level.assign(variables(), -1);
        result_.total.assign(model.constraints.size(), false);
        result_.output.assign(model.constraints.size(), -1);
        result_.universal_rules = model.has_universal_rules();
        for (const Variable& variable : model.variables) result_.domain.push_back(variable.domain);
        known_.assign(variables(), false);
        partial_.assign(variables(), false);
    }

    Structure run() {
        index_constraints();
        check_domains();
        for (std::size_t b = 0; b < model_.prefix.size(); ++b) {
            for (const VarId v : model_.prefix[b].variables) quantify(v, static_cast<int>(b));
        }
        for (const VarId v : model_.state) know_state(v);
        for (std::size_t v = 0; v < variables(); ++v) {
            if (result_.domain[v].single() && !known_[v]) learn(static_cast<VarId>(v));
        }
        define_all();
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            if (!result_.total[c]) result_.winning.push_back(static_cast<int>(c));
        }
        find_due();
        return std::move(result_);
    }

    Structure run_checked() {
        result_ = run();
        if (model_.strategic) {
            check_strategic();
        } else {
            check_rules();
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] std::size_t variables() const { return model_.variables.size(); }

    void index_constraints() {
        uses_.resize(variables());
        hint_.assign(variables(), -1);
        unknown_.assign(model_.constraints.size(), 0);
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            std::vector<VarId> seen;
            each_variable(model_.constraints[c], [&](VarId v) { seen.push_back(v); });
            std::sort(seen.begin(), seen.end());
            seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
            unknown_[c] = static_cast<int>(seen.size());
            for (const VarId v : seen) uses_[v].push_back(static_cast<int>(c));
            if (seen.size() == 1) ready_.push_back(static_cast<int>(c));
            if (const auto defines = model_.constraints[c].defines) hint_[*defines] = static_cast<int>(c);
        }
    }

    void check_domains() const {
        for (const Variable& variable : model_.variables) {
            if (variable.domain.empty()) {
                throw Error({model_.name}, fmt::format("variable {} has an empty domain", variable.name),
                            "give it at least one value");
            }
        }
    }

    void quantify(VarId v, int block) {
        if (result_.block_of[v] >= 0) {
            throw Error(model_.prefix[block].place,
                        fmt::format("variable {} is quantified twice", model_.name_of(v)),
                        "leave one quantifier");
        }
        result_.block_of[v] = block;
        result_.level[v] = block;
        learn(v);
    }

    void know_state(VarId v) {
        if (known_[v]) {
            throw Error(
                {model_.name},
                fmt::format("variable {} is declared twice, once as a state variable", model_.name_of(v)),
                "a variable is either chosen by a player or part of the state");
        }
        result_.state.push_back(v);
        learn(v);
    }

    void learn(VarId v) {
        known_[v] = true;
        for (const int c : uses_[v]) {
            if (--unknown_[c] == 1) ready_.push_back(c);
        }
    }

    // Defines everything that can be, total definitions before partial ones, and sets free what remains.
    void define_all() {
        std::size_t candidate = 0;
        std::vector<int> partial;
        while (true) {
            while (!ready_.empty()) {
                const int c = ready_.back();
                ready_.pop_back();
                if (!define(c, true)) partial.push_back(c);
            }
            bool progress = false;
            while (!partial.empty() && !progress) {
                const int c = partial.back();
                partial.pop_back();
                progress = define(c, false);
            }
            if (progress) continue;
            while (candidate < variables() && known_[candidate]) ++candidate;
            if (candidate == variables()) return;
            set_free(next_free(static_cast<VarId>(candidate)));
        }
    }

    // A variable that some constraint is said to define is a bad guess: its inputs are better ones.
    [[nodiscard]] VarId next_free(VarId from) const {
        for (std::size_t v = from; v < variables(); ++v) {
            if (!known_[v] && hint_[v] < 0) return static_cast<VarId>(v);
        }
        return from;
    }

    void set_free(VarId v) {
        const Domain& domain = model_.domain(v);
        if (domain.low() < -largest_value || domain.high() > largest_value ||
            domain.size() > static_cast<std::uint64_t>(largest_value)) {
            throw Error(
                {model_.name},
                fmt::format("variable {} has no finite domain and nothing defines it", model_.name_of(v)),
                "declare it with bounds, or as a function of the moves");
        }
        if (const Place& declared = model_.variables[v].declared; !declared.file.empty()) {
            throw Error(declared,
                        fmt::format("variable {} is neither quantified nor a function of the moves",
                                    model_.name_of(v)),
                        model_.strategic
                            ? "declare it with state(...), or say who chooses it, or define it"
                            : "say who chooses it with some(level, ...) or every(level, ...), or define it");
        }
        if (model_.strategic) return know_state(v);
        if (free_block_ < 0) {
            free_block_ = static_cast<int>(result_.prefix.size());
            result_.prefix.push_back({Quantifier::exists, {}, std::nullopt, {}});
        }
        result_.prefix[free_block_].variables.push_back(v);
        result_.block_of[v] = free_block_;
        result_.level[v] = free_block_;
        learn(v);
    }

    bool define(int index, bool only_total) {
        const Constraint& constraint = model_.constraints[index];
        if (result_.output[index] >= 0) return false;
        VarId output = -1;
        each_variable(constraint, [&](VarId v) {
            if (!known_[v]) output = v;
        });
        if (output < 0 || !can_define(constraint, output)) return false;
        if (only_total && hint_[output] >= 0 && hint_[output] != index) return false;

        const auto values = image(constraint, output, [&](VarId v) {
            return Interval{result_.domain[v].low(), result_.domain[v].high()};
        });
        Domain& domain = result_.domain[output];
        const bool total = values && domain.contains(Domain(values->low, values->high));
        if (!total && only_total) return false;

        if (total) domain = Domain(values->low, values->high);
        result_.total[index] = total;
        result_.output[index] = output;
        result_.definition[output] = index;
        result_.definitions.push_back(index);
        partial_[output] = !total;
        each_variable(constraint, [&](VarId v) {
            if (v == output) return;
            result_.level[output] = std::max(result_.level[output], result_.level[v]);
            if (partial_[v]) partial_[output] = true;
        });
        learn(output);
        return true;
    }

    void find_due() {
        for (const Constraint& constraint : model_.constraints) {
            int due = -1;
            each_variable(constraint, [&](VarId v) { due = std::max(due, result_.level[v]); });
            result_.due.push_back(due);
        }
    }

    void check_strategic() const {
        for (const Block& block : model_.prefix) {
            if (block.rule) {
                throw Error(block.place, "a strategic model has a rule for a block",
                            "state it with hold(...): it acts when the last move that it mentions is due");
            }
        }
        if (!model_.cuts.empty())
            throw Error(model_.cuts.front().place, "a strategic model has a cut", "leave it out");
        if (model_.objective) {
            throw Error({model_.name}, "a strategic model has an objective",
                        "ask for a threshold: hold(objective >= threshold) for a last move of ∃");
        }
        for (const int c : result_.winning) {
            if (result_.output[c] < 0) continue;
            throw Error(
                model_.constraints[c].place,
                fmt::format("the domain of {} does not contain all values that its definition can take",
                            model_.name_of(result_.output[c])),
                "state constraints with hold(...), so that MiniZinc does not narrow anything; divide by "
                "max(1, y), not by a y that can be 0");
        }
    }

    void check_rules() const {
        for (std::size_t b = 0; b < model_.prefix.size(); ++b) {
            const Block& block = model_.prefix[b];
            if (!block.rule) continue;
            const VarId v = block.rule->variable;
            if (result_.level[v] > static_cast<int>(b)) {
                throw Error(
                    block.place,
                    fmt::format("the rule of block {} depends on something that is decided later", b + 1),
                    "a rule may mention only the moves made so far and functions of them");
            }
            if (partial_[v]) {
                const VarId without = culprit(v);
                const int c = result_.definition[without];
                throw Error(c >= 0 && model_.constraints[c].place.line > 0 ? model_.constraints[c].place
                                                                           : block.place,
                            fmt::format("the rule of block {} depends on a value that may not exist: {}",
                                        b + 1, model_.name_of(without)),
                            "widen its domain so that every play has a value for it; divide by max(1, y), "
                            "not by a y that can be 0");
            }
        }
        if (!result_.universal_rules) return;
        for (const int c : result_.winning) {
            const Constraint& constraint = model_.constraints[c];
            throw Error(
                constraint.place,
                result_.output[c] >= 0
                    ? fmt::format("the domain of {} does not contain all values that its definition can take",
                                  model_.name_of(result_.output[c]))
                    : std::string(
                          "a constraint stands outside the winning condition of a model with rules for ∀"),
                result_.output[c] >= 0 ? "widen its domain, or demand the bound inside win(...); divide by "
                                         "max(1, y), not by a y that can be 0"
                                       : "put it into win(...), or into the rule of a block");
        }
    }

    // The first partial definition below `v`.
    [[nodiscard]] VarId culprit(VarId v) const {
        while (true) {
            const int c = result_.definition[v];
            if (c < 0 || !result_.total[c]) return v;
            VarId next = -1;
            each_variable(model_.constraints[c], [&](VarId input) {
                if (input != v && partial_[input]) next = input;
            });
            if (next < 0) return v;
            v = next;
        }
    }

    const Model& model_;
    Structure result_;
    std::vector<std::vector<int>> uses_;  // by variable
    std::vector<int> hint_;               // by variable: the constraint that is said to define it, or -1
    std::vector<int> unknown_;            // by constraint: how many of its variables are unknown
    std::vector<int> ready_;              // constraints with one unknown variable
    std::vector<bool> known_;
    std::vector<bool> partial_;  // by variable: it may have no value
    int free_block_ = -1;
};

}  // namespace

Structure analyse(const Model& model) { return Analysis(model).run_checked(); }

Structure dependencies(const Model& model) { return Analysis(model).run(); }

}  // namespace zermelo::model
