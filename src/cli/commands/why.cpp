#include "cli/commands/why.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "core/format/text.hpp"

namespace zermelo::cli {

namespace {

using game::Choice;
using game::ExplainedMove;
using game::ExplainedPosition;

// `won in 5 moves`
std::string standing(game::Player player, const std::vector<int>& values, std::optional<game::Rank> left) {
    const std::string word = game::verdict(player, values);
    const std::string payoff =
        values[player] == game::win || values[player] == game::loss || values[player] == game::draw
            ? ""
            : fmt::format(" with {}", values[player]);
    return left ? fmt::format("{}{} in {}", word, payoff, plural(count_text(*left), "move")) : word + payoff;
}

std::string why_forced(const ExplainedPosition& position) {
    switch (position.choice) {
        case Choice::only_move:
            return "; the only legal move";
        case Choice::only_answer:
            return "; forced: any other move loses at once";
        case Choice::only_good:
            return "; any other move is worth less";
        case Choice::none_holds:
            return "; every move loses at once";
        default:
            return "";
    }
}

bool loses(const ExplainedPosition& position) {
    return std::string(game::verdict(*position.mover, position.values)) == "lost";
}

void print_move(const ExplainedPosition& position, const ExplainedMove& move, std::size_t width) {
    const std::string note = move.ends       ? ", the end"
                             : move.loses_to ? fmt::format(", loses at once to {}", *move.loses_to)
                             : move.answer   ? fmt::format(", answered by {}", *move.answer)
                                             : "";
    const auto resists_less = [&](const ExplainedMove& other) { return other.left != move.left; };
    const bool defence = move.chosen && loses(position) && std::ranges::any_of(position.moves, resists_less);
    std::cout << fmt::format("  {} {:<{}}  {}{}{}\n", move.chosen ? "*" : " ", move.move, width,
                             standing(*position.mover, move.values, move.left), note,
                             defence ? "  (best defence)" : "");
}

void print_position(const game::Explanation& explanation, std::size_t place) {
    const ExplainedPosition& position = explanation.play[place];
    if (!position.mover) return;
    const std::string& mover = explanation.players[*position.mover];
    std::cout << fmt::format("{}. {}: {}{}\n", place - explanation.at + 1, mover,
                             standing(*position.mover, position.values, position.left), why_forced(position));
    for (const game::Threat& threat : position.threats) {
        std::cout << fmt::format(
            "  threat: {} wins at once{}\n", threat.move,
            threat.answers.empty() ? ", whatever is played"
                                   : fmt::format(" unless {} is played", fmt::join(threat.answers, " or ")));
    }
    const bool won = std::string(game::verdict(*position.mover, position.values)) == "won";
    const auto best = static_cast<std::size_t>(
        std::ranges::count_if(position.moves, [](const auto& move) { return move.best; }));
    std::size_t width = 0;
    for (const ExplainedMove& move : position.moves) width = std::max(width, move.move.size());
    // Of who wins one move is enough; whoever does not is shown every reply.
    for (const ExplainedMove& move : position.moves) {
        if (!won || move.chosen) print_move(position, move, won ? move.move.size() : width);
    }
    if (won && position.moves.size() > 1) {
        std::cout << fmt::format("    {} of {} win\n", count_text(best),
                                 plural(count_text(position.moves.size()), "move"));
    }
}

void put_in_words(game::Explanation& explanation, const catalogue::Speech& speech) {
    const auto say = [&](std::string& move) { move = speech.say(move); };
    for (ExplainedPosition& position : explanation.play) {
        for (ExplainedMove& move : position.moves) {
            say(move.move);
            if (move.answer) say(*move.answer);
            if (move.loses_to) say(*move.loses_to);
        }
        for (game::Threat& threat : position.threats) {
            say(threat.move);
            std::ranges::for_each(threat.answers, say);
        }
    }
}

}  // namespace

void print_explanation(game::Explanation explanation, const catalogue::Speech& speech,
                       const std::vector<std::string>& pictures) {
    put_in_words(explanation, speech);
    const ExplainedPosition& asked = explanation.asked();
    if (!asked.solved) {
        std::cout << fmt::format("unknown: {}\n", describe(explanation.stop));
        return;
    }
    if (!asked.mover) {
        std::cout << "the play is over\n";
        return;
    }
    for (std::size_t place = explanation.at; place < explanation.play.size(); ++place) {
        if (place - explanation.at < pictures.size())
            std::cout << (place > explanation.at ? "\n" : "") << pictures[place - explanation.at] << '\n';
        if (explanation.play[place].solved) print_position(explanation, place);
    }
    const ExplainedPosition& last = explanation.play.back();
    if (explanation.repeats) {
        std::cout << "the play comes back to where it was: nobody can force more\n";
    } else if (!explanation.complete) {
        std::cout << fmt::format("to be continued: {}\n", explanation.stop == Stop::none
                                                              ? "the line is longer than this"
                                                              : describe(explanation.stop));
    } else {
        std::cout << "the end:";
        for (std::size_t p = 0; p < last.values.size(); ++p)
            std::cout << fmt::format("{} {} {}", p == 0 ? "" : ",", explanation.players[p], last.values[p]);
        std::cout << '\n';
    }
}

}  // namespace zermelo::cli
