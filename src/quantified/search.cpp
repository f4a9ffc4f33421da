#include "quantified/search.hpp"

#include <tuple>
#include <utility>

#include "quantified/guide/guide.hpp"

namespace zermelo::quantified {

namespace {

constexpr int positions_between_looks = 16;

}  // namespace

Search::Search(const kernel::Program& program, const SolveOptions& options, SharedSearchState& crew,
               Part part)
    : program_(program),
      options_(options),
      crew_(crew),
      part_(std::move(part)),
      limits_(options.limits),
      strategic_(program.model.strategic),
      ordering_(part_.ordering ? part_.ordering : std::make_shared<Ordering>(program, options)),
      residues_(program, crew.renamings),
      consistency_(program),
      root_(part_.root != nullptr ? PositionPtr(part_.root->fork())
                                  : std::make_unique<kernel::Position>(program)),
      collect_at_(options.strategy_nodes),
      played_(program.model.variables.size(), false),
      next_progress_(std::chrono::steady_clock::now() + between_progress()) {}

Answer Search::run() {
    Outcome outcome;
    if (!propagate(*root_)) {
        outcome = failed(*root_, strategic_ && program_.blocks() > 0 ? 0 : -1);
    } else {
        outcome = enter(std::move(root_), 0);
    }
    answer_.verdict = outcome.verdict;
    answer_.stop = stop_;
    SearchStatistics& statistics = answer_.statistics;
    statistics.propagations = propagation_.propagate;
    statistics.by_values = consistency_.statistics().by_values;
    statistics.by_search = consistency_.statistics().by_search;
    statistics.nested_nodes = consistency_.statistics().nodes;
    if (options_.strategy && outcome.verdict != Verdict::unknown) {
        const bool won = outcome.verdict == Verdict::won;
        answer_.strategy =
            crew_.extract(outcome.node, won ? model::Quantifier::exists : model::Quantifier::forall);
    }
    return std::move(answer_);
}

// ------------------------------------------------------------------------------------------ blocks and moves

Search::Outcome Search::enter(PositionPtr position, int b) {
    const bool may_defer = std::exchange(may_defer_, false);
    if (stopped()) return {};
    const std::size_t steps_before = steps_.size();
    const std::pair block_before(block_name_, moves_before_block_);
    bool has_read = false;
    const auto done = [&](Outcome outcome) {
        steps_.resize(steps_before);
        std::tie(block_name_, moves_before_block_) = block_before;
        if (has_read) residues_.back();
        return outcome;
    };
    if (!strategic_) {
        if (const auto closed = closed_before_table(*position, b)) return done(*closed);
    }

    kernel::Residue residue;
    const bool first_moves = b == 0 && options_.all_first_moves;
    const bool named = options_.goods && b > 0 && silent_cuts_ == 0;
    // What the table knows is not known at the frontier, where the answers of all parts come together.
    const bool look = named && part_.frontier == nullptr;
    const bool early = options_.success == Success::entailed && !first_moves;
    if (named || early || strategic_) {
        residue = residues_.read(*position, b);
        has_read = true;
    }
    if (named && part_.frontier != nullptr) name_block(residue);
    if (following()) return done(solve_block(std::move(position), b));
    if (look) {
        if (const auto known = look_up(residue)) return done(known->legal ? *known : illegal_move(b - 1));
    }
    if (strategic_ && (b > 0 || program_.blocks() == 0)) {
        const auto holds = consistent(*position, residue);
        if (!holds) return done({});
        if (!*holds) {
            const Outcome outcome = illegal_move(b - 1);
            if (look) store(residue, outcome, 1);
            return done(outcome);
        }
        if (b == program_.blocks()) return done(leaf(true, Reason::success));
    }
    if (early && is_won(*position, b, residue.demands)) {
        return done(won_within(*position, b, Reason::success));
    }

    const bool shared = crew_.members > 1 && look;
    if (shared && may_defer && crew_.busy(residue.key)) {
        ++answer_.statistics.deferred;
        return done({.deferred = true});
    }
    const std::uint64_t nodes_before = answer_.statistics.nodes;
    if (shared) crew_.begin(residue.key);
    const Outcome outcome = solve_block(std::move(position), b);
    if (shared) crew_.end(residue.key);
    if (outcome.verdict != Verdict::unknown) {
        if (options_.guide != nullptr) options_.guide->learn(play_, outcome.verdict == Verdict::won);
        if (look) store(residue, outcome, answer_.statistics.nodes - nodes_before);
    }
    return done(outcome);
}

// What the rules, the cuts and the end of the play decide at once.
std::optional<Search::Outcome> Search::closed_before_table(kernel::Position& position, int b) {
    if (!activate(position, b)) return failed(position, b);
    if (const model::Cut* cut = firing_cut(position, b)) {
        if (options_.check_cuts) return checked_cut(PositionPtr(position.fork()), b, *cut);
        ++answer_.statistics.cuts;
        return won_within(position, b, Reason::cut);
    }
    if (b == program_.blocks()) return leaf(true, Reason::success);
    const model::Block& block = program_.block(b);
    const bool guarded = block.quantifier == model::Quantifier::forall && block.rule;
    if (guarded && position.is_false(*block.rule)) return leaf(true, Reason::rule);
    if (is_lost(position, b)) return leaf(false, Reason::failure);
    return std::nullopt;
}

Search::Outcome Search::solve_block(PositionPtr position, int b) {
    const model::Block& block = program_.block(b);
    const bool ours = block.quantifier == model::Quantifier::exists;
    if (strategic_) {
        reach(*position, b);
        if (!propagate(*position)) return leaf(!ours, ours ? Reason::failure : Reason::rule);
    } else if (!ours && block.rule) {
        demand(*position, *block.rule);
        if (!propagate(*position)) return leaf(true, Reason::rule);
    }
    return inside(std::move(position), b);
}

// ----------------------------------------------------------------------------------------------- the table

std::optional<Search::Outcome> Search::look_up(const kernel::Residue& residue) {
    ++answer_.statistics.lookups;
    const auto entry = crew_.goods.find(residue.key);
    if (!entry) return std::nullopt;
    if (entry->known == Goods::Known::inconsistent) return Outcome{.legal = false};
    const bool won = entry->known == Goods::Known::won;
    ++(won ? answer_.statistics.goods : answer_.statistics.nogoods);
    const strategy::NodeId node =
        options_.strategy ? crew_.renamed(entry->node, entry->image, residue.image) : strategy::decided;
    return leaf(won, won ? Reason::good : Reason::nogood, node);
}

void Search::store(const kernel::Residue& residue, const Outcome& outcome, std::uint64_t nodes_below) {
    ++answer_.statistics.stored;
    Goods::Entry entry;
    entry.key = residue.key;
    entry.image = static_cast<std::uint16_t>(residue.image);
    entry.node = outcome.node;
    entry.known = !outcome.legal                    ? Goods::Known::inconsistent
                  : outcome.verdict == Verdict::won ? Goods::Known::won
                                                    : Goods::Known::lost;
    crew_.goods.store(entry, nodes_below);
    if (crew_.noted.worth_telling(nodes_below)) crew_.noted.note(entry);
}

std::optional<bool> Search::consistent(kernel::Position& position, const kernel::Residue& residue) {
    ++answer_.statistics.consistency;
    if (!residue.acts) {
        ++answer_.statistics.by_propagation;
        return true;
    }
    const auto holds = consistency_.holds(position, limits_, propagation_);
    if (!holds) {
        stop_ = limits_.reached();
    } else if (!*holds) {
        ++answer_.statistics.inconsistent;
    }
    return holds;
}

Search::Outcome Search::inside(PositionPtr position, int b) {
    const model::VarId variable = ordering_->next(*position, b, played_);
    if (variable >= 0 && part_.frontier != nullptr && !following() && !position->fixed(variable)) {
        if (const auto outcome = at_frontier(b)) return *outcome;
    }
    if (variable < 0) {
        const Outcome outcome = enter(std::move(position), b + 1);
        const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
        if (b == 0 && ours && options_.all_first_moves && outcome.verdict == Verdict::won) {
            std::vector<model::Value> values;
            for (const model::VarId v : program_.block(0).variables) {
                values.push_back(std::find_if(play_.begin(), play_.end(), [&](const strategy::Move& move) {
                                     return move.variable == v;
                                 })->value);
            }
            answer_.first_moves.push_back(std::move(values));
        }
        return outcome;
    }
    played_[variable] = true;
    ++depth_;
    answer_.statistics.depth = std::max<std::uint64_t>(answer_.statistics.depth, depth_);
    ++answer_.statistics.nodes;
    if (options_.observer) options_.observer->open(variable);
    if (options_.guide != nullptr) options_.guide->now_at(play_);
    const Outcome outcome = branch(std::move(position), b, variable);
    if (options_.observer) options_.observer->close(outcome.verdict == Verdict::won);
    --depth_;
    played_[variable] = false;
    return outcome;
}

Search::Outcome Search::after_move(PositionPtr position, int b) {
    if (!propagate(*position)) return failed(*position, b);
    return inside(std::move(position), b);
}

// The branches below one variable: hands out a position for each value, from copies or by recomputation.
struct Search::Branching {
    Search& search;
    PositionPtr position;  // until the first value takes it, when it is not a checkpoint
    bool checkpoint;
    std::vector<strategy::Edge> edges;
    strategy::NodeId found =
        strategy::decided;  // a node for the winner, while further first moves are looked for

