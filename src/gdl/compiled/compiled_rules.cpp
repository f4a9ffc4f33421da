#include "gdl/compiled/compiled_rules.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>

namespace zermelo::gdl {

namespace {

// Fewer words than these fetched from memory are not worth counting events.
constexpr std::size_t worth_measuring = 60;
constexpr int measured_steps = 150;
constexpr std::size_t most_inputs = 3'000'000;  // of gates; no processor's cache holds the code of more

// Copies of a few words; a call of memmove would take longer than the copy.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif
inline void
copy_words(const std::uint64_t* from, std::uint32_t count, std::uint64_t* to) {
    for (std::uint32_t i = 0; i < count; ++i) to[i] = from[i];
}

std::size_t work(const WordPlan& plan, WordPlan::Section section) {
    std::size_t sum = 0;
    for (const auto& stage : plan.stages[section]) {
        for (std::uint32_t g = stage.first; g < stage.last; ++g)
            sum += plan.groups[g].transfers.size() + plan.groups[g].reductions.size();
    }
    return sum;
}

}  // namespace

CompiledRules::CompiledRules(const Machine& machine, const CompileOptions& options)
    : network_(machine.network()),
      plan_(plan_words(network_)),
      code_(MachineCode::assemble(plan_, options.instructions)) {
    if (code_) choose_events(machine, options.events);
}

std::unique_ptr<CompiledRules> CompiledRules::compile(const Machine& machine, const CompileOptions& options) {
    if (machine.network().inputs.size() > most_inputs) return nullptr;
    std::unique_ptr<CompiledRules> rules(new CompiledRules(machine, options));
    if (!rules->code_) return nullptr;
    return rules;
}

std::unique_ptr<FasterRunner> CompiledRules::make_runner() const {
    return std::make_unique<CompiledRunner>(*this);
}

// Both ways run along a random playout, each section on the clock.
void CompiledRules::choose_events(const Machine& machine, CompileOptions::Events wish) {
    if (wish == CompileOptions::Events::never) return;
    for (const auto section :
         {WordPlan::outcome, WordPlan::rest, WordPlan::legal, WordPlan::late, WordPlan::next}) {
        if (EventSection::supports(plan_, section) &&
            (wish == CompileOptions::Events::always || work(plan_, section) >= worth_measuring))
            events_[section] = std::make_unique<EventSection>(plan_, section);
    }
    if (wish == CompileOptions::Events::always ||
        std::ranges::all_of(events_, [](const auto& events) { return events == nullptr; }))
        return;

    using Clock = std::chrono::steady_clock;
    std::array<std::vector<Clock::duration>, WordPlan::sections> events;
    std::array<std::vector<Clock::duration>, WordPlan::sections> code;
    CompiledRunner runner(*this);
    Random random(1);
    JointMove joint(machine.roles());
    const auto run = [&](WordPlan::Section section) {
        if (events_[section] == nullptr) return runner.run(section);
        const auto start = Clock::now();
        runner.run(section);
        const auto middle = Clock::now();
        code_->run(section, runner.words_);
        events[section].push_back(middle - start);
        code[section].push_back(Clock::now() - middle);
    };
    bool ended = true;
    for (int step = 0; step < measured_steps; ++step) {
        if (ended) {
            runner.enter(machine.initial());
        } else {
            runner.take_next();
        }
        run(WordPlan::outcome);
        run(WordPlan::rest);
        run(WordPlan::legal);
        ended = runner.terminal();
        runner.moves_known_ = true;
        for (std::size_t r = 0; r < joint.size() && !ended; ++r) {
            joint[r] = runner.random_move(r, random);
            ended = joint[r] == CompiledRunner::no_move;
        }
        if (ended) continue;
        runner.set_moves(joint);
        run(WordPlan::late);
        run(WordPlan::next);
    }
    // The slowest few are left out: they set counters up, or another process came between.
    const auto typical = [](std::vector<Clock::duration>& times) {
        std::ranges::sort(times);
        times.resize(times.size() - times.size() / 32);
        return std::accumulate(times.begin(), times.end(), Clock::duration{});
    };
    for (std::size_t s = 0; s < WordPlan::sections; ++s) {
        if (typical(events[s]) >= typical(code[s])) events_[s] = nullptr;
    }
}

CompiledRunner::CompiledRunner(const CompiledRules& rules)
    : rules_(rules),
      plan_(rules.plan()),
      memory_(plan_.words + 8, 0),
      played_(plan_.roles.size(), {0, 0, true}) {
    auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    words_ = reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
    words_[0] = ~std::uint64_t{0};
    for (std::size_t s = 0; s < WordPlan::sections; ++s) {
        if (const EventSection* events = rules.events(static_cast<WordPlan::Section>(s)))
            values_[s] = std::make_unique<EventValues>(*events);
    }
}

// The copy counts events anew.
std::unique_ptr<FasterRunner> CompiledRunner::clone() const {
    auto copy = std::make_unique<CompiledRunner>(rules_);
    copy_words(words_, plan_.words, copy->words_);
    copy->moves_known_ = moves_known_;
    copy->played_ = played_;
    return copy;
}

void CompiledRunner::enter(const State& state) {
    copy_words(state.data(), plan_.state_words, words_ + plan_.first_entered);
    rules_.code().run(WordPlan::enter, words_);
}

void CompiledRunner::take_next() {
    copy_words(words_ + plan_.first_next, plan_.fluent_words, words_ + plan_.first_fluent);
}

void CompiledRunner::load(const State& state) {
    const bool again = std::equal(state.begin(), state.end(), words_ + plan_.first_entered);
    for (const auto& values : values_) {
        if (values == nullptr) continue;
        if (again) {
            values->return_to_start(words_);
        } else {
            values->forget_start();
        }
    }
    enter(state);
    run(WordPlan::outcome);
    moves_known_ = false;
}

void CompiledRunner::advance() {
    take_next();
    run(WordPlan::outcome);
    moves_known_ = false;
}

int CompiledRunner::goal(std::size_t role) const {
    for (const auto& goal : plan_.roles[role].goals) {
        if (goal.holds.in(words_)) return goal.value;
    }
    return -1;
}

void CompiledRunner::legal(std::size_t role, std::vector<MoveId>& moves) {
    find_moves();
    moves.clear();
    const WordPlan::Role& own = plan_.roles[role];
    const MoveId* order = own.order.data();
    for (std::uint32_t w = 0; w < own.legal_words; ++w, order += 64) {
        for (std::uint64_t bits = words_[own.first_legal + w]; bits != 0; bits &= bits - 1)
            moves.push_back(order[std::countr_zero(bits)]);
    }
    if (!own.ascending) std::ranges::sort(moves);
}

// The processor has these instructions where there is machine code.
#if defined(__x86_64__)
__attribute__((target("bmi2,bmi,popcnt")))
#endif
MoveId
CompiledRunner::random_move(std::size_t role, Random& random) {
    find_moves();
    const WordPlan::Role& own = plan_.roles[role];
    const std::uint64_t* legal = words_ + own.first_legal;
    std::uint64_t count = 0;
    for (std::uint32_t w = 0; w < own.legal_words; ++w)
        count += static_cast<std::uint64_t>(std::popcount(legal[w]));
    if (count == 0) return no_move;
    std::uint64_t rank = count == 1 ? 0 : random.below(count);
    std::uint32_t w = 0;
    for (;; ++w) {
        const auto here = static_cast<std::uint64_t>(std::popcount(legal[w]));
        if (rank < here) break;
        rank -= here;
    }
    std::uint64_t bits = legal[w];
#if defined(__x86_64__)
    bits = __builtin_ia32_pdep_di(std::uint64_t{1} << rank, bits);
#else
    while (rank-- > 0) bits &= bits - 1;
#endif
    return own.order[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
}

void CompiledRunner::set_moves(const JointMove& moves) {
    for (std::size_t r = 0; r < moves.size(); ++r) {
        const WordPlan::Role& own = plan_.roles[r];
        if (!played_[r].negated) words_[played_[r].word] = 0;
        played_[r] = own.move[moves[r]];
        if (!played_[r].negated) words_[played_[r].word] = std::uint64_t{1} << played_[r].bit;
        copy_words(own.rows.data() + std::size_t{moves[r]} * own.row_words, own.row_words,
                   words_ + own.first_row);
    }
}

void CompiledRunner::play(const JointMove& moves) {
    find_moves();
    set_moves(moves);
    run(WordPlan::late);
    run(WordPlan::next);
}

void CompiledRunner::next(State& state) const {
    rules_.code().run(WordPlan::leave, words_);
    state.assign(words_ + plan_.first_left, words_ + plan_.first_left + plan_.state_words);
}

void CompiledRunner::sees(std::size_t role, std::vector<TermId>& percepts) const {
    percepts.clear();
    const auto& all = plan_.roles[role].sees;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].in(words_)) percepts.push_back(rules_.network().sees[role][i].term);
    }
}

}  // namespace zermelo::gdl
