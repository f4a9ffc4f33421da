// Posting: the constraint forms of a model as propagators of a store.
//
// One function for each form; each says above its definition which values it removes. `due` is the block that
// the constraint waits for in a strategic model, -1 where it acts from the start.

#pragma once

#include "kernel/trail/store.hpp"

namespace zermelo::kernel::trail {

void post(Store& store, const model::Linear& linear, int due);
void post(Store& store, const model::Clause& clause, int due);
void post(Store& store, const model::Parity& parity, int due);
void post(Store& store, const model::Member& member, int due);
void post(Store& store, const model::Element& element, int due);
void post(Store& store, const model::Arithmetic& arithmetic, int due);
void post(Store& store, const model::Extremum& extremum, int due);
void post(Store& store, const model::Table& table, int due);
void post(Store& store, const model::AllDifferent& all_different, int due);
void post(Store& store, const model::Count& count, int due);
void post(Store& store, const model::Global& global, int due);

inline void post(Store& store, const model::Constraint& constraint, int due) {
    std::visit([&](const auto& form) { post(store, form, due); }, constraint.body);
}

}  // namespace zermelo::kernel::trail
