#include "kernel/gecode/position.hpp"

#include "kernel/gecode/post.hpp"

namespace zermelo::kernel::gecode {

// A propagator on the watched variables of one kind that fails the position as soon as one of them loses a
// value. It has only advisors, which Gecode notifies of every change, so the propagator itself never runs.
template <class View>
class LostValueWatcher final : public Gecode::Propagator {
public:
    static void post(Gecode::Home home, const std::vector<std::pair<View, model::VarId>>& watched) {
        if (!watched.empty()) (void)new (home) LostValueWatcher(home, watched);
    }

    Gecode::Propagator* copy(Gecode::Space& home) override {
        return new (home) LostValueWatcher(home, *this);
    }
    Gecode::PropCost cost(const Gecode::Space&, const Gecode::ModEventDelta&) const override {
        return Gecode::PropCost::unary(Gecode::PropCost::LO);
    }
    void reschedule(Gecode::Space&) override {}
    Gecode::ExecStatus propagate(Gecode::Space&, const Gecode::ModEventDelta&) override {
        return Gecode::ES_FIX;
    }

    Gecode::ExecStatus advise(Gecode::Space& home, Gecode::Advisor& advisor, const Gecode::Delta&) override {
        auto& position = static_cast<Position&>(home);
        auto& watch = static_cast<Watch&>(advisor);
        if (position.played_ != watch.id) {
            position.record_lost_value(watch.id);
            return Gecode::ES_FAILED;
        }
        watch.dispose(home, council_);
        return Gecode::ES_FIX;
    }

    std::size_t dispose(Gecode::Space& home) override {
        council_.dispose(home);
        (void)Gecode::Propagator::dispose(home);
        return sizeof(*this);
    }

private:
    struct Watch : Gecode::Advisor {
        Watch(Gecode::Space& home, Gecode::Propagator& p, Gecode::Council<Watch>& council, View v,
              model::VarId var)
            : Advisor(home, p, council), view(v), id(var) {
            view.subscribe(home, *this);
        }
        Watch(Gecode::Space& home, Watch& other) : Advisor(home, other), id(other.id) {
            view.update(home, other.view);
        }
        void dispose(Gecode::Space& home, Gecode::Council<Watch>& council) {
            view.cancel(home, *this);
            Advisor::dispose(home, council);
        }
        View view;
        model::VarId id;
    };

    LostValueWatcher(Gecode::Home home, const std::vector<std::pair<View, model::VarId>>& watched)
        : Propagator(home), council_(home) {
        for (const auto& [view, id] : watched) (void)new (home) Watch(home, *this, council_, view, id);
    }
    LostValueWatcher(Gecode::Space& home, LostValueWatcher& other) : Propagator(home, other) {
        council_.update(home, other.council_);
    }

