#include "catalogue/plan_picture.hpp"

#include <algorithm>
#include <map>

#include "catalogue/board_view.hpp"
#include "gdl/analysis/forced_moves.hpp"

namespace zermelo::catalogue {

namespace {

using game::PlanGraph;
using Facts = std::vector<std::string>;

constexpr std::size_t most_lines = 8;     // of a node without a board
constexpr std::size_t longest_line = 40;  // characters

class PositionPictures {
public:
    PositionPictures(const gdl::Game& game, const Speech& speech)
        : game_(game), speech_(speech), forced_(game), board_(game, hints_beside(game.description().file)) {
        const auto& fluents = game.machine().network().fluents;
        for (std::size_t i = 0; i < fluents.size(); ++i) number_.emplace(game.text(fluents[i]), i);
    }

    void show(PlanGraph::Node& node, const PlanGraph::Node* before) {
        const Facts facts = terms_in(node.state);
        node.picture = picture(facts, before == nullptr ? Facts() : terms_in(before->state));
        const bool alone = node.edges.size() == 1 && node.edges.front().moves.size() == 1;
        if (const auto deed = alone ? forced_.at(state_of(facts)) : std::nullopt) {
            node.player = deed->role;
            node.edges.front().moves.front() = deed->move;
        }
        for (PlanGraph::Edge& edge : node.edges) {
            for (std::string& move : edge.moves) move = speech_.say(move);
        }
    }

private:
    [[nodiscard]] std::string picture(const Facts& facts, const Facts& before) const {
        Facts others = facts;
        const std::string board = board_.draw(others, before);
        if (!board.empty()) return board;
        std::erase_if(others, [&](const std::string& fact) { return std::ranges::count(before, fact) > 0; });
        std::string text;
        for (std::size_t i = 0; i < others.size() && i < most_lines; ++i)
            text += (others[i].size() <= longest_line ? others[i] : others[i].substr(0, longest_line) + "…") +
                    "\n";
        return others.size() > most_lines ? text + "…\n" : text;
    }

    [[nodiscard]] gdl::State state_of(const Facts& facts) const {
        gdl::State state(game_.machine().initial().size());
        for (const std::string& fact : facts) {
            const std::size_t i = number_.at(fact);
            state[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return state;
    }

    const gdl::Game& game_;
    const Speech& speech_;
    gdl::ForcedMoves forced_;
    BoardView board_;
    std::map<std::string, std::size_t> number_;  // of fluents
};

// By node: the place of one from which a move leads to it, the nearest to the root; nothing for the root.
std::vector<const PlanGraph::Node*> nodes_before(const PlanGraph& plan) {
    std::vector<const PlanGraph::Node*> before(plan.nodes.size(), nullptr);
    std::vector<PlanGraph::Id> open{plan.root};
    for (std::size_t at = 0; at < open.size(); ++at) {
        for (const PlanGraph::Edge& edge : plan.node(open[at]).edges) {
            if (edge.to == PlanGraph::ended || edge.to == plan.root || before[edge.to - 1] != nullptr)
                continue;
            before[edge.to - 1] = &plan.node(open[at]);
            open.push_back(edge.to);
        }
    }
    return before;
}

}  // namespace

void show_positions(PlanGraph& plan, const gdl::Game& game, const Speech& speech) {
    if (plan.root == PlanGraph::ended) return;
    PositionPictures pictures(game, speech);
    const auto before = nodes_before(plan);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        const bool stands_for_others = plan.nodes[i].edges.empty();
        if (!stands_for_others) pictures.show(plan.nodes[i], before[i]);
    }
}

}  // namespace zermelo::catalogue
