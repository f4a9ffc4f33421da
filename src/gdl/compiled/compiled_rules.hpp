// Compiled rules: a game's network as machine code, for one state at a time.
//
// The network is laid out in words (word_plan.hpp) and assembled (machine_code.hpp): a state costs a few
// instructions for each 64 gates. Sections of large networks in which a move changes little are evaluated by
// events instead (event_section.hpp); a short random playout measures which of the two is faster.
// CompiledRules is immutable and shared by threads; each thread has a CompiledRunner, which answers what the
// Runner of circuit/machine.hpp answers. The Runner interprets the network until compiled rules are ready, and
// where there is no machine code; it is the oracle of the tests.

#pragma once

#include "core/random.hpp"
#include "gdl/compiled/event_section.hpp"
#include "gdl/compiled/machine_code.hpp"

namespace zermelo::gdl {

struct CompileOptions {
    MachineCode::Instructions instructions = MachineCode::Instructions::best;
    enum class Events { measured, always, never } events = Events::measured;  // for tests: not measured
};

class CompiledRules final : public FasterRules {
public:
    // Nothing where this build or this processor has no machine code, and for networks with millions of inputs. The
    // machine must outlive the rules.
    [[nodiscard]] static std::unique_ptr<CompiledRules> compile(const Machine& machine,
                                                                const CompileOptions& options = {});

    [[nodiscard]] std::unique_ptr<FasterRunner> make_runner() const override;
    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] const WordPlan& plan() const { return plan_; }
    [[nodiscard]] const MachineCode& code() const { return *code_; }
    // Null where the section runs as machine code.
    [[nodiscard]] const EventSection* events(WordPlan::Section section) const {
        return events_[section].get();
    }

private:
    CompiledRules(const Machine& machine, const CompileOptions& options);
    void choose_events(const Machine& machine, CompileOptions::Events wish);

    const Network& network_;
    WordPlan plan_;
    std::unique_ptr<MachineCode> code_;
    std::array<std::unique_ptr<EventSection>, WordPlan::sections> events_;
};

class CompiledRunner final : public FasterRunner {
public:
    using State = gdl::State;
    static constexpr MoveId no_move = ~MoveId{0};

    explicit CompiledRunner(const CompiledRules& rules);
    [[nodiscard]] std::unique_ptr<FasterRunner> clone() const override;

    void load(const State& state) override;
    [[nodiscard]] bool terminal() const override { return plan_.terminal.in(words_); }
    [[nodiscard]] int goal(std::size_t role) const override;  // -1 where none is stated
    void legal(std::size_t role, std::vector<MoveId>& moves) override;
    // A legal move of the role, all with the same probability; no_move where there is none.
    [[nodiscard]] MoveId random_move(std::size_t role, Random& random);
    void play(const JointMove& moves) override;  // then next() and sees() may be asked
    void next(State& state) const override;
    void sees(std::size_t role, std::vector<TermId>& percepts) const override;
    void advance();  // the next state becomes the current one

private:
    friend class CompiledRules;  // measures sections

    void run(WordPlan::Section section) {
        if (values_[section] == nullptr) {
            rules_.code().run(section, words_);
        } else if (!values_[section]->update(words_)) {
            rules_.code().run(section, words_);
            values_[section]->start(words_);
        }
    }
    void enter(const State& state);
    void take_next();
    void set_moves(const JointMove& moves);
    void find_moves() {
        if (moves_known_) return;
        run(WordPlan::rest);
        run(WordPlan::legal);
        moves_known_ = true;
    }

    const CompiledRules& rules_;
    const WordPlan& plan_;
    std::vector<std::uint64_t> memory_;
    std::uint64_t* words_;  // aligned, in memory_
    std::array<std::unique_ptr<EventValues>, WordPlan::sections> values_;
    bool moves_known_ = false;
    std::vector<WordPlan::Bit> played_;  // by role: the bit of its last move
};

}  // namespace zermelo::gdl
