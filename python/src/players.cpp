// Players: those written in Python, and the built-in ones for single states.

#include "player.hpp"

#include <fmt/format.h>

#include "long_call.hpp"

namespace zermelo::python {

namespace {

using play::GameContext;
using play::MoveId;

// All under the lock of the interpreter.
std::map<std::uint64_t, py::object>& known_players() {
    static auto* const players =
        new std::map<std::uint64_t, py::object>;  // the interpreter may be gone at exit
    return *players;
}

struct Thread {
    unsigned long id;
    const std::atomic<bool>* flag;
};
std::map<std::uint64_t, Thread>& threads_in_python() {
    static std::map<std::uint64_t, Thread> threads;
    return threads;
}

// A player in Python in one match. It gets states of a game of its own, which it may keep.
class PythonPlayer final : public play::Player {
public:
    PythonPlayer(const GameContext& rules, const play::Settings& settings, const py::object& player)
        : Player(rules, settings), game_(GameObject::of(rules)), at_(game_->initial()), player_(player) {
        if (PyType_Check(player.ptr()) != 0) player_ = player();
    }
    ~PythonPlayer() override {
        const py::gil_scoped_acquire acquire;
        player_ = py::object();
        at_ = nullptr;
        game_ = nullptr;
    }

private:
    void prepare(const play::Deadline& deadline) override {
        const py::gil_scoped_acquire acquire;
        if (!py::hasattr(player_, "start")) return;
        const InPython inside;
        player_.attr("start")(StateObject{game_, at_, role()}, game_->player_of(role()),
                              DeadlineObject{{deadline, 0}});
    }

    void learn(const play::Observation& seen) override {
        if (rules().hidden()) return;
        const py::gil_scoped_acquire acquire;
        gdl::JointMove joint;
        for (std::size_t r = 0; r < seen.joint.size(); ++r) joint.push_back(ours(r, seen.joint[r]));
        at_ = game_->after(at_, std::move(joint));
    }

    MoveId think(const std::vector<MoveId>& legal, const play::TimeBudget& allowance,
                 play::Thought&) override {
        const py::gil_scoped_acquire acquire;
        const InPython inside;
        if (rules().hidden())  // one of the states that agree with all that was seen
            at_ = game_->at(game_->state_of(rules().game().facts(belief().draw(random()).state)));
        const py::object answer =
            player_.attr("choose")(StateObject{game_, at_, role()}, DeadlineObject{allowance});
        return meant(answer, legal);
    }

    // A slip of its author, and no result of a match.
    [[nodiscard]] MoveId meant(const py::object& answer, const std::vector<MoveId>& legal) const {
        try {
            const MoveId chosen = move_of(*game_, role(), answer);
            for (const MoveId move : legal) {
                if (ours(role(), move) == chosen) return move;
            }
        } catch (const Error& error) {
            throw py::value_error(error.what());
        }
        throw py::value_error(fmt::format("{} may not play {} here; choose one of state.legal_moves()",
                                          rules().role_name(role()), py::str(answer).cast<std::string>()));
    }

    // A move of the match as a move of our copy of the game.
    [[nodiscard]] MoveId ours(std::size_t role, MoveId move) const {
        if (&game_->game() == &rules().game()) return move;
        return game_->find_move(role, rules().game().move_text(role, move)).value();
    }

    std::shared_ptr<GameObject> game_;
    NodePointer at_;
    py::object player_;
};

std::unique_ptr<play::Player> make_python_player(const play::Spec& spec, const GameContext& rules,
                                                 const play::Settings& settings) {
    const py::gil_scoped_acquire acquire;
    const auto number = spec.options.find("object");
    const auto found = number == spec.options.end() ? known_players().end()
                                                    : known_players().find(std::stoull(number->second));
    if (found == known_players().end())
        throw Error("there is no player in Python of this number", "give the object itself");
    return std::make_unique<PythonPlayer>(rules, settings, found->second);
}

// A built-in player that is asked about states in any order. It sees the moves that led to them.
class PlayerObject {
public:
    PlayerObject(std::shared_ptr<GameObject> game, const std::string& spec, const py::object& player,
                 std::uint64_t seed)
        : game_(std::move(game)), spec_(play::read_spec(spec)) {
        settings_.role = game_->role_of(player);
        settings_.seed = seed;
        if (game_->chance(settings_.role)) throw Error("chance is no player", "name one of the players");
        (void)game_->context();
    }

    [[nodiscard]] py::object choose(const StateObject& state, std::optional<double> seconds,
                                    std::uint64_t playouts) {
        if (state.game != game_)
            throw Error("the state belongs to another game", "give a state of the player's game");
        const auto& here = game_->look(state.at);
        if (here.over) throw Error("the play is over", "ask about a state with moves");
        const InUse use(in_use_);
        catch_up(state.at);
        play::TimeBudget budget;
        if (!seconds && playouts == 0) {
            seconds = spec_.seconds;
            playouts = spec_.playouts.value_or(0);
            if (!seconds && playouts == 0) seconds = 1;
        }
        if (seconds) budget.deadline = play::Deadline::in(*seconds);
        budget.playouts = playouts;
        const MoveId move = long_call([&] { return player_->choose(budget); });
        return game_->name(game_->action(settings_.role, move));
    }

