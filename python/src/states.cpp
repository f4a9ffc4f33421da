// zermelo.State: a position of a game in GDL, with its past.

#include <pybind11/numpy.h>

#include "game.hpp"

namespace zermelo::python {

namespace {

using Look = GameObject::Look;

const Look& look(const StateObject& state) { return state.game->look(state.at); }

int current_player(const StateObject& state) {
    const Look& here = look(state);
    if (here.over) return terminal_player;
    if (here.with_a_choice > 1) return simultaneous_players;
    return state.game->player_of(here.mover);
}

// Whose moves are meant: the role that is named, or the one on turn; nothing where it has none.
std::optional<std::size_t> whose(const StateObject& state, const Look& here, const py::object& player) {
    if (here.over) return std::nullopt;
    if (!player.is_none()) return state.game->role_of(player);
    if (here.with_a_choice < 2) return here.mover;
    if (!state.me)
        throw Error("several roles have a choice here", "say whose moves are meant, by name or number");
    return state.me;
}

py::list legal_moves(const StateObject& state, const py::object& player) {
    const Look& here = look(state);
    const auto role = whose(state, here, player);
    py::list moves(role ? here.legal[*role].size() : 0);
    for (std::size_t i = 0; i < moves.size(); ++i)
        moves[i] = state.game->name(state.game->action(*role, here.legal[*role][i]));
    return moves;
}

py::list legal_actions(const StateObject& state, const py::object& player) {
    const Look& here = look(state);
    const auto role = whose(state, here, player);
    py::list actions(role ? here.legal[*role].size() : 0);
    for (std::size_t i = 0; i < actions.size(); ++i)
        actions[i] = state.game->action(*role, here.legal[*role][i]);
    return actions;
}

gdl::MoveId legal_move(const StateObject& state, const Look& here, std::size_t role, const py::handle& move) {
    const gdl::MoveId found = move_of(*state.game, role, move);
    if (std::ranges::find(here.legal[role], found) == here.legal[role].end())
        throw Error(
            state.game->role_names()[role] + " may not play " + state.game->name(role, found) + " here",
            "legal_moves() tells what is legal");
    return found;
}

// One move for each player, or for each role.
void choose_in_order(const StateObject& state, const Look& here, const py::sequence& moves,
                     gdl::JointMove& joint) {
    const auto& players = state.game->players();
    const bool all = moves.size() == joint.size();
    if (!all && moves.size() != players.size())
        throw Error(
            std::to_string(moves.size()) + " moves are given",
            "give one for each of the " + std::to_string(players.size()) + " players, in their order");
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::size_t role = all ? i : players[i];
        const py::object move = moves[i];
        if (!move.is_none()) joint[role] = legal_move(state, here, role, move);
    }
}

gdl::JointMove joint_of(const StateObject& state, const Look& here, const py::object& move) {
    constexpr auto open = ~gdl::MoveId{0};
    gdl::JointMove joint(here.legal.size(), open);
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (here.legal[r].size() == 1) joint[r] = here.legal[r].front();
    }
    if (py::isinstance<py::str>(move) || py::isinstance<py::int_>(move) || PyIndex_Check(move.ptr()) != 0) {
        if (here.with_a_choice > 1)
            throw Error("several roles have a choice here",
                        "give a move for each of them, in a list or dictionary");
        const py::object number = py::isinstance<py::str>(move)
                                      ? move
                                      : py::reinterpret_steal<py::object>(PyNumber_Index(move.ptr()));
        joint[here.mover] = legal_move(state, here, here.mover, number);
    } else if (py::isinstance<py::dict>(move)) {
        for (const auto& [player, choice] : move.cast<py::dict>()) {
            const std::size_t role = state.game->role_of(py::reinterpret_borrow<py::object>(player));
            joint[role] = legal_move(state, here, role, choice);
        }
    } else {
        choose_in_order(state, here, move.cast<py::sequence>(), joint);
    }
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (joint[r] == open)
            throw Error(state.game->role_names()[r] + " has a choice here, and no move",
                        "give a move for it");
    }
    return joint;
}

