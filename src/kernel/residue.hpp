// Residual key: a 128-bit hash of the residual problem at a position, the key of the table of goods and
// nogoods.
//
// After a block is played and propagated, the future depends only on the constraints that are still open,
// each reduced to its open variables (a linear sum to its remaining constant, a clause to its open literals),
// and on the domains of the open variables. Two positions before the same block with the same residue have
// the same verdict and the same strategy.
//
// The same pass tells whether anything is still *demanded*: if no open constraint can be violated any more,
// every continuation inside the current domains satisfies what has been demanded so far. Open total
// definitions demand nothing as long as propagation has not narrowed their variable below what its inputs
// give. A definition that demands nothing and that nothing reads is dropped.
//
// Readings are incremental, with a trail: a reader follows the search down, reads again only the constraints
// whose variables have changed, and undoes its changes when the search backtracks. A kernel with a trail
// says which variables these are; otherwise a reading scans the open variables once. Beyond that it costs the
// size of the changed constraints, times the number of symmetries.
//
// Under symmetries of the model (renamings) the key is the least among those of all images, so that symmetric
// positions share an entry.

#pragma once

#include <array>

#include "kernel/reading.hpp"

namespace zermelo::kernel {

struct Residue {
    Hash128 key;
    std::size_t image = 0;  // which renaming gives the key: 0 for none, else one more than its index
    bool demands = false;   // some open constraint can still be violated
    bool acts = false;      // and it acts already: false while it waits for a later move
};

template <class Position>
class ResidueReader {
public:
    explicit ResidueReader(const Program& program, std::span<const model::Renaming> renamings = {});

    // The residue before block `next` (all earlier blocks are played) of a position that comes after the one
    // that was read last. `back` forgets the last reading.
    Residue read(const Position& position, int next);
    void back();
    // How many constraints the last reading found settled or changed in what they demand.
    [[nodiscard]] std::size_t closed() const { return old_parts_.size() - levels_.back().parts; }

private:
    struct Part {  // of the residue: a constraint of the cone
        bool open = true;
        bool demands = false;
    };
    struct Known {  // about a variable
        std::uint32_t size = 0;
        std::int32_t low = 0;
        std::int32_t high = 0;
        int conditions = 0;  // rules to come, winning condition, cuts
        [[nodiscard]] bool fixed() const { return size == 1; }
    };
    // Sums and clauses are most of a model. They are read from a copy that lies close together.
    struct Operand {
        std::int32_t coefficient;  // of a clause: 1 for a positive literal, 0 for a negative one
        model::VarId variable;
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Flat {
        enum class Form : std::uint8_t { other, clause, at_most, equal, different };
        Form form = Form::other;
        bool positive = true;  // the literal that reifies it
        model::VarId literal = -1;
        model::VarId output = -1;  // that it totally defines
        std::int32_t constant = 0;
        std::uint32_t first = 0;  // of its operands
        std::uint32_t count = 0;
        int due = -1;
        std::uint32_t premise = none;  // into premises_
        // A clause that is required, or required under a premise: nothing but its truth can change it.
        [[nodiscard]] bool plain_clause() const { return form == Form::clause && literal < 0; }
    };
    struct FlatReading {
        bool settled;
        bool demands;
        std::uint64_t state;  // which of several kinds of rests
        std::int64_t number;  // what the fixed variables took
    };
    // The half-reified constraints of one premise and one level. They demand something once the premise holds.
    struct Premise {
        model::Literal literal;
        int level;
        int open = 0;
        bool holds = false;
    };
    struct Level {  // what `back` returns to
        std::size_t parts, known, unwatched, hashes, levels, premises;
        int next;
        int demands, acting;
        bool first_reading;
        std::size_t changes;
    };

    void detect_changes(const Position& position);
    void look_at(const Position& position, model::VarId v);
    void leave_levels(int next);
    void pass_blocks(const Position& position, int before);
    void schedule(int constraint);
    void reread(const Position& position, int constraint);
    [[nodiscard]] FlatReading read_clause(const Flat& flat) const;
    [[nodiscard]] FlatReading read_sum(const Position& position, const Flat& flat) const;
    [[nodiscard]] FlatReading reified(const Flat& flat, std::optional<bool> body, std::int64_t taken) const;
    [[nodiscard]] std::span<const Operand> operands(const Flat& flat) const {
        return std::span(operands_).subspan(flat.first, flat.count);
    }
    void hash_names(std::span<const model::Renaming> renamings);
    void flatten(int constraint);
    void find_levels();
    void find_premises();
    void list_uses();
    [[nodiscard]] std::span<const Hash128> names_of(std::size_t thing) const {
        return std::span(names_).subspan(thing * images_, images_);
    }
    [[nodiscard]] std::span<const model::VarId> scope(int constraint) const {
        return std::span(scopes_).subspan(first_of_scope_[constraint],
                                          first_of_scope_[constraint + 1] - first_of_scope_[constraint]);
    }
    void close_settled(const Position& position);
    void close(const Position& position, int constraint);
    void close_group(const Position& position, int level, std::span<const int> clauses);
    void forget(const Position& position, int constraint);
    void lose_reader(const Position& position, model::VarId v);
    void refresh(const Position& position, model::VarId v);
    [[nodiscard]] bool idle(int constraint) const;
    [[nodiscard]] bool matters(const Position& position, model::VarId v) const;
    void count(int constraint, bool demands, int sign);
    void add_demands(int level, int demands);

