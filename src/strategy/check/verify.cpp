#include "strategy/check/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/deep_stack.hpp"
#include "strategy/check/checking.hpp"
#include "strategy/check/wellformed.hpp"
#include "strategy/rules/partial_assignment.hpp"

namespace zermelo::strategy {

namespace {

class Checker {
public:
    Checker(const model::Model& model, const model::Structure& structure, const Strategy& strategy,
            const VerifyOptions& options)
        : model_(model),
          structure_(structure),
          strategy_(strategy),
          options_(options),
          assignment_(model, structure),
          won_(strategy, options.remembered),
          monitor_(options) {
        find_gates();
    }

    Verification run() {
        const bool valid = walk(strategy_.root, -1) == Answer::won;
        return monitor_.report(valid, std::move(counterexample_));
    }

private:
    // illegal: the owner broke the rule of block illegal_block_
    enum class Answer { won, lost, illegal, stopped };
    struct Gate {  // a rule or a cut: where it is false, the play is over and `player` has lost
        model::Quantifier player;
        std::size_t block;
        std::optional<std::size_t> cut;
    };
    enum class Verdict { won, lost, open };
    struct Outcome {
        Verdict verdict;
        const Gate* gate = nullptr;  // where; none for the end of the play
    };

    // In the order in which they are passed: a block's rule, then the cuts whose last variable is in the
    // block.
    void find_gates() {
        const auto level = [&](model::Literal l) {
            return structure_.level[static_cast<std::size_t>(l.variable)];
        };
        std::vector<std::vector<std::size_t>> cuts(structure_.prefix.size());
        for (std::size_t c = 0; options_.apply_cuts && c < model_.cuts.size(); ++c) {
            int last = level(model_.cuts[c].claim);
            for (const model::Literal literal : model_.cuts[c].when) last = std::max(last, level(literal));
            if (last < 0) {
                gates_.push_back({model::Quantifier::forall, 0, c});
            } else {
                cuts[static_cast<std::size_t>(last)].push_back(c);
            }
        }
        for (std::size_t b = 0; b < structure_.prefix.size(); ++b) {
            const model::Block& block = structure_.prefix[b];
            if (block.rule) gates_.push_back({block.quantifier, b, std::nullopt});
            for (const std::size_t cut : cuts[b]) gates_.push_back({model::Quantifier::forall, b, cut});
        }
    }

    [[nodiscard]] Truth passed(const Gate& gate) const {
        if (!gate.cut) return assignment_.rule(gate.block);
        const Truth kept = assignment_.cut(*gate.cut);
        // A cut about a value that does not exist never acts.
        return kept == Truth::unknown && next_open(gate.block + 1) < 0 ? Truth::yes : kept;
    }

    [[nodiscard]] bool owns(std::size_t block) const {
        return structure_.prefix[block].quantifier == strategy_.owner;
    }
    [[nodiscard]] std::size_t block_of(model::VarId v) const {
        return static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(v)]);
    }

    // A value that the strategy does not answer must break a rule of its block or before: the play ends
    // there.
    [[nodiscard]] std::size_t horizon() const {
        return unanswered_ ? block_of(unanswered_->variable) + 1 : structure_.prefix.size();
    }
    [[nodiscard]] Truth won_at_horizon() const {
        if (unanswered_) return Truth::no;
        const Truth win = assignment_.win();
        if (win == Truth::unknown) return win;
        return (win == Truth::yes) == (strategy_.owner == model::Quantifier::exists) ? Truth::yes : Truth::no;
    }

    // Who wins, whatever follows? `lost` is said only when all gates before the loss are known to be passed.
    [[nodiscard]] Outcome outcome() const {
        bool sure = true;
        bool can_lose = false;
        for (const Gate& gate : gates_) {
            if (gate.block >= horizon()) break;
            const Truth pass = passed(gate);
            if (pass == Truth::yes) continue;
            const bool against_us = gate.player == strategy_.owner;
            if (pass == Truth::no && against_us) return {sure ? Verdict::lost : Verdict::open, &gate};
            if (pass == Truth::no) return {can_lose ? Verdict::open : Verdict::won, &gate};
            can_lose |= against_us;
            sure = false;
        }
        const Truth won = won_at_horizon();
        if (won == Truth::no && sure) return {Verdict::lost};
        if (won == Truth::yes && !can_lose) return {Verdict::won};
        return {Verdict::open};
    }