void apply(StateObject& state, const py::object& move) {
    const Look& here = look(state);
    if (here.over) throw Error("the play is over", "undo() a move, or begin with initial_state()");
    state.at = state.game->after(state.at, joint_of(state, here, move));
}

py::list chance_outcomes(const StateObject& state) {
    const Look& here = look(state);
    py::list outcomes;
    if (here.over) return outcomes;
    for (std::size_t r = 0; r < here.legal.size(); ++r) {
        if (!state.game->chance(r)) continue;
        const double each = 1.0 / static_cast<double>(here.legal[r].size());
        for (const gdl::MoveId move : here.legal[r])
            outcomes.append(py::make_tuple(state.game->name(state.game->action(r, move)), each));
    }
    return outcomes;
}

std::vector<int> returns(const StateObject& state) {
    if (!look(state).over) throw Error("the play is not over", "is_terminal() tells whether it is");
    std::vector<int> goals;
    for (const std::size_t role : state.game->players())
        goals.push_back(std::max(0, state.game->runner().goal(role)));
    return goals;
}

// The positions from the first to this one.
std::vector<NodePointer> path(const NodePointer& at) {
    std::vector<NodePointer> nodes;
    for (NodePointer node = at; node != nullptr; node = node->parent) nodes.push_back(node);
    std::ranges::reverse(nodes);
    return nodes;
}

py::tuple joint_names(const GameObject& game, const gdl::JointMove& joint) {
    py::tuple names(joint.size());
    for (std::size_t r = 0; r < joint.size(); ++r) names[r] = game.name(game.action(r, joint[r]));
    return names;
}

py::list history(const StateObject& state) {
    py::list moves;
    for (const NodePointer& node : path(state.at)) {
        if (node->parent != nullptr) moves.append(joint_names(*state.game, node->joint));
    }
    return moves;
}

std::vector<gdl::TermId> percepts(GameObject& game, const Node& node, std::size_t role) {
    (void)game.look(node.parent);
    std::vector<gdl::TermId> seen;
    game.runner().play(node.joint);
    game.runner().sees(role, seen);
    return seen;
}

// What the role knows. Where everything is seen, the facts; otherwise what it did and saw, step by step.
py::object observation(const StateObject& state, const py::object& player) {
    GameObject& game = *state.game;
    const std::size_t role = game.role_of(player);
    if (!game.context().hidden()) return py::cast(game.game().facts(state.at->state));
    py::list steps;
    for (const NodePointer& node : path(state.at)) {
        if (node->parent == nullptr) continue;
        std::vector<std::string> seen;
        for (const gdl::TermId percept : percepts(game, *node, role))
            seen.push_back(game.game().text(percept));
        std::ranges::sort(seen);
        steps.append(py::make_tuple(game.name(game.action(role, node->joint[role])), py::cast(seen)));
    }
    return steps;
}

// Of the observation of a role where facts are hidden: its last move, and what it saw then.
std::size_t hidden_size(const GameObject& game) {
    const gdl::Network& network = game.machine().network();
    std::size_t most = 1;
    for (const std::size_t role : game.players())
        most = std::max(most, network.moves[role].size() + network.sees[role].size());
    return most;
}

py::array_t<float> state_tensor(const StateObject& state) {
    const std::size_t fluents = state.game->machine().network().fluents.size();
    py::array_t<float> out(static_cast<py::ssize_t>(fluents));
    float* const at = out.mutable_data();
    for (std::size_t i = 0; i < fluents; ++i)
        at[i] = static_cast<float>(state.at->state[i / 64] >> (i % 64) & 1);
    return out;
}

py::array_t<float> observation_tensor(const StateObject& state, const py::object& player) {
    GameObject& game = *state.game;
    if (player.is_none() || !game.context().hidden()) return state_tensor(state);
    const std::size_t role = game.role_of(player);
    py::array_t<float> out(static_cast<py::ssize_t>(hidden_size(game)));
    float* const at = out.mutable_data();
    std::fill_n(at, out.size(), 0.0F);
    if (state.at->parent == nullptr) return out;
    const gdl::Network& network = game.machine().network();
    at[state.at->joint[role]] = 1;
    const std::vector<gdl::TermId> seen = percepts(game, *state.at, role);
    for (std::size_t p = 0; p < network.sees[role].size(); ++p) {
        if (std::ranges::find(seen, network.sees[role][p].term) != seen.end())
            at[network.moves[role].size() + p] = 1;
    }
    return out;
}

