#include "quantified/guide/playouts.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::quantified {

namespace {

constexpr std::uint64_t most_values_compared = 256;  // more are chosen from at random
constexpr int most_random_tries = 4096;

}  // namespace

// ---- the board

PlayoutBoard::PlayoutBoard(const model::Model& model, const model::Structure& structure)
    : model_(model), structure_(structure), played_(model.variables.size(), false) {
    const std::size_t blocks = structure.prefix.size();
    exists_bound_.assign(blocks + 1, false);
    forall_bound_.assign(blocks + 1, false);
    for (std::size_t b = blocks; b-- > 0;) {
        const model::Block& block = structure.prefix[b];
        const bool ours = block.quantifier == model::Quantifier::exists;
        exists_bound_[b] = exists_bound_[b + 1] || (ours && block.rule);
        forall_bound_[b] = forall_bound_[b + 1] || (!ours && block.rule);
    }
    for (std::size_t b = 0; b < blocks; ++b) {
        const model::Block& block = structure.prefix[b];
        if (block.variables.empty() && block.rule) empty_rules_.push_back(b);
        block_start_.insert(block_start_.end(), block.variables.size(), order_.size());
        order_.insert(order_.end(), block.variables.begin(), block.variables.end());
    }
    if (model.strategic) {
        network_.emplace(model, structure);
        network_->enter(-1);
        contradiction_ = !network_->propagate();
    } else {
        assignment_.emplace(model, structure);
    }
}

model::VarId PlayoutBoard::next() const {
    if (made_.size() == order_.size()) return -1;
    std::size_t i = block_start_[made_.size()];
    while (played_[order_[i]]) ++i;
    return order_[i];
}

model::Quantifier PlayoutBoard::owner(model::VarId v) const {
    return structure_.prefix[structure_.block_of[v]].quantifier;
}

void PlayoutBoard::make(const strategy::Move& move) {
    made_.push_back({move, {}, {}});
    played_[move.variable] = true;
    if (assignment_) {
        made_.back().assignment = assignment_->mark();
        assignment_->play(move.variable, move.value);
        return;
    }
    made_.back().network = network_->mark();
    network_->enter(structure_.block_of[move.variable]);
    const bool possible = network_->propagate() && network_->box[move.variable].contains(move.value);
    if (possible) network_->box.set(move.variable, move.value);
    contradiction_ = !possible || !network_->propagate();
}

bool PlayoutBoard::refuted() const {
    if (network_) return contradiction_;
    return assignment_->rule(structure_.block_of[made_.back().move.variable]) == strategy::Truth::no;
}

bool PlayoutBoard::play(const strategy::Move& move) {
    make(move);
    if (!refuted()) return true;
    take_back(moves() - 1);
    return false;
}

void PlayoutBoard::take_back(std::size_t moves) {
    if (moves == made_.size()) return;
    if (assignment_) assignment_->undo(made_[moves].assignment);
    if (network_) network_->undo(made_[moves].network);
    contradiction_ = false;  // no move is made after an illegal one
    for (std::size_t i = moves; i < made_.size(); ++i) played_[made_[i].move.variable] = false;
    made_.resize(moves);
}

bool PlayoutBoard::go_to(std::span<const strategy::Move> play) {
    std::size_t common = 0;
    while (common < play.size() && common < made_.size() && made_[common].move == play[common]) ++common;
    take_back(common);
    if (contradiction_) return false;
    for (std::size_t i = common; i < play.size(); ++i) {
        if (!this->play(play[i])) return false;
    }
    return true;
}

std::optional<PlayoutBoard::End> PlayoutBoard::end() const {
    const bool over = made_.size() == order_.size();
    if (network_) return over ? std::optional(End{true, false}) : std::nullopt;
    return quantified_end(over ? structure_.prefix.size()
                               : static_cast<std::size_t>(structure_.block_of[next()]));
}

// Where `block` is due, or the play is over.
std::optional<PlayoutBoard::End> PlayoutBoard::quantified_end(std::size_t block) const {
    for (const std::size_t b : empty_rules_) {
        if (b >= block || assignment_->rule(b) == strategy::Truth::yes) continue;
        return End{structure_.prefix[b].quantifier == model::Quantifier::forall, true};
    }
    for (std::size_t c = 0; c < model_.cuts.size(); ++c) {
        if (assignment_->cut(c) == strategy::Truth::no) return End{true, false};
    }
    const strategy::Truth win = assignment_->win();
    if (win == strategy::Truth::yes && !exists_bound_[block]) return End{true, true};
    if (win == strategy::Truth::no && !forall_bound_[block]) return End{false, true};
    if (block == structure_.prefix.size()) return End{win == strategy::Truth::yes, true};
    return std::nullopt;
}

// ---- the playouts

Playouts::Playouts(const model::Model& model, const model::Structure& structure, const Options& options)
    : structure_(structure), options_(options), random_(options.seed), board_(model, structure) {}

// Two generations: records not used while the young one filled up are dropped with the old one.
Playouts::Record& Playouts::record(const Hash128& position) {
    if (const auto found = young_.find(position); found != young_.end()) return found->second;
    if (young_.size() >= options_.positions / 2) {
        old_ = std::move(young_);
        young_.clear();
    }
    Record known;
    if (const auto found = old_.find(position); found != old_.end()) known = found->second;
    return young_.emplace(position, known).first->second;
}

const Playouts::Record* Playouts::find(const Hash128& position) const {
    if (const auto found = young_.find(position); found != young_.end()) return &found->second;
    const auto found = old_.find(position);
    return found == old_.end() ? nullptr : &found->second;
}