    Branching(Search& s, PositionPtr p) : search(s), position(std::move(p)) {
        const auto& kept = search.checkpoints_;
        checkpoint = kept.empty() ||
                     search.depth_ - kept.back().depth >= static_cast<std::size_t>(search.options_.recompute);
        if (checkpoint)
            search.checkpoints_.push_back({std::move(position), search.steps_.size(), search.depth_});
        search.branchings_.push_back(this);
    }
    ~Branching() {
        search.branchings_.pop_back();
        if (checkpoint) search.checkpoints_.pop_back();
    }
    Branching(const Branching&) = delete;
    Branching& operator=(const Branching&) = delete;

    // A fresh position here; the last one may use up what is kept, unless those below will come back for it.
    PositionPtr take(bool last) {
        if (position) return std::move(position);
        Checkpoint& from = search.checkpoints_.back();
        if (last && search.options_.recompute == 1) return std::move(from.position);
        ++search.answer_.statistics.copies;
        PositionPtr fresh(from.position->fork());
        for (std::size_t i = from.steps; i < search.steps_.size(); ++i)
            search.apply(*fresh, search.steps_[i]);
        return fresh;
    }
};

// Symmetric positions have different names: what is said about the moves behind them would not fit both.
void Search::name_block(const kernel::Residue& residue) {
    Hasher hasher;
    for (const std::uint64_t word : {residue.key.low, residue.key.high, std::uint64_t{residue.image}})
        hasher.add(word);
    block_name_ = hasher.value();
    moves_before_block_ = play_.size();
}

std::optional<Search::Outcome> Search::at_frontier(int b) {
    Frontier& frontier = *part_.frontier;
    // Whoever wants all first moves wants to know about each of them, not about a part of one.
    if (b == 0 && options_.all_first_moves) return std::nullopt;
    Line since_block;
    for (std::size_t i = moves_before_block_; i < play_.size(); ++i) {
        if (chosen_[i]) since_block.push_back(play_[i].value);
    }
    // As long as nobody had a choice, this is the position that the question is about.
    const bool somewhere = std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end();
    const bool in_first = !somewhere || moves_before_block_ == 0;
    const Hash128 name = Frontier::name_of(in_first ? frontier.question : block_name_, since_block);
    if (const auto known = frontier.known.find(name); known != frontier.known.end()) {
        const bool won = known->second.known == Goods::Known::won;
        return leaf(won, won ? Reason::good : Reason::nogood, known->second.node);
    }
    // Only forced moves since the beginning do not divide anything, unless a first move is to be told apart.
    const bool divided = !branchings_.empty() || (options_.all_first_moves && part_.from.empty());
    if (frontier.one_move ? !divided : frontier.inner.contains(name)) return std::nullopt;
    Line line;
    for (std::size_t i = part_.from.size(); i < play_.size(); ++i) line.push_back(play_[i].value);
    frontier.open.push_back({std::move(line), name});
    return Outcome{.open = true};
}

Search::Outcome Search::follow(PositionPtr position, int b, model::VarId variable) {
    const model::Value value = part_.from[play_.size()];
    Outcome outcome;
    if (position->fixed(variable)) {
        pass(variable, value);
        outcome = inside(std::move(position), b);
    } else {
        play(*position, variable, value);
        outcome = after_move(std::move(position), b);
    }
    take_back();
    return outcome;
}

Search::Outcome Search::branch(PositionPtr position, int b, model::VarId variable) {
    if (following()) return follow(std::move(position), b, variable);
    if (position->fixed(variable)) return forced(std::move(position), b, variable);

    const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
    const bool collect_all = ours && b == 0 && options_.all_first_moves;
    // A universal value is pure when it satisfies every constraint that its variable takes part in, whatever
    // the others do (Nightingale's pure values): ∀ gains nothing by it as long as there is another value.
    const bool pure_values = !ours && options_.pure_values && !program_.block(b).rule && !strategic_;
    // Values that propagation has removed: illegal for ∀ with a rule, lost for ∃.
    std::vector<model::Value> values = ordering_->values(variable);
    if (options_.guide != nullptr) consult(*options_.guide, play_, variable, values);
    std::vector<bool> removed;
    for (const model::Value v : values) removed.push_back(!position->allows(variable, v));
    auto left = std::count(removed.begin(), removed.end(), false);

    Branching branching(*this, std::move(position));
    if (part_.frontier != nullptr && branchings_.size() == 1) part_.frontier->ours = ours;
    Verdict found = Verdict::unknown;
    bool some_open = false;
    std::vector<model::Value> pure;
    std::vector<model::Value> hopeless;
    // Values that are put off come once more behind the others.
    const std::size_t first_round = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const model::Value value = values[i];
        if (i < first_round && removed[i]) {
            if (ours) {
                hopeless.push_back(value);
            } else {
                illegal(value);
            }
            continue;
        }
        const bool last = --left == 0;
        if (options_.observer) options_.observer->branch(value);
        PositionPtr child = branching.take(last);
        const kernel::Position* parent =
            pure_values && branching.checkpoint ? checkpoints_.back().position.get() : nullptr;
        play(*child, variable, value);
        may_defer_ = i < first_round && !last;
        Outcome outcome;
        if (parent != nullptr && !(last && branching.edges.empty())) {
            if (!propagate(*child)) {
                outcome = failed(*child, b);
            } else if (residues_.satisfied_by(variable, *parent, *child)) {
                ++answer_.statistics.pure;
                leaf(true, Reason::pure);
                pure.push_back(value);
                take_back();
                continue;
            } else {
                outcome = inside(std::move(child), b);
            }
        } else {
            outcome = after_move(std::move(child), b);
        }
        may_defer_ = false;
        take_back();
        if (outcome.deferred) {
            values.push_back(value);
            ++left;
            continue;
        }
        if (outcome.open) {
            some_open = true;
            continue;
        }
        if (outcome.verdict == Verdict::unknown) return {};
        const bool closes = outcome.verdict == (ours ? Verdict::won : Verdict::lost);
        if (closes) {
            ordering_->reward(variable, value);
            if (!collect_all)
                return {outcome.verdict, node(variable, {strategy::Edge{{value}, outcome.node}})};
            if (found == Verdict::unknown) {
                found = outcome.verdict;
                branching.found = node(variable, {strategy::Edge{{value}, outcome.node}});
            }
        } else if (!outcome.legal) {
            if (ours) hopeless.push_back(value);
        } else if (options_.strategy) {
            branching.edges.push_back({{value}, outcome.node});
        }
    }
    if (some_open) {
        if (found != Verdict::unknown) part_.frontier->enough = true;
        return {.open = true};
    }
    if (found != Verdict::unknown) return {found, branching.found};
    if (options_.strategy) {
        if (!hopeless.empty()) branching.edges.push_back({hopeless, strategy::decided});
        // What answers another value answers a pure one too.
        if (!pure.empty())
            branching.edges.front().values.insert(branching.edges.front().values.end(), pure.begin(),
                                                  pure.end());
    }
    return {ours ? Verdict::lost : Verdict::won, node(variable, branching.edges)};
}

