#include "strategy/rules/network.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace zermelo::strategy {

void Worklist::add(int number) {
    const auto word = static_cast<std::size_t>(number) / 64;
    words_[word] |= std::uint64_t{1} << (number % 64);
    first_ = std::min(first_, word);
}

int Worklist::take() {
    while (first_ < words_.size() && words_[first_] == 0) ++first_;
    if (first_ == words_.size()) return -1;
    const int bit = std::countr_zero(words_[first_]);
    words_[first_] &= words_[first_] - 1;
    return static_cast<int>(first_ * 64) + bit;
}

void Worklist::clear() {
    for (; first_ < words_.size(); ++first_) words_[first_] = 0;
}

Network::Network(const model::Model& model, const model::Structure& structure)
    : box(structure.domain), due_(model.constraints.size() + model.win.size()) {
    add_steps(model, structure);
    find_levels(model.variables.size());
    status_.assign(steps_.size(), Status::idle);
    acting_from_.resize(structure.prefix.size() + 1);
    readers_.resize(model.variables.size());
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        const Reader reader{steps_[s].level, static_cast<int>(s)};
        if (reader.level != never) acting_from_[reader.level + 1].push_back(reader.step);
        each_variable_of(steps_[s], [&](model::VarId v) {
            if (readers_[v].empty() || readers_[v].back().step != reader.step) readers_[v].push_back(reader);
        });
    }
    for (auto& readers : readers_) {
        std::stable_sort(readers.begin(), readers.end(),
                         [](const Reader& a, const Reader& b) { return a.level < b.level; });
    }
}

void Network::add_steps(const model::Model& model, const model::Structure& structure) {
    for (const int c : structure.definitions)
        steps_.push_back({.constraint = &model.constraints[c], .output = structure.output[c]});
    for (const int c : structure.winning)
        steps_.push_back({.constraint = &model.constraints[c], .level = structure.due[c]});
    for (const model::Literal literal : model.win)
        steps_.push_back({.literal = literal, .level = structure.level[literal.variable]});
}

// A definition acts with the first demand that reads its output. Inputs are defined before outputs, so on
// the way back every level is known before it is handed on.
void Network::find_levels(std::size_t variables) {
    std::vector<int> first_read(variables, never);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
        if (step->output >= 0) step->level = first_read[step->output];
        each_variable_of(*step,
                         [&](model::VarId v) { first_read[v] = std::min(first_read[v], step->level); });
    }
}

Truth Network::truth_of(const Step& demand) const {
    return demand.constraint != nullptr ? truth(*demand.constraint, box.known())
                                        : truth(demand.literal, box.known());
}

void Network::undo(const Mark& mark) {
    for (; statuses_.size() > mark.statuses; statuses_.pop_back()) {
        const auto [step, before] = statuses_.back();
        open_ += (before == Status::open ? 1 : 0) - (status_[step] == Status::open ? 1 : 0);
        status_[step] = before;
    }
    box.undo(mark.changes);
    scheduled_ = box.changes();
    level_ = mark.level;
}

void Network::enter(int level) {
    while (level_ < level) {
        ++level_;
        for (const int step : acting_from_[level_ + 1]) due_.add(step);
    }
}

bool Network::propagate() {
    schedule_readers(-1);
    for (int step = due_.take(); step >= 0; step = due_.take()) {
        if (status_[step] == Status::settled) continue;
        if (!revise(step)) {
            due_.clear();
            scheduled_ = box.changes();
            return false;
        }
    }
    return true;
}

void Network::schedule_readers(int except) {
    for (; scheduled_ < box.changes(); ++scheduled_) {
        for (const auto& [level, step] : readers_[box.changed(scheduled_)]) {
            if (level > level_) break;
            if (step != except) due_.add(step);
        }
    }
}

bool Network::revise(int step) {
    const Step& s = steps_[step];
    if (s.output >= 0) return revise_definition(step);
    const Truth now = truth_of(s);
    set(step, now == Truth::yes ? Status::settled : Status::open);
    if (now != Truth::unknown) return now == Truth::yes;
    const bool possible = s.constraint != nullptr ? narrow(*s.constraint, box) : fix(s.literal, box);
    schedule_readers(-1);
    return possible;
}

// Forwards, the output is what its inputs give. Backwards there is something to learn only where others have
// narrowed the output further.
bool Network::revise_definition(int step) {
    const Step& s = steps_[step];
    const auto [values, exists] = compute(*s.constraint, s.output, box.known());
    if (exists == Truth::no) throw std::logic_error("a definition of a strategic model is not total");
    if (!box.keep(s.output, values)) return false;
    schedule_readers(step);
    const bool promised = values.inside(box[s.output]);
    set(step, !promised ? Status::open : values.single() ? Status::settled : Status::idle);
    if (promised) return true;
    const bool possible = narrow(*s.constraint, box);
    schedule_readers(-1);
    return possible;
}

void Network::set(int step, Status status) {
    Status& now = status_[step];
    if (now == status) return;
    statuses_.push_back({step, now});
    open_ += (status == Status::open ? 1 : 0) - (now == Status::open ? 1 : 0);
    now = status;
}

}  // namespace zermelo::strategy