bool Playouts::run(std::span<const strategy::Move> play, model::VarId first, int count,
                   const std::stop_token& stop) {
    chosen_at_.clear();
    const Hash128 start = position_after(play);
    for (int i = 0; i < count && !stop.stop_requested(); ++i) {
        if (const Record* known = find(start); known != nullptr && known->certain != 0) return false;
        if (!board_.go_to(play) || board_.end()) return false;
        playout(start, first, stop);
    }
    return true;
}

void Playouts::playout(const Hash128& position, model::VarId first, const std::stop_token& stop) {
    std::vector<Hash128> path;
    auto won = descend(position, first, path);
    if (!won) won = at_random(stop);
    if (!won) return;
    for (const Hash128& visited : path) {
        Record& known = record(visited);
        ++known.visits;
        known.wins += *won ? 1 : 0;
    }
}

// Selection: by UCB1 down to an unvisited position. Returns who has won if that is decided before.
std::optional<bool> Playouts::descend(Hash128 position, model::VarId first, std::vector<Hash128>& path) {
    model::VarId variable = first >= 0 ? first : board_.next();
    while (true) {
        if (const auto end = board_.end()) {
            if (end->certain) learn(position, end->won);
            return end->won;
        }
        if (structure_.domain[variable].size() > most_values_compared) return std::nullopt;
        chosen_at_.insert_or_assign(position, variable);
        const bool ours = board_.owner(variable) == model::Quantifier::exists;
        const Choice choice = choose(position, variable);
        if (!choice.value || choice.certain) {
            learn(position, choice.certain == ours);
            return choice.certain == ours;
        }
        const Hash128 after = position_after(position, {variable, *choice.value});
        if (!board_.play({variable, *choice.value})) {
            learn(after, !ours);
            continue;
        }
        position = after;
        path.push_back(position);
        if (choice.unvisited) return std::nullopt;
        variable = board_.next();
    }
}

Playouts::Choice Playouts::choose(const Hash128& position, model::VarId variable) {
    const bool ours = board_.owner(variable) == model::Quantifier::exists;
    const int good = ours ? 1 : -1;
    struct Known {
        model::Value value;
        double mean;
        double visits;
    };
    std::vector<Known> visited;
    std::vector<model::Value> unvisited;
    double total = 0;
    Choice choice;
    structure_.domain[variable].each([&](model::Value value) {
        const Record* known = find(position_after(position, {variable, value}));
        if (known == nullptr || (known->certain == 0 && known->visits == 0)) {
            unvisited.push_back(value);
        } else if (known->certain == good) {
            choice = {value, true, false};
        } else if (known->certain == 0) {
            const double visits = known->visits;
            const double wins = ours ? known->wins : visits - known->wins;
            visited.push_back({value, wins / visits, visits});
            total += visits;
        }
    });
    if (choice.certain) return choice;
    if (!unvisited.empty()) return {unvisited[random_.below(unvisited.size())], false, true};
    double best = -1;
    for (const auto& [value, mean, visits] : visited) {
        const double bound = mean + options_.exploration * std::sqrt(std::log(total) / visits);
        if (bound <= best) continue;
        best = bound;
        choice.value = value;
    }
    return choice;
}

// Both players choose at random among the moves that are not known to be illegal; none when it has to stop.
std::optional<bool> Playouts::at_random(const std::stop_token& stop) {
    while (true) {
        if (const auto end = board_.end()) return end->won;
        if (stop.stop_requested()) return std::nullopt;
        const model::VarId variable = board_.next();
        const model::Domain& domain = structure_.domain[variable];
        bool moved = false;
        if (domain.size() > most_values_compared) {
            for (int i = 0; i < most_random_tries && !moved; ++i) {
                const model::Value value = random_.between(domain.low(), domain.high());
                moved = domain.contains(value) && board_.play({variable, value});
            }
            if (!moved) return std::nullopt;
            continue;
        }
        values_ = domain.values();
        for (std::size_t left = values_.size(); left > 0 && !moved; --left) {
            std::swap(values_[random_.below(left)], values_[left - 1]);
            moved = board_.play({variable, values_[left - 1]});
        }
        if (!moved) return board_.owner(variable) == model::Quantifier::forall;
    }
}

Advice Playouts::advice(const Hash128& position, model::VarId variable, std::uint32_t visits_a_value) const {
    Advice result{position, variable, {}};
    if (structure_.domain[variable].size() > most_values_compared) return result;
    std::vector<std::pair<model::Value, Record>> known;
    Record all;
    structure_.domain[variable].each([&](model::Value value) {
        const Record* one = find(position_after(position, {variable, value}));
        if (one == nullptr) return;
        known.emplace_back(value, *one);
        if (one->certain != 0) return;
        all.visits += one->visits;
        all.wins += one->wins;
    });
    const bool ours = board_.owner(variable) == model::Quantifier::exists;
    const double average = all.visits == 0 ? 0.5 : static_cast<double>(all.wins) / all.visits;
    for (const auto& [value, record] : known) {
        if (record.certain == 0 && all.visits < visits_a_value * known.size()) continue;
        const double chance = record.certain != 0 ? (record.certain > 0 ? 2 : -1) : worth(record, average);
        result.estimates.push_back({value, ours ? chance : 1 - chance});
    }
    return result;
}

// Shrunk towards the average of all values, because few playouts say little; and rounded, so that the search
// keeps its own order between values that are about the same.
double Playouts::worth(const Record& record, double average) {
    constexpr double doubt = 4;
    constexpr double steps = 20;
    return std::round(steps * (record.wins + doubt * average) / (record.visits + doubt)) / steps;
}

std::vector<Advice> Playouts::latest_advice(std::uint32_t visits_a_value) const {
    std::vector<Advice> result;
    for (const auto& [position, variable] : chosen_at_)
        result.push_back(advice(position, variable, visits_a_value));
    return result;
}

}  // namespace zermelo::quantified