    // ---- changes that `back` undoes
    Part& change_part(int constraint);
    Known& change_known(model::VarId v);
    void touch(int level);
    void subtract(std::size_t thing);  // its hashes from the sums
    void change_hashes(std::size_t thing, std::span<const Hash128> now);
    void drop_variable(model::VarId v);

    // Constraints are things, and after them the variables.
    [[nodiscard]] std::size_t thing(model::VarId v) const {
        return program_.model.constraints.size() + static_cast<std::size_t>(v);
    }

    const Program& program_;

    const std::size_t images_;  // how many sums a hash has: one more than there are renamings
    Terms terms_;
    std::vector<Hash128> sums_;  // of the constraint that is being read
    std::vector<Flat> flat_;     // by constraint
    std::vector<Operand> operands_;
    std::vector<model::VarId> scopes_;  // by constraint of the cone: its variables, constants left out
    std::vector<std::uint32_t> first_of_scope_;
    // By variable, constraints of the cone, in groups of one level; the latest first.
    class Uses {
    public:
        Uses() = default;
        explicit Uses(std::vector<std::vector<int>> lists, const std::vector<int>& level);
        // visit(level, constraints) for this level and later ones.
        template <class Visit>
        void each_group(model::VarId v, int level, Visit visit) const {
            for (std::uint32_t g = first_[v]; g < first_[v + 1] && groups_[g].level >= level; ++g)
                visit(groups_[g].level, std::span(constraints_.data() + groups_[g].begin,
                                                  constraints_.data() + groups_[g].end));
        }

    private:
        struct Group {
            int level;
            std::uint32_t begin;
            std::uint32_t end;
        };
        std::vector<std::uint32_t> first_;
        std::vector<Group> groups_;
        std::vector<int> constraints_;
    };
    // To be read again when the variable changes; when it becomes 0 or 1. A false literal changes nothing in a
    // clause: as soon as all are false, or all but one of a clause that must hold, propagation fixes what is
    // left of it.
    Uses uses_;
    Uses sums_of_;  // reified sums that the variable is a term of
    std::array<Uses, 2> read_by_;
    std::array<Uses, 2> closed_by_;  // clauses that hold when the variable becomes 0 or 1
    std::vector<int> definition_;    // by variable: the constraint of the cone that totally defines it, or -1
    std::vector<Part> parts_;        // by constraint
    std::vector<Known> known_;       // by variable
    std::vector<int> users_;         // by variable: open constraints that it is in
    std::vector<std::uint64_t> watched_;  // one bit a variable: it is open and something reads it
    std::vector<Hash128> hashes_;         // of open constraints, then of counted variables; `images_` each
    std::vector<std::uint8_t> counted_;   // by variable: its hashes are part of the sums
    std::vector<Hash128> names_;          // of the same things in the same places
    std::vector<Premise> premises_;
    std::vector<std::uint32_t> first_premise_;  // by variable
    // A constraint whose last move is made is fulfilled or was a failure, so it is never looked at again: what it
    // gives to the sums goes all at once with its level.
    std::vector<int> level_;  // by constraint, then by variable: when it is over; blocks() for never
    std::vector<Hash128> level_totals_;  // by level and image: sums of hashes_
    std::vector<int> level_demands_;     // by level
    std::vector<Hash128> totals_;        // by image: the sums of the levels from `next_` on
    int next_ = 0;
    int demands_ = 0;  // open constraints that demand something, of the levels from `next_` on
    int acting_ = 0;   // of these, the ones that do not wait
    bool first_reading_ = true;
    std::size_t changes_ = 0;  // of a kernel that lists them: how many had been made at the last reading

    std::vector<int> scheduled_;               // constraints to be read again
    std::vector<std::uint32_t> scheduled_in_;  // by constraint: the last reading that asked for it
    std::uint32_t reading_ = 0;
    std::vector<int> settled_;  // to be closed
    std::vector<int> idle_;     // perhaps to be closed

    std::vector<Level> levels_;
    std::vector<std::pair<int, Part>> old_parts_;
    std::vector<std::pair<model::VarId, Known>> old_known_;
    std::vector<model::VarId> unwatched_;  // open variables that nothing reads any more
    struct OldHashes {
        std::uint32_t thing;
        bool counted;  // of a variable
        bool values;   // they were others, namely those at the end of old_values_, `images_` each
    };
    std::vector<OldHashes> old_hashes_;
    std::vector<Hash128> old_values_;
    std::vector<std::pair<int, int>> old_levels_;  // that were changed, with what they demanded
    std::vector<Hash128> old_level_totals_;
    std::vector<std::uint32_t> touched_in_;  // by level: the last reading that changed it
    std::vector<std::uint32_t> fulfilled_;   // premises that hold
    std::vector<Hash128> old_totals_;
};

}  // namespace zermelo::kernel