// One value is left: no copy, no propagation.
Search::Outcome Search::forced(PositionPtr position, int b, model::VarId variable) {
    const model::Value value = position->value(variable);
    const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
    Outcome outcome;
    const auto go_on = [&] {
        if (options_.observer) options_.observer->branch(value);
        pass(variable, value);
        outcome = inside(std::move(position), b);
        take_back();
    };
    if (ours) {
        go_on();
    } else {
        for (const model::Value v : ordering_->values(variable)) {
            if (v != value) {
                illegal(v);
                continue;
            }
            go_on();
            if (outcome.verdict != Verdict::won) break;
        }
    }
    if (outcome.verdict == Verdict::unknown) return {.deferred = outcome.deferred, .open = outcome.open};
    if (!outcome.legal && !ours) return {Verdict::won, strategy::decided};
    std::vector<strategy::Edge> edges{{{value}, outcome.node}};
    if (ours && outcome.verdict == Verdict::lost && options_.strategy) {
        std::vector<model::Value> others = ordering_->values(variable);
        std::erase(others, value);
        if (!others.empty()) edges.push_back({std::move(others), strategy::decided});
    }
    return {outcome.verdict, node(variable, std::move(edges))};
}

void Search::illegal(model::Value value) {
    if (options_.observer) options_.observer->branch(value);
    leaf(true, Reason::rule);
    ++answer_.statistics.illegal;
}

