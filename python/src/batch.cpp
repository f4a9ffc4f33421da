// zermelo.Batch: many states in lock-step, with arrays of NumPy in and out.

#include <pybind11/numpy.h>

#include "game.hpp"
#include "long_call.hpp"

namespace zermelo::python {

namespace {

using Actions = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;

struct BatchObject {
    std::shared_ptr<GameObject> game;
    std::unique_ptr<gdl::BitslicedBatch> batch;
    mutable bool in_use = false;

    [[nodiscard]] py::ssize_t states() const { return static_cast<py::ssize_t>(batch->states()); }
    [[nodiscard]] py::ssize_t roles() const { return static_cast<py::ssize_t>(game->role_names().size()); }
};

template <class T>
std::span<T> all_of(py::array_t<T>& array) {
    return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

template <class T, class Fill>
py::array_t<T> filled(const BatchObject& self, std::vector<py::ssize_t> shape, Fill fill) {
    const InUse use(self.in_use);
    py::array_t<T> out(std::move(shape));
    const std::span<T> numbers = all_of(out);
    const py::gil_scoped_release release;
    fill(numbers);
    return out;
}

void step(BatchObject& self, const Actions& actions) {
    const bool one = actions.ndim() == 1 && actions.shape(0) == self.states();
    const bool joint =
        actions.ndim() == 2 && actions.shape(0) == self.states() && actions.shape(1) == self.roles();
    if (!one && !joint)
        throw Error("the actions have the wrong shape",
                    "give an array of " + std::to_string(self.states()) + " actions, or of " +
                        std::to_string(self.states()) + " × " + std::to_string(self.roles()));
    const InUse use(self.in_use);
    const std::span<const std::int32_t> numbers(actions.data(), static_cast<std::size_t>(actions.size()));
    const py::gil_scoped_release release;
    self.batch->step(numbers, one ? 1 : static_cast<std::size_t>(self.roles()));
}

py::array_t<std::int32_t> random_actions(BatchObject& self, bool joint) {
    const auto shape = joint ? std::vector{self.states(), self.roles()} : std::vector{self.states()};
    const std::size_t columns = joint ? static_cast<std::size_t>(self.roles()) : 1;
    return filled<std::int32_t>(
        self, shape, [&](std::span<std::int32_t> out) { self.batch->random_actions(out, columns); });
}

// By player, as current_player() of a state numbers them.
py::array_t<std::int8_t> movers(const BatchObject& self) {
    return filled<std::int8_t>(self, {self.states()}, [&](std::span<std::int8_t> out) {
        self.batch->movers(out);
        for (std::int8_t& mover : out) {
            if (mover >= 0)
                mover = static_cast<std::int8_t>(self.game->player_of(static_cast<std::size_t>(mover)));
        }
    });
}

// By player; -1 where the play is not over, 0 where the rules state no goal.
py::array_t<std::int16_t> returns(const BatchObject& self) {
    const auto& players = self.game->players();
    const auto roles = static_cast<std::size_t>(self.roles());
    const auto count = static_cast<py::ssize_t>(players.size());
    return filled<std::int16_t>(self, {self.states(), count}, [&](std::span<std::int16_t> out) {
        std::vector<std::int16_t> goals(self.batch->states() * roles);
        std::vector<std::uint8_t> over(self.batch->states());
        self.batch->goals(goals);
        self.batch->over(over);
        for (std::size_t i = 0; i < over.size(); ++i) {
            for (std::size_t p = 0; p < players.size(); ++p) {
                const std::int16_t goal = goals[i * roles + players[p]];
                out[i * players.size() + p] =
                    over[i] != 0 ? std::max<std::int16_t>(goal, 0) : std::int16_t{-1};
            }
        }
    });
}

py::array bools(const BatchObject& self, std::vector<py::ssize_t> shape,
                const std::function<void(std::span<std::uint8_t>)>& fill) {
    return filled<std::uint8_t>(self, std::move(shape), fill).attr("view")("bool");
}

StateObject state(const BatchObject& self, py::ssize_t number) {
    if (number < 0) number += self.states();
    if (number < 0 || number >= self.states()) throw py::index_error("the batch has no such state");
    const InUse use(self.in_use);
    return {self.game, self.game->at(self.batch->state(static_cast<std::size_t>(number)))};
}

void start(BatchObject& self, const std::optional<StateObject>& state,
           const std::optional<py::array_t<bool, py::array::c_style | py::array::forcecast>>& which) {
    if (state && state->game != self.game)
        throw Error("the state belongs to another game", "give a state of the game of the batch");
    if (which && (which->ndim() != 1 || which->shape(0) != self.states()))
        throw Error("which states to start is not clear", "give a truth value for each state of the batch");
    std::span<const bool> chosen;
    if (which) chosen = {which->data(), static_cast<std::size_t>(which->size())};
    const InUse use(self.in_use);
    self.batch->start(state ? state->at->state : self.game->machine().initial(), chosen);
}

}  // namespace

void bind_batches(py::module_& module) {
    py::class_<BatchObject>(module, "Batch", "Many states of a game, stepped in lock-step.")
        .def("__len__", &BatchObject::states)
        .def("__getitem__", &state, py::arg("number"), "A copy of one state, without its past.")
        .def_property_readonly(
            "game", [](const BatchObject& self) { return self.game; }, "The game of its states.")
        .def("start", &start, py::arg("state") = py::none(), py::arg("which") = py::none(),
             "Makes all states, or those that a mask chooses, this one; the initial one where none is given.")
        .def(
            "restart",
            [](BatchObject& self) {
                const InUse use(self.in_use);
                return self.batch->restart();
            },
            "States that are over begin again. Returns how many there were.")
        .def("step", &step, py::arg("actions"),
             "Makes an action in every state that is not over: an array with one for each state, or with one "
             "for each\n"
             "role in each state. A role without one (-1) makes its only legal move. Where an action is not "
             "legal,\n"
             "nothing is changed and Error is raised.")
        .def("random_actions", &random_actions, py::arg("joint") = false,
             "Actions for step(), drawn uniformly; with joint, one for each role that has a choice.")
        .def(
            "legal",
            [](const BatchObject& self) {
                return bools(self, {self.states(), static_cast<py::ssize_t>(self.batch->actions())},
                             [&](std::span<std::uint8_t> out) { self.batch->legal(out); });
            },
            "By state and action, whether it is a legal action of a role that has a choice; where none has, "
            "the "
            "only move of\n"
            "the one on turn.")
        .def(
            "is_terminal",
            [](const BatchObject& self) {
                return bools(self, {self.states()},
                             [&](std::span<std::uint8_t> out) { self.batch->over(out); });
            },
            "By state, whether it is over.")
        .def("current_player", &movers, "By state, what State.current_player() says.")
        .def("returns", &returns, "By state and player, 0 to 100; -1 where the play is not over.")
        .def(
            "tensor",
            [](const BatchObject& self) {
                const auto fluents = static_cast<py::ssize_t>(self.game->machine().network().fluents.size());
                return filled<float>(self, {self.states(), fluents},
                                     [&](std::span<float> out) { self.batch->fluents(out); });
            },
            "By state, what State.tensor() says.");
    module.def(
        "_batch",
        [](const std::shared_ptr<GameObject>& game, std::size_t states, std::uint64_t seed,
           std::size_t lanes) {
            const py::gil_scoped_release release;
            return BatchObject{game, gdl::BitslicedBatch::make(game->machine(), states, seed, lanes), false};
        },
        py::arg("game"), py::arg("states"), py::arg("seed"), py::arg("lanes"));
}

}  // namespace zermelo::python