    Answer walk(NodeId id, int latest) {
        if (monitor_.stopped()) return Answer::stopped;
        const Outcome now = outcome();
        if (now.verdict == Verdict::lost) return lose(now.gate);
        if (now.verdict == Verdict::won && (id == decided || over(now, id))) return Answer::won;

        const bool cacheable = won_.worth_caching(id);
        const Hash128 key = cacheable ? key_of(id, latest) : Hash128{};
        if (cacheable && won_.contains(key)) return Answer::won;
        const Answer answer = id == decided ? claim() : walk_node(id, latest);
        if (cacheable && answer == Answer::won) won_.insert(key);
        return answer;
    }

    // Has the opponent lost before the node's block is complete? Otherwise the node has to answer every legal
    // value, even when nothing can go wrong any more.
    [[nodiscard]] bool over(const Outcome& won, NodeId id) const {
        const model::VarId variable = strategy_.nodes[static_cast<std::size_t>(id)].variable;
        return won.gate != nullptr && won.gate->block <= block_of(variable);
    }

    Answer walk_node(NodeId id, int latest) {
        const StrategyNode& node = strategy_.nodes[static_cast<std::size_t>(id)];
        const std::string& name = model_.name_of(node.variable);
        if (assignment_.played(node.variable))
            return refute(fmt::format("the strategy comes to {} twice", name));
        const int block = structure_.block_of[static_cast<std::size_t>(node.variable)];
        const bool own = owns(static_cast<std::size_t>(block));
        if (own && block < latest) {
            return refute(
                fmt::format("the choice of {} depends on a later move of {}", name,
                            symbol(structure_.prefix[static_cast<std::size_t>(latest)].quantifier)));
        }
        std::size_t answered = 0;
        for (const Edge& edge : node.edges) {
            answered += edge.values.size();
            for (const model::Value value : edge.values) {
                const Answer answer = after({node.variable, value}, [&] {
                    return walk(edge.to, own ? latest : std::max(latest, block));
                });
                if (answer != Answer::won) return answer;
            }
        }
        if (own || answered == model_.domain(node.variable).size()) return Answer::won;
        return check_absent_values(node);
    }

    // The opponent's values that a node leaves out must break a rule up to the node's block.
    Answer check_absent_values(const StrategyNode& node) {
        std::vector<model::Value> answered;
        for (const Edge& edge : node.edges)
            answered.insert(answered.end(), edge.values.begin(), edge.values.end());
        std::sort(answered.begin(), answered.end());
        return each_value(node.variable, [&](model::Value value) {
            if (std::binary_search(answered.begin(), answered.end(), value)) return Answer::won;
            unanswered_ = Move{node.variable, value};
            const Answer answer = after(*unanswered_, [&] { return claim(); });
            unanswered_.reset();
            return answer;
        });
    }

    Answer claim() {
        const Answer answer = settle();
        return answer == Answer::illegal ? refute(broken_rule(illegal_block_)) : answer;
    }

    // Is every play from here won, as long as the owner keeps the rules?
    Answer settle() {
        if (monitor_.stopped()) return Answer::stopped;
        const Outcome now = outcome();
        if (now.verdict == Verdict::won) return Answer::won;
        if (now.verdict == Verdict::lost) {
            if (now.gate == nullptr || now.gate->cut) return lose(now.gate);
            illegal_block_ = now.gate->block;
            return Answer::illegal;
        }
        // Rules are functions of the moves up to their block: there is an open variable while something is
        // open.
        const model::VarId variable = next_open(horizon());
        if (variable < 0) throw std::logic_error("a complete play is still undecided");
        const std::size_t block = block_of(variable);
        bool legal = false;
        const Answer answer = each_value(variable, [&](model::Value value) {
            return after({variable, value}, [&] {
                const Answer next = settle();
                if (next == Answer::illegal) {
                    if (owns(block) && illegal_block_ == block)
                        return Answer::won;  // a choice that is not open to it
                    return refute(broken_rule(illegal_block_));
                }
                legal |= next == Answer::won;
                return next;
            });
        });
        if (answer == Answer::won && !legal) {
            illegal_block_ = block;
            return Answer::illegal;
        }
        return answer;
    }

    [[nodiscard]] model::VarId next_open(std::size_t blocks) const {
        for (std::size_t b = 0; b < blocks; ++b) {
            for (const model::VarId v : structure_.prefix[b].variables) {
                if (!assignment_.played(v)) return v;
            }
        }
        return -1;
    }

    template <class Visit>
    Answer each_value(model::VarId variable, Visit visit) {
        for (const model::Domain::Range& range : model_.domain(variable).ranges()) {
            for (model::Value value = range.low; value <= range.high; ++value) {
                const Answer answer = visit(value);
                if (answer != Answer::won) return answer;
            }
        }
        return Answer::won;
    }