// --------------------------------------------------------------------------------------- closing positions

// Demands what follows from reaching block b: right after a ∀ block with a rule (or at the start), the rules
// of the ∃ blocks up to the next such block, and the winning condition when there is none.
bool Search::activate(kernel::Position& position, int b) {
    const auto guarded = [&](int c) { return c >= 0 && program_.guard[c] == c; };
    if (b != 0 && !guarded(b - 1)) return true;
    const int end = program_.guard[b];
    bool demanded = false;
    const auto insist = [&](model::Literal literal) {
        if (position.is_true(literal)) return;
        demand(position, literal);
        demanded = true;
    };
    for (int c = b; c < end; ++c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier == model::Quantifier::exists && block.rule) insist(*block.rule);
    }
    if (end == program_.blocks()) {
        for (const model::Literal literal : program_.model.win) insist(literal);
    }
    return !demanded || propagate(position);
}

// Won whatever follows: walking ahead, a ∀ player without a legal move loses; up to there no ∃ rule may fail,
// and at the end the winning condition must hold.
bool Search::is_won(const kernel::Position& position, int b, bool demands) const {
    if (demands) return false;
    const auto condition_holds = [&] {
        return std::all_of(program_.model.win.begin(), program_.model.win.end(),
                           [&](model::Literal l) { return position.is_true(l); });
    };
    if (strategic_) return condition_holds();
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (position.is_false(*block.rule)) return true;
        } else if (!position.is_true(*block.rule)) {
            return false;
        }
    }
    return end == program_.blocks() || condition_holds();
}