    [[nodiscard]] py::dict thought() const {
        using namespace py::literals;
        const play::Thought& last = player_ == nullptr ? nothing_ : player_->thought();
        py::list estimates;
        for (const play::Estimate& one : last.estimates)
            estimates.append(py::dict("move"_a = game_->name(settings_.role, one.move), "mean"_a = one.mean,
                                      "low"_a = one.low, "high"_a = one.high, "visits"_a = one.visits,
                                      "proven"_a = one.proven));
        return py::dict("estimates"_a = estimates, "playouts"_a = last.playouts,
                        "positions"_a = last.positions, "seconds"_a = last.seconds, "remark"_a = last.remark);
    }

private:
    void catch_up(const NodePointer& at) {
        std::vector<NodePointer> steps;
        NodePointer node = at;
        for (; node != seen_ && node->parent != nullptr; node = node->parent) steps.push_back(node);
        if (node != seen_ || player_ == nullptr) {
            if (node->state != game_->initial()->state)
                throw Error("the state has no past", "reach it from initial_state() by apply()");
            player_ = play::make_player(spec_, game_->context(), settings_, game_->shared());
        }
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            player_->see(observed(**step));
            seen_ = *step;
        }
        seen_ = at;
    }

    [[nodiscard]] play::Observation observed(const Node& step) const {
        play::Observation seen{step.joint, step.joint[settings_.role], {}};
        if (!game_->context().hidden()) return seen;
        (void)game_->look(step.parent);
        game_->runner().play(step.joint);
        game_->runner().sees(settings_.role, seen.percepts);
        std::ranges::sort(seen.percepts);
        seen.joint.clear();
        return seen;
    }

    static inline const play::Thought nothing_;
    std::shared_ptr<GameObject> game_;
    play::Spec spec_;
    play::Settings settings_;
    std::unique_ptr<play::Player> player_;
    NodePointer seen_;
    bool in_use_ = false;
};

py::list players() {
    using namespace py::literals;
    py::list all;
    for (const play::PlayerDescription& player : play::describe_players()) {
        if (player.name == "python") continue;
        py::dict keys;
        for (const auto& described : {player.keys, play::describe_common_keys()}) {
            for (const play::KeyDescription& key : described) keys[py::str(key.name)] = key.about;
        }
        all.append(py::dict("name"_a = player.name, "about"_a = player.about, "settings"_a = keys));
    }
    return all;
}

std::string label_of(const py::object& player) {
    if (py::hasattr(player, "name")) return py::str(player.attr("name"));
    const py::object type = PyType_Check(player.ptr()) != 0 ? player : py::type::of(player);
    return py::str(type.attr("__name__"));
}

}  // namespace

PlayerSpec::PlayerSpec(const py::object& player) {
    if (py::isinstance<py::str>(player)) {
        text_ = player.cast<std::string>();
        return;
    }
    if (!py::hasattr(player, "choose"))
        throw Error("a player is neither a text nor an object with choose(state, deadline)",
                    "name a built-in player as in uct:playouts=1000, or give such an object");
    static std::uint64_t latest = 0;
    number_ = ++latest;
    known_players().emplace(*number_, player);
    std::string label = label_of(player);
    for (char& c : label) {
        if (c == ',' || c == ':' || c == '=') c = '_';
    }
    text_ = fmt::format("python:object={},label={}", *number_, label);
}

PlayerSpec::~PlayerSpec() {
    if (!number_) return;
    const py::gil_scoped_acquire acquire;
    known_players().erase(*number_);
}

InPython::InPython() {
    static std::uint64_t latest = 0;
    entry_ = ++latest;
    threads_in_python()[entry_] = {PyThread_get_thread_ident(), Cancellable::flag()};
}

InPython::~InPython() { threads_in_python().erase(entry_); }

void InPython::interrupt(const std::atomic<bool>* flag) {
    for (const auto& [entry, thread] : threads_in_python()) {
        if (thread.flag == flag) PyThreadState_SetAsyncExc(thread.id, PyExc_KeyboardInterrupt);
    }
}

void bind_players(py::module_& module) {
    play::register_player({"python", "a player written in Python", {{"object", "its number"}}},
                          make_python_player);
    py::class_<DeadlineObject>(module, "Deadline", "How long a player may think about a move.")
        .def(
            "left", [](const DeadlineObject& self) { return self.budget.deadline.left(); },
            "Seconds that are left; an hour where there is no clock.")
        .def(
            "passed", [](const DeadlineObject& self) { return self.budget.deadline.passed(); },
            "Whether it is time to answer: the time is up, or the work has been interrupted.")
        .def_property_readonly(
            "playouts", [](const DeadlineObject& self) { return self.budget.playouts; },
            "How many playouts are allowed; 0 where only the clock counts.");
    py::class_<PlayerObject>(module, "Player", "A built-in player for one role of a game.")
        .def("choose", &PlayerObject::choose, py::arg("state"), py::kw_only(),
             py::arg("seconds") = py::none(), py::arg("playouts") = 0,
             "A move in this state; with a second to think, unless something else is said.")
        .def_property_readonly(
            "thought", &PlayerObject::thought,
            "What it thought about its last move: estimates of moves, playouts, a remark.");
    module.def(
        "player",
        [](const std::string& spec, std::shared_ptr<GameObject> game, const py::object& player,
           std::uint64_t seed) {
            return std::make_unique<PlayerObject>(std::move(game), spec, player, seed);
        },
        py::arg("spec"), py::arg("game"), py::arg("player") = 0, py::kw_only(), py::arg("seed") = 1,
        "A built-in player by its specification, such as uct:playouts=1000, for a player of a game.");
    module.def("players", &players, "The built-in players, with their settings.");
}

}  // namespace zermelo::python