bool equal(const StateObject& a, const StateObject& b) {
    return a.game == b.game && a.at->state == b.at->state;
}

void undo(StateObject& state) {
    if (state.at->parent == nullptr)
        throw Error("no move has been made", "undo() takes back what apply() did");
    state.at = state.at->parent;
}

}  // namespace

void bind_states(py::module_& module) {
    py::class_<StateObject>(module, "State", "A position of a game, with the moves that led to it.")
        .def_property_readonly(
            "game", [](const StateObject& self) { return self.game; }, "The game that it is a state of.")
        .def_property_readonly(
            "me",
            [](const StateObject& self) {
                return self.me ? std::optional(self.game->player_of(*self.me)) : std::nullopt;
            },
            "The number of the player that a match has given the state to; None elsewhere.")
        .def("current_player", &current_player,
             "The number of the player on turn, or CHANCE, SIMULTANEOUS or TERMINAL.\n\n"
             "A player is on turn when it alone has a choice; the first one, where nobody has.")
        .def("legal_moves", &legal_moves, py::arg("player") = py::none(),
             "The legal moves of the player on turn, or of another one, by name.")
        .def("legal_actions", &legal_actions, py::arg("player") = py::none(),
             "What legal_moves() says, by the numbers of game.actions.")
        .def("apply", &apply, py::arg("move"),
             "Makes a move: of the player on turn, or of chance, by name or number; or a list of the "
             "players' moves,\n"
             "or a dictionary of moves by role, where several have a choice. Roles without one need no move.")
        .def("undo", &undo, "Takes the last move back.")
        .def(
            "clone", [](const StateObject& self) { return self; }, "Another state that goes its own way.")
        .def("__copy__", [](const StateObject& self) { return self; })
        .def("__deepcopy__", [](const StateObject& self, const py::dict&) { return self; })
        .def(
            "is_terminal", [](const StateObject& self) { return look(self).over; },
            "Whether the play is over.")
        .def("returns", &returns, "What each player gets, 0 to 100, when the play is over.")
        .def("chance_outcomes", &chance_outcomes, "The moves of chance with their probabilities.")
        .def("observation", &observation, py::arg("player"),
             "What the player knows: the facts, where everything is seen; otherwise what it did and saw in "
             "each step.")
        .def(
            "facts", [](const StateObject& self) { return self.game->game().facts(self.at->state); },
            "What holds, as in (cell 1 1 b).")
        .def("history", &history, "The joint moves that led here, by role.")
        .def("tensor", &observation_tensor, py::arg("player") = py::none(),
             "The state as an array of zeros and ones, a number for each of game.fluents.\n\n"
             "For a player of a game with hidden moves, its last move and what it saw then.")
        .def("__eq__", &equal, py::is_operator())
        .def(
            "__ne__", [](const StateObject& a, const StateObject& b) { return !equal(a, b); },
            py::is_operator())
        .def("__hash__",
             [](const StateObject& self) {
                 return static_cast<py::ssize_t>(gdl::hash(self.at->state).low >> 1);
             })
        .def("__str__", [](const StateObject& self) { return self.game->text(self.at->state); })
        .def("__repr__", [](const StateObject& self) {
            return "<state of " + self.game->problem.title() + " after " + std::to_string(self.at->depth) +
                   " moves>";
        });
    module.def(
        "_observation_size",
        [](GameObject& game) {
            return game.context().hidden() ? hidden_size(game) : game.machine().network().fluents.size();
        },
        py::arg("game"));
    module.def(
        "_opposed", [](GameObject& game) { return game.context().opposed(); }, py::arg("game"));
    module.def(
        "_hidden", [](GameObject& game) { return game.context().hidden(); }, py::arg("game"));
}

}  // namespace zermelo::python