// Lost whatever follows, although it is not demanded yet: every ∀ rule on the way is certainly obeyed.
bool Search::is_lost(const kernel::Position& position, int b) const {
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (!position.is_true(*block.rule)) return false;
        } else if (position.is_false(*block.rule)) {
            return true;
        }
    }
    return end < program_.blocks() && std::any_of(program_.model.win.begin(), program_.model.win.end(),
                                                  [&](model::Literal l) { return position.is_false(l); });
}

// A cut speaks about a move, and about the play up to it. Propagation may decide its literals much earlier,
// and it may do so because the winning condition demands it rather than because the moves entail it. Theorem
// 1 of the seed holds only for a cut that the moves entail, when its move is due; so this is when it fires.
const model::Cut* Search::firing_cut(const kernel::Position& position, int b) const {
    if (!options_.cuts || silent_cuts_ > 0) return nullptr;
    for (std::size_t i = 0; i < program_.model.cuts.size(); ++i) {
        const model::Cut& cut = program_.model.cuts[i];
        if (program_.cut_level[i] <= b && position.is_false(cut.claim) &&
            std::all_of(cut.when.begin(), cut.when.end(),
                        [&](model::Literal l) { return position.is_true(l); }) &&
            !residues_.demands(position, program_.cut_cone[i])) {
            return &cut;
        }
    }
    return nullptr;
}

