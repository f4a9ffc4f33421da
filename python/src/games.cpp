// zermelo.Game: a game in GDL.

#include "game.hpp"
#include "long_call.hpp"

namespace zermelo::python {

namespace {

bool is_chance(const gdl::Network& network, gdl::TermId role) {
    return network.terms.symbol(role) == gdl::kw_random && network.terms.arguments(role).empty();
}

// In lower case, with one blank between words.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (blank && (result.empty() || result.back() == ' ' || result.back() == '(')) continue;
        if (c == ')' && result.ends_with(' ')) result.pop_back();
        result += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
}

// Under the lock of the interpreter.
std::map<const play::GameContext*, std::weak_ptr<GameObject>>& contexts() {
    static std::map<const play::GameContext*, std::weak_ptr<GameObject>> all;
    return all;
}

py::dict playouts(GameObject& game, std::uint64_t count, std::optional<double> seconds,
                  const std::string& engine, std::uint64_t seed) {
    static const std::map<std::string, gdl::Engine> engines = {{"auto", gdl::Engine::automatic},
                                                               {"sliced", gdl::Engine::sliced},
                                                               {"scalar", gdl::Engine::scalar},
                                                               {"interpreter", gdl::Engine::interpreter}};
    const auto chosen = engines.find(engine);
    if (chosen == engines.end())
        throw Error("there is no engine " + engine, "choose auto, sliced, scalar or interpreter");
    if (count == 0 && !seconds)
        throw Error("no playouts are asked for", "say how many, or for how many seconds");
    gdl::SimulateOptions options;
    options.playouts = count;
    options.seconds = seconds.value_or(1);
    options.seed = seed;
    options.engine = chosen->second;
    const gdl::Simulation done = long_call([&] { return gdl::simulate(game.machine(), options); });
    if (done.stop != Stop::none) throw LimitReached(done.stop, "during the playouts", "ask for fewer");
    py::dict goals;
    for (std::size_t r = 0; r < game.role_names().size(); ++r) {
        if (!game.chance(r))
            goals[py::str(game.role_names()[r])] =
                done.tally.goals[r] / static_cast<double>(std::max<std::uint64_t>(done.tally.playouts, 1));
    }
    const auto per = [](double amount, double of) { return of > 0 ? amount / of : 0; };
    const auto finished = static_cast<double>(done.tally.playouts);
    using namespace py::literals;
    return py::dict("playouts"_a = done.tally.playouts, "states"_a = done.tally.states, "goals"_a = goals,
                    "mean_length"_a = per(static_cast<double>(done.tally.length), finished),
                    "cpu_seconds"_a = done.cpu_seconds,
                    "playouts_per_second"_a = per(finished, done.cpu_seconds),
                    "states_per_second"_a = per(static_cast<double>(done.tally.states), done.cpu_seconds),
                    "engine"_a = done.engine == gdl::Engine::sliced ? "sliced" : "scalar");
}

}  // namespace

GameObject::GameObject(Problem rules)
    : ProblemObject(std::move(rules)), runner_(machine(), gdl::Runner::Rules::fastest) {
    const gdl::Network& network = machine().network();
    for (std::size_t r = 0; r < network.roles.size(); ++r) {
        role_names_.push_back(game().text(network.roles[r]));
        player_of_.push_back(is_chance(network, network.roles[r]) ? chance_player
                                                                  : static_cast<int>(players_.size()));
        if (player_of_.back() >= 0) players_.push_back(r);
        first_action_.push_back(actions_.size());
        moves_.emplace_back();
        move_names_.emplace_back();
        for (gdl::MoveId m = 0; m < network.moves[r].size(); ++m) {
            const std::string name = game().move_text(r, m);
            actions_.push_back({r, m});
            names_.push_back(py::str(name));
            moves_.back().emplace(plain(name), m);
            move_names_.back().push_back(name);
        }
    }
    if (players_.empty())
        throw Error({problem.file()}, "the only role is random", "name a player with (role …)");
    look_.legal.resize(role_names_.size());
    initial_ = at(machine().initial());
}

GameObject::~GameObject() {
    const py::gil_scoped_acquire acquire;
    contexts().erase(context_.get());
    names_.clear();
}

std::vector<std::string> GameObject::player_names() const {
    std::vector<std::string> names;
    for (const std::size_t role : players_) names.push_back(role_names_[role]);
    return names;
}

std::size_t GameObject::role_of(const py::object& player) const {
    if (py::isinstance<py::int_>(player)) {
        const auto number = player.cast<std::int64_t>();
        if (number >= 0 && static_cast<std::size_t>(number) < players_.size())
            return players_[static_cast<std::size_t>(number)];
        throw Error("there is no player " + std::to_string(number),
                    "players are numbered from 0 to " + std::to_string(players_.size() - 1));
    }
    const std::string name = py::str(player);
    const auto found = std::ranges::find(role_names_, plain(name), plain);
    if (found != role_names_.end()) return static_cast<std::size_t>(found - role_names_.begin());
    std::string all;
    for (const std::string& role : role_names_) all += (all.empty() ? "" : ", ") + role;
    throw Error("there is no role " + name, "choose from " + all);
}

std::optional<gdl::MoveId> GameObject::find_move(std::size_t role, const std::string& name) const {
    auto found = moves_[role].find(name);
    if (found == moves_[role].end()) found = moves_[role].find(plain(name));
    if (found == moves_[role].end()) return std::nullopt;
    return found->second;
}

NodePointer GameObject::at(gdl::State state) const {
    auto node = std::make_shared<Node>();
    node->state = std::move(state);
    return node;
}

