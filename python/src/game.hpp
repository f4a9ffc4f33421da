// Games and problems as Python sees them: what is worked out once for a game and shared by its states.
//
// Steps of single states are short and keep the interpreter's lock, so all states of a game share one Runner. Players
// and actions are numbered: players are the roles but chance, in their order, and actions are the moves of all roles,
// those of the first role first (gdl/circuit/bitsliced_batch.hpp).

#pragma once

#include <memory>
#include <unordered_map>

#include "module.hpp"
#include "zermelo/catalogue.hpp"
#include "zermelo/gdl.hpp"
#include "zermelo/play.hpp"
#include "zermelo/solve.hpp"

namespace zermelo::python {

// Whose turn it is where no player's: the numbers of OpenSpiel (Lanctot et al. 2019).
inline constexpr int chance_player = -1;
inline constexpr int simultaneous_players = -2;
inline constexpr int terminal_player = -4;

class ProblemObject {
public:
    explicit ProblemObject(Problem rules) : problem(std::move(rules)) {}
    virtual ~ProblemObject() = default;
    const Problem problem;
};

// A position and how it came about. States share their past.
struct Node {
    gdl::State state;
    mutable std::shared_ptr<const Node> parent = nullptr;
    gdl::JointMove joint = {};  // that led here
    std::size_t depth = 0;

    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    ~Node() {
        // A long play is dropped without recursion.
        auto next = std::move(parent);
        while (next != nullptr && next.use_count() == 1) next = std::move(next->parent);
    }
};
using NodePointer = std::shared_ptr<const Node>;

class GameObject : public ProblemObject, public std::enable_shared_from_this<GameObject> {
public:
    explicit GameObject(Problem rules);
    ~GameObject() override;

    [[nodiscard]] const gdl::Game& game() const { return *problem.gdl(); }
    [[nodiscard]] const gdl::Machine& machine() const { return game().machine(); }
    [[nodiscard]] const std::vector<std::string>& role_names() const { return role_names_; }
    [[nodiscard]] const std::vector<std::size_t>& players() const { return players_; }  // roles
    [[nodiscard]] std::vector<std::string> player_names() const;
    [[nodiscard]] bool chance(std::size_t role) const { return player_of_[role] < 0; }
    [[nodiscard]] int player_of(std::size_t role) const { return player_of_[role]; }  // negative: chance
    // A role by its name, or a player by its number.
    [[nodiscard]] std::size_t role_of(const py::object& player) const;

    // --- actions ---
    struct Action {
        std::size_t role;
        gdl::MoveId move;
    };
    [[nodiscard]] const std::vector<Action>& actions() const { return actions_; }
    [[nodiscard]] std::size_t action(std::size_t role, gdl::MoveId move) const {
        return first_action_[role] + move;
    }
    [[nodiscard]] const py::object& name(std::size_t action) const { return names_[action]; }
    [[nodiscard]] const std::string& name(std::size_t role, gdl::MoveId move) const {
        return move_names_[role][move];
    }
    [[nodiscard]] std::optional<gdl::MoveId> find_move(std::size_t role, const std::string& name) const;

    // --- positions ---
    [[nodiscard]] const NodePointer& initial() const { return initial_; }
    [[nodiscard]] NodePointer at(gdl::State state) const;  // a position without a past
    // The state in which these facts hold. Throws Error where one is none of the game.
    [[nodiscard]] gdl::State state_of(const std::vector<std::string>& facts) const;
    [[nodiscard]] NodePointer after(const NodePointer& here, gdl::JointMove joint);
    [[nodiscard]] std::string text(const gdl::State& state);  // with its boards

    // What is known of a position until the next one is looked at.
    struct Look {
        NodePointer at;
        bool over = false;
        std::size_t mover = 0;                        // the role whose choice it is, unless several have one
        std::size_t with_a_choice = 0;                // how many roles
        std::vector<std::vector<gdl::MoveId>> legal;  // by role
    };
    const Look& look(const NodePointer& at);
    [[nodiscard]] gdl::Runner& runner() { return runner_; }  // after look(), about that position

    // What players share (play/game_context.hpp), made when it is first asked for.
    [[nodiscard]] const play::GameContext& context();
    // The game of a context: the one that made it, or a copy of a game that is somebody else's.
    [[nodiscard]] static std::shared_ptr<GameObject> of(const play::GameContext& context);
    [[nodiscard]] play::Shared& shared() { return shared_; }

private:
    [[noreturn]] void stuck(std::size_t role) const;

    std::vector<std::string> role_names_;
    std::vector<std::size_t> players_;
    std::vector<int> player_of_;  // by role
    std::vector<Action> actions_;
    std::vector<std::size_t> first_action_;  // by role
    std::vector<py::object> names_;          // by action
    std::vector<std::vector<std::string>> move_names_;
    std::vector<std::unordered_map<std::string, gdl::MoveId>> moves_;  // by role and name
    gdl::Runner runner_;
    NodePointer initial_;
    Look look_;
    std::unique_ptr<catalogue::TextBoard> board_;
    std::unique_ptr<play::GameContext> context_;
    play::Shared shared_;
};

// A state of a game: zermelo.State.
struct StateObject {
    std::shared_ptr<GameObject> game;
    NodePointer at;
    std::optional<std::size_t> me = {};  // the role of the player that it was given to, in a match
};

// The rules of a language are a Game where they are in GDL, and a Problem otherwise.
[[nodiscard]] std::shared_ptr<ProblemObject> as_object(Problem problem);

// By number, or by name whatever its case and blanks. Throws Error where the role has no such move.
[[nodiscard]] gdl::MoveId move_of(const GameObject& game, std::size_t role, const py::handle& move);

}  // namespace zermelo::python