// Solves below a cut that fired, with all cuts silent, and remembers it when its claim was wrong.
Search::Outcome Search::checked_cut(PositionPtr position, int b, const model::Cut& cut) {
    ++answer_.statistics.cuts;
    ++silent_cuts_;
    const Outcome outcome = enter(std::move(position), b);
    --silent_cuts_;
    if (outcome.verdict == Verdict::lost) {
        BrokenCut broken{cut.place, {}};
        for (const strategy::Move& move : play_) broken.play.emplace_back(move.variable, move.value);
        answer_.broken_cuts.push_back(std::move(broken));
    }
    return outcome;
}

Search::Outcome Search::leaf(bool won, Reason reason, strategy::NodeId node) {
    ++answer_.statistics.nodes;
    if (reason == Reason::failure) ++answer_.statistics.failures;
    if (reason == Reason::success) ++answer_.statistics.successes;
    if (options_.observer) options_.observer->leaf(won, reason);
    return {won ? Verdict::won : Verdict::lost, node};
}

// Whoever plays block b has made a move of a strategic model that is not consistent.
Search::Outcome Search::illegal_move(int b) {
    const bool ours = b < 0 || program_.block(b).quantifier == model::Quantifier::exists;
    if (!ours) ++answer_.statistics.illegal;
    Outcome outcome = leaf(!ours, ours ? Reason::failure : Reason::rule);
    outcome.legal = false;
    return outcome;
}

// Propagation failed in block b. While a ∀ block with a rule is being played, nothing but its rule can fail:
// the move was illegal, and ∃ wins. Otherwise ∃ has lost, perhaps because a value of a later ∀ variable
// refutes it.
Search::Outcome Search::failed(const kernel::Position& position, int b) {
    if (strategic_) return illegal_move(b);
    const bool in_rule = b >= 0 && b < program_.blocks() && program_.guard[b] == b &&
                         std::any_of(program_.block(b).variables.begin(), program_.block(b).variables.end(),
                                     [&](model::VarId v) { return played_[v]; });
    if (in_rule) {
        ++answer_.statistics.illegal;
        return leaf(true, Reason::rule);
    }
    const kernel::Refutation& refutation = position.refutation();
    if (refutation.variable < 0) return leaf(false, Reason::failure);
    return leaf(false, Reason::failure,
                node(refutation.variable, {strategy::Edge{{refutation.value}, strategy::decided}}));
}