    template <class Then>
    Answer after(Move move, Then then) {
        const PartialAssignment::Mark mark = assignment_.mark();
        assignment_.play(move.variable, move.value);
        const Answer answer = then();
        assignment_.undo(mark);
        return answer;
    }

    [[nodiscard]] Hash128 key_of(NodeId id, int latest) const {
        const Hash128 residue = assignment_.residue();
        Hasher hasher;
        hasher.add(residue.low);
        hasher.add(residue.high);
        hasher.add(static_cast<std::uint64_t>(id));
        hasher.add(static_cast<std::uint64_t>(latest) + 1);
        return hasher.value();
    }

    // ---- refutations

    Answer refute(std::string reason) {
        counterexample_ = Counterexample{{}, std::move(reason)};
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId v : block.variables) {
                if (assignment_.played(v)) counterexample_->play.push_back({v, assignment_[v].low});
            }
        }
        return Answer::lost;
    }

    // The owner lost at a gate, or at the horizon.
    Answer lose(const Gate* gate) {
        if (gate != nullptr && gate->cut) return refute("a cut says that ∃ has won");
        if (gate != nullptr) return refute(broken_rule(gate->block));
        if (unanswered_) {
            return refute(fmt::format("{} = {} is legal, but the strategy has no answer to it",
                                      model_.name_of(unanswered_->variable), unanswered_->value));
        }
        if (strategy_.owner == model::Quantifier::forall)
            return refute("the winning condition holds, so ∃ wins");
        const std::string demand = assignment_.broken_demand();
        return refute("the winning condition fails" + (demand.empty() ? "" : ": " + demand));
    }

    [[nodiscard]] std::string broken_rule(std::size_t block) const {
        std::string names;
        bool complete = true;
        for (const model::VarId v : structure_.prefix[block].variables) {
            names += (names.empty() ? "" : ", ") + model_.name_of(v);
            complete = complete && assignment_.played(v);
        }
        const char* player = symbol(strategy_.owner);
        return complete ? fmt::format("{} breaks the rule for {}", player, names)
                        : fmt::format("{} has no legal value for {}", player, names);
    }

    const model::Model& model_;
    const model::Structure& structure_;
    const Strategy& strategy_;
    const VerifyOptions& options_;
    PartialAssignment assignment_;
    std::vector<Gate> gates_;
    WonPositions won_;
    LimitMonitor monitor_;
    std::size_t illegal_block_ = 0;
    std::optional<Move> unanswered_;
    std::optional<Counterexample> counterexample_;
};

}  // namespace

std::string Counterexample::text(const model::Model& model) const {
    std::string moves;
    for (const auto& [variable, value] : play) {
        moves += fmt::format("{}{} = {}", moves.empty() ? "" : ", ", model.name_of(variable),
                             model.value_text(variable, value));
    }
    return moves.empty() ? reason : moves + ": " + reason;
}

Verification verify(const model::Model& model, const Strategy& strategy, const VerifyOptions& options) {
    const model::Structure structure = analyse(model);
    if (auto problem = malformed(model, structure, strategy)) {
        Verification result;
        result.counterexample = Counterexample{{}, std::move(*problem)};
        return result;
    }
    Verification result;
    with_deep_stack(model.variables.size(), [&] {
        result = model.strategic ? verify_strategic(model, structure, strategy, options)
                                 : Checker(model, structure, strategy, options).run();
    });
    result.scenarios = scenarios(strategy);
    return result;
}

std::string scenarios(const Strategy& strategy) {
    __extension__ using Exact = unsigned __int128;
    std::vector<Exact> exact(strategy.nodes.size(), 0);
    std::vector<long double> about(strategy.nodes.size(), 0);  // takes over where 128 bits end
    exact[decided] = 1;
    about[decided] = 1;
    for (std::size_t id = 1; id < strategy.nodes.size(); ++id) {
        for (const Edge& edge : strategy.nodes[id].edges) {
            exact[id] += edge.values.size() * exact[static_cast<std::size_t>(edge.to)];
            about[id] +=
                static_cast<long double>(edge.values.size()) * about[static_cast<std::size_t>(edge.to)];
        }
    }
    const auto root = static_cast<std::size_t>(strategy.root);
    if (about[root] > 3e38L) return fmt::format("{:.3e}", about[root]);
    std::string digits;
    for (Exact rest = exact[root]; rest > 0; rest /= 10)
        digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace zermelo::strategy