    Gecode::Council<Watch> council_;
};

Position::Position(const Program& program)
    : program_(program), level_(program.model.strategic ? 0 : program.blocks() + 1) {
    cells_.assign(program.model.variables.size(), Cell{waiting, 0});
    for (std::size_t v = 0; v < cells_.size(); ++v) {
        const model::Domain& domain = program.structure.domain[v];
        if (domain.single() || !program.used[v]) {
            cells_[v] = {only_value, static_cast<std::int32_t>(domain.low())};
        } else if (!program.model.strategic) {
            create(static_cast<model::VarId>(v));
        }
    }
    if (program.model.strategic) {
        for (const model::VarId v : program.structure.state) create(v);
        post(program.from_the_start);
    } else {
        // The watch comes first, so that a value lost while the constraints are posted does not escape it.
        watch_moves();
        post(program.cone);
    }
}

void Position::create(model::VarId v) {
    if (cells_[v].slot != waiting) return;
    if (program_.held_as_boolean[v]) {
        cells_[v] = {static_cast<std::int32_t>(booleans_.size()), 1};
        booleans_.emplace_back(*this, 0, 1);
        boolean_ids_.push_back(v);
    } else {
        cells_[v] = {static_cast<std::int32_t>(integers_.size()), 0};
        integers_.push_back(make_variable(*this, program_.domain(v), program_.model.variables[v].name));
        integer_ids_.push_back(v);
    }
}

void Position::watch_moves() {
    std::vector<std::pair<Gecode::Int::IntView, model::VarId>> integers;
    std::vector<std::pair<Gecode::Int::BoolView, model::VarId>> booleans;
    for (const model::VarId v : program_.moves) {
        if (!program_.watched[v] || cells_[v].slot < 0) continue;
        if (program_.held_as_boolean[v]) {
            booleans.emplace_back(booleans_[cells_[v].slot], v);
        } else {
            integers.emplace_back(integers_[cells_[v].slot], v);
        }
    }
    LostValueWatcher<Gecode::Int::IntView>::post(*this, integers);
    LostValueWatcher<Gecode::Int::BoolView>::post(*this, booleans);
}

// In the cone users come before inputs; Gecode gets the inputs first.
void Position::post(const std::vector<int>& constraints) {
    for (const int c : constraints) each_variable(program_.constraint(c), [&](model::VarId v) { create(v); });
    Poster poster(*this, [this](model::VarId v) -> Poster::Operand {
        const Cell cell = cells_[v];
        if (cell.slot < 0) return Poster::Operand{static_cast<int>(cell.value)};
        if (program_.held_as_boolean[v]) return booleans_[cell.slot];
        return integers_[cell.slot];
    });
    for (auto c = constraints.rbegin(); c != constraints.rend(); ++c) {
        if (failed()) return;
        poster.post(program_.constraint(*c));
    }
}

void Position::reach(int b) {
    level_ = b + 1;
    for (const model::VarId v : program_.block(b).variables) create(v);
    post(program_.due_at[b]);
}

Position::Position(Position& other)
    : Space(other), program_(other.program_), level_(other.level_), cells_(other.cells_) {
    integers_.reserve(other.integers_.size());
    integer_ids_.reserve(other.integers_.size());
    for (std::size_t i = 0; i < other.integers_.size(); ++i) {
        const model::VarId v = other.integer_ids_[i];
        if (other.integers_[i].assigned()) {
            cells_[v] = {-1, other.integers_[i].val()};
            continue;
        }
        cells_[v].slot = static_cast<std::int32_t>(integers_.size());
        integers_.emplace_back();
        integers_.back().update(*this, other.integers_[i]);
        integer_ids_.push_back(v);
    }
    booleans_.reserve(other.booleans_.size());
    boolean_ids_.reserve(other.booleans_.size());
    for (std::size_t i = 0; i < other.booleans_.size(); ++i) {
        const model::VarId v = other.boolean_ids_[i];
        if (other.booleans_[i].assigned()) {
            cells_[v] = {-1, other.booleans_[i].val()};
            continue;
        }
        cells_[v].slot = static_cast<std::int32_t>(booleans_.size());
        booleans_.emplace_back();
        booleans_.back().update(*this, other.booleans_[i]);
        boolean_ids_.push_back(v);
    }
}

void Position::play(model::VarId v, model::Value value) {
    const Cell cell = cells_[v];
    if (cell.slot < 0) {
        if (cell.value != value) fail();
        return;
    }
    played_ = v;
    if (program_.held_as_boolean[v]) {
        Gecode::rel(*this, booleans_[cell.slot], Gecode::IRT_EQ, static_cast<int>(value));
    } else {
        Gecode::rel(*this, integers_[cell.slot], Gecode::IRT_EQ, static_cast<int>(value));
    }
}

void Position::demand(model::Literal literal) {
    create(literal.variable);
    const Cell cell = cells_[literal.variable];
    const int wanted = literal.positive ? 1 : 0;
    if (cell.slot < 0) {
        if (cell.value != wanted) fail();
    } else {
        Gecode::rel(*this, booleans_[cell.slot], Gecode::IRT_EQ, wanted);
    }
}

void Position::branch_on(const std::vector<model::VarId>& variables) {
    Gecode::IntVarArgs integers;
    Gecode::BoolVarArgs booleans;
    for (const model::VarId v : variables) {
        const Cell cell = cells_[v];
        if (cell.slot < 0) continue;
        if (program_.held_as_boolean[v]) {
            booleans << booleans_[cell.slot];
        } else {
            integers << integers_[cell.slot];
        }
    }
    Gecode::branch(*this, booleans, Gecode::BOOL_VAR_AFC_MAX(), Gecode::BOOL_VAL_MIN());
    Gecode::branch(*this, integers, Gecode::INT_VAR_AFC_SIZE_MAX(), Gecode::INT_VAL_MIN());
}

void Position::record_lost_value(model::VarId v) {
    refutation_ = {v, 0};
    bool found = false;
    program_.domain(v).each([&](model::Value value) {
        if (!found && !allows(v, value)) {
            refutation_.value = value;
            found = true;
        }
    });
}

}  // namespace zermelo::kernel::gecode