// Won with every choice inside the current domains: where these are smaller than declared, ∃ must stay
// inside.
Search::Outcome Search::won_within(const kernel::Position& position, int b, Reason reason) {
    strategy::NodeId rest = strategy::decided;
    for (int c = program_.blocks() - 1; c >= b && options_.strategy; --c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier != model::Quantifier::exists) continue;
        for (auto v = block.variables.rbegin(); v != block.variables.rend(); ++v) {
            if (position.size(*v) < program_.domain(*v).size()) {
                rest = node(*v, {strategy::Edge{{position.bounds(*v).low}, rest}});
            }
        }
    }
    return leaf(true, reason, rest);
}

strategy::NodeId Search::node(model::VarId variable, std::vector<strategy::Edge> edges) {
    if (!options_.strategy || edges.empty()) return strategy::decided;
    return crew_.node(variable, std::move(edges));
}

// ------------------------------------------------------------------------------------------ housekeeping

bool Search::propagate(kernel::Position& position) { return position.propagate(propagation_); }

void Search::play(kernel::Position& position, model::VarId variable, model::Value value) {
    pass(variable, value);
    chosen_.back() = true;
    position.play(variable, value);
}

void Search::pass(model::VarId variable, model::Value value) {
    steps_.push_back({variable, value, false});
    play_.push_back({variable, value});
    chosen_.push_back(false);
}

void Search::take_back() {
    steps_.pop_back();
    play_.pop_back();
    chosen_.pop_back();
}

// What waits for block b acts from now on.
void Search::reach(kernel::Position& position, int b) {
    steps_.push_back({-1, b, true});
    position.reach(b);
    for (const model::Literal literal : program_.demanded_at[static_cast<std::size_t>(b)])
        demand(position, literal);
}

void Search::demand(kernel::Position& position, model::Literal literal) {
    steps_.push_back({literal.variable, literal.positive ? 1 : 0, true});
    position.demand(literal);
}

void Search::apply(kernel::Position& position, const Step& step) {
    if (step.variable < 0) {
        position.reach(static_cast<int>(step.value));
    } else if (step.demand) {
        position.demand({step.variable, step.value != 0});
    } else {
        position.play(step.variable, step.value);
    }
}

bool Search::stopped() {
    if (stop_ == Stop::none) stop_ = limits_.reached();
    if (stop_ != Stop::none || crew_.done.load(std::memory_order_relaxed)) return true;
    crew_.meeting.check_in();
    if (++since_look_ >= positions_between_looks) {
        since_look_ = 0;
        if (options_.strategy && crew_.nodes() > collect_at_) throw_away_unused_nodes();
    }
    if (options_.progress && std::chrono::steady_clock::now() >= next_progress_) {
        answer_.statistics.propagations = propagation_.propagate;
        options_.progress(answer_.statistics);
        next_progress_ = std::chrono::steady_clock::now() + between_progress();
    }
    return false;
}

// Branches that were won or lost for nothing leave nodes behind; what is needed hangs on the stack or in the
// table.
void Search::throw_away_unused_nodes() {
    crew_.meeting.alone([&] {
        if (crew_.nodes() <= collect_at_) return;  // another member has just done it
        std::vector<strategy::NodeId*> roots;
        for (Search* member : others_) member->name_nodes_in_use(roots);
        crew_.collect(std::move(roots));
        ++answer_.statistics.collections;
    });
    collect_at_ = std::max(options_.strategy_nodes, 2 * crew_.nodes());
}

void Search::name_nodes_in_use(std::vector<strategy::NodeId*>& roots) {
    for (Branching* branching : branchings_) {
        for (strategy::Edge& edge : branching->edges) roots.push_back(&edge.to);
        roots.push_back(&branching->found);
    }
}

}  // namespace zermelo::quantified