gdl::State GameObject::state_of(const std::vector<std::string>& facts) const {
    const auto& fluents = machine().network().fluents;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < fluents.size(); ++i) places.emplace(plain(game().text(fluents[i])), i);
    gdl::State state(machine().initial().size(), 0);
    for (const std::string& fact : facts) {
        const auto place = places.find(plain(fact));
        if (place == places.end())
            throw Error(fact + " never holds in this game", "fluents lists what may hold");
        state[place->second / 64] |= std::uint64_t{1} << (place->second % 64);
    }
    return state;
}

NodePointer GameObject::after(const NodePointer& here, gdl::JointMove joint) {
    (void)look(here);
    auto node = std::make_shared<Node>();
    runner_.play(joint);
    runner_.next(node->state);
    node->parent = here;
    node->depth = here->depth + 1;
    node->joint = std::move(joint);
    return node;
}

std::string GameObject::text(const gdl::State& state) {
    if (!board_) board_ = std::make_unique<catalogue::TextBoard>(game());
    return board_->draw(game().facts(state));
}

const GameObject::Look& GameObject::look(const NodePointer& at) {
    if (look_.at == at) return look_;
    look_.at = nullptr;  // in case that something is wrong with it
    runner_.load(at->state);
    look_.over = runner_.terminal();
    look_.with_a_choice = 0;
    look_.mover = players_.front();
    for (std::size_t r = 0; r < look_.legal.size() && !look_.over; ++r) {
        runner_.legal(r, look_.legal[r]);
        if (look_.legal[r].empty()) stuck(r);
        if (look_.legal[r].size() == 1) continue;
        ++look_.with_a_choice;
        look_.mover = r;
    }
    look_.at = at;
    return look_;
}

void GameObject::stuck(std::size_t role) const {
    throw Error({problem.file()}, role_names_[role] + " has no legal move in a state that is not terminal",
                "give every role a legal move in every state that is not terminal");
}

std::shared_ptr<GameObject> GameObject::of(const play::GameContext& context) {
    const auto found = contexts().find(&context);
    if (found != contexts().end()) {
        if (auto game = found->second.lock()) return game;
    }
    return std::make_shared<GameObject>(make_problem(gdl::Game(context.game().description())));
}

const play::GameContext& GameObject::context() {
    if (!context_) {
        std::unique_ptr<play::GameContext> made;
        run_long([&] { made = std::make_unique<play::GameContext>(game()); });
        if (!context_) context_ = std::move(made);  // unless another thread was faster
        contexts()[context_.get()] = weak_from_this();
    }
    return *context_;
}

gdl::MoveId move_of(const GameObject& game, std::size_t role, const py::handle& move) {
    if (py::isinstance<py::int_>(move)) {
        const auto number = move.cast<std::int64_t>();
        if (number >= 0 && static_cast<std::size_t>(number) < game.actions().size()) {
            const auto& action = game.actions()[static_cast<std::size_t>(number)];
            if (action.role == role) return action.move;
        }
        throw Error("action " + std::to_string(number) + " is no move of " + game.role_names()[role],
                    "legal_actions() tells which are");
    }
    const std::string name = py::str(move);
    if (const auto found = game.find_move(role, name)) return *found;
    throw Error(game.role_names()[role] + " has no move " + name, "legal_moves() tells which there are");
}

void bind_games(py::module_& module) {
    module.attr("CHANCE") = chance_player;
    module.attr("SIMULTANEOUS") = simultaneous_players;
    module.attr("TERMINAL") = terminal_player;
    py::class_<GameObject, ProblemObject, std::shared_ptr<GameObject>>(
        module, "Game", "A game in GDL: rules that make states, batches and playouts.")
        .def(py::init([](const std::string& text, const std::string& name) {
                 Problem read = long_call([&] { return read_text(text, Language::gdl, name); });
                 return std::make_shared<GameObject>(std::move(read));
             }),
             py::kw_only(), py::arg("text"), py::arg("name") = "text.kif",
             "A game from the text of its rules in GDL.")
        .def_property_readonly("roles", &GameObject::role_names, "All roles, chance among them.")
        .def_property_readonly("players", &GameObject::player_names, "The roles but chance, by number.")
        .def_property_readonly(
            "actions",
            [](const GameObject& game) {
                py::list all;
                for (std::size_t a = 0; a < game.actions().size(); ++a)
                    all.append(py::make_tuple(game.role_names()[game.actions()[a].role], game.name(a)));
                return all;
            },
            "All actions by number: (role, move).")
        .def_property_readonly(
            "fluents",
            [](const GameObject& game) {
                std::vector<std::string> all;
                for (const gdl::TermId fluent : game.machine().network().fluents)
                    all.push_back(game.game().text(fluent));
                return all;
            },
            "What may hold in a state, in the order of tensors.")
        .def(
            "initial_state",
            [](GameObject& game) {
                return StateObject{game.shared_from_this(), game.initial()};
            },
            "The state in which plays begin.")
        .def(
            "state",
            [](GameObject& game, const std::vector<std::string>& facts) {
                return StateObject{game.shared_from_this(), game.at(game.state_of(facts))};
            },
            py::arg("facts"), "The state in which these facts hold, without a past.")
        .def("playouts", &playouts, py::arg("count") = 0, py::kw_only(), py::arg("seconds") = py::none(),
             py::arg("engine") = "auto", py::arg("seed") = 1,
             "Random plays from the initial state, many at once: how many, what the roles get, how fast.\n\n"
             "Without a count they go on for so many seconds of processor time.");
}

}  // namespace zermelo::python
