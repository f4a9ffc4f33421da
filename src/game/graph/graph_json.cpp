// Graphs as JSON. The states are taken one by one while the text is parsed, so that a large file needs no
// tree of JSON values.

#include <fmt/format.h>

#include <istream>
#include <iterator>
#include <ostream>

#include "core/format/json.hpp"
#include "core/format/json_text.hpp"
#include "game/graph/graph_draft.hpp"

namespace zermelo::game {

namespace {

using nlohmann::json;

constexpr const char* format_name = "zermelo-graph";
constexpr int format_version = 1;
constexpr std::int64_t most_weight = 1'000'000'000;

class JsonGraphReader {
public:
    explicit JsonGraphReader(const std::string& file)
        : file_{.name = file,
                .what = "graph",
                .not_json = "correct the file, or write it again",
                .deepest = 8} {}

    Graph read(const std::string& text) {
        const json document =
            parse_json(text, file_, [this](int depth, json::parse_event_t event, json& parsed) {
                return take(depth, event, parsed);
            });
        take_header({file_, document});
        const DraftPlaces where{"/players", "/initial",
                                [](std::size_t state) { return fmt::format("/states/{}", state); },
                                [](std::size_t state, std::size_t move) {
                                    return fmt::format("/states/{}/moves/{}", state, move);
                                }};
        return finish(std::move(draft_), file_.name, where);
    }

private:
    // Called for every value; the members of /states are taken out here and never stored.
    bool take(int depth, json::parse_event_t event, json& parsed) {
        using Event = json::parse_event_t;
        if (event == Event::key && depth == 1) in_states_ = parsed == "states";
        const bool complete =
            event == Event::object_end || event == Event::array_end || event == Event::value;
        if (!in_states_ || depth != 2 || !complete) return true;
        take_state({file_, parsed, fmt::format("/states/{}", draft_.states.size())});
        return false;
    }

    void take_state(const JsonCursor& object) {
        object.allow_only({"name", "player", "winner", "payoffs", "moves"});
        GraphDraft::State& state = draft_.states.emplace_back();
        state.name = text_if_given(object, "name");
        if (state.name.empty()) throw object.wrong("\"name\" is missing", "give every state a name");
        state.player = text_if_given(object, "player");
        state.winner = text_if_given(object, "winner");
        if (const auto given = object.find("payoffs")) state.payoffs = payoffs(*given);
        if (const auto moves = object.find("moves")) {
            for (const JsonCursor& one : moves->elements()) state.moves.push_back(move(one));
        }
    }

    [[nodiscard]] static GraphDraft::Move move(const JsonCursor& move) {
        if (move.value().is_string()) return {text(move), ""};
        move.allow_only({"to", "name", "weight"});
        GraphDraft::Move result{text_if_given(move, "to"), text_if_given(move, "name")};
        if (const auto weight = move.find("weight"))
            result.weight = static_cast<std::uint64_t>(weight->integer(1, most_weight));
        return result;
    }

    [[nodiscard]] static std::vector<int> payoffs(const JsonCursor& list) {
        std::vector<int> result;
        for (const JsonCursor& one : list.elements()) {
            const json& payoff = one.value();
            if (!payoff.is_number_integer() || payoff < loss || payoff > win) {
                throw list.wrong(json_text(payoff) + " cannot be a payoff", "payoffs are 0 … 100");
            }
            result.push_back(payoff.get<int>());
        }
        return result;
    }

    void take_header(const JsonCursor& document) {
        document.allow_only({"format", "version", "description", "players", "initial", "states"});
        if (text_if_given(document, "format") != format_name) {
            throw wrong("/format", "this is not a graph",
                        fmt::format("its format should be \"{}\"", format_name));
        }
        const auto version = document.find("version");
        if (!version || version->value() != format_version) {
            throw wrong("/version", "this version of the format is unknown",
                        fmt::format("version {} can be read", format_version));
        }
        draft_.description = text_if_given(document, "description");
        draft_.initial = text_if_given(document, "initial");
        const auto states = document.find("states");
        if (!states) throw wrong("/states", "there are no states", "list them");
        (void)states->size();
        const auto players = document.find("players");
        if (!players) throw wrong("/players", "no player is named", "name at least one");
        for (const JsonCursor& player : players->elements())
            draft_.players.push_back(text({file_, player.value(), players->pointer()}));
    }

    // About a member that may not be there.
    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem,
                              const std::string& remedy) const {
        return Error({file_.name}, pointer + ": " + problem, remedy);
    }
    [[nodiscard]] static std::string text_if_given(const JsonCursor& object, const char* name) {
        const auto found = object.find(name);
        return found ? text(*found) : std::string();
    }
    [[nodiscard]] static std::string text(const JsonCursor& value) {
        std::string result = value.text();
        if (result.find('\0') != std::string::npos) {
            throw value.wrong("this text has a character of code 0", "remove it");
        }
        return result;
    }

    JsonFile file_;
    GraphDraft draft_;
    bool in_states_ = false;
};

void write_state(std::ostream& out, const Graph& graph, StateId s) {
    out << "    {\"name\": " << quoted_json(graph.name(s));
    if (graph.over(s)) {
        const auto& payoffs = graph.payoffs(s);
        if (const auto winner = winner_of(payoffs)) {
            out << ", \"winner\": " << quoted_json(graph.players[*winner]);
        } else if (payoffs != payoffs_of_draw(graph.players.size())) {
            out << fmt::format(", \"payoffs\": [{}]", fmt::join(payoffs, ", "));
        }
    } else {
        out << ", \"player\": " << quoted_json(mover(graph, s)) << ", \"moves\": [";
        for (std::uint64_t move = graph.start[s]; move < graph.start[s + 1]; ++move) {
            const std::string to = quoted_json(graph.name(graph.to[move]));
            if (move > graph.start[s]) out << ", ";
            const bool named = !graph.move_names.empty() && !graph.move_names[move].empty();
            if (!named && graph.weight_of(move) == 1) {
                out << to;
                continue;
            }
            out << "{\"to\": " << to;
            if (named) out << ", \"name\": " << quoted_json(graph.move_names[move]);
            if (graph.weight_of(move) != 1) out << ", \"weight\": " << graph.weight_of(move);
            out << "}";
        }
        out << "]";
    }
    out << "}";
}

}  // namespace

Graph read_graph_json(std::istream& in, const std::string& file) {
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return JsonGraphReader(file).read(text);
}

void write_graph_json(std::ostream& out, const Graph& graph) {
    out << fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n", format_name, format_version);
    if (!graph.description.empty()) out << "  \"description\": " << quoted_json(graph.description) << ",\n";
    out << "  \"players\": " << json_text(json(graph.players)) << ",\n";
    out << "  \"initial\": " << quoted_json(graph.name(graph.initial)) << ",\n  \"states\": [\n";
    for (std::size_t s = 0; s < graph.states(); ++s) {
        write_state(out, graph, static_cast<StateId>(s));
        out << (s + 1 < graph.states() ? ",\n" : "\n");
    }
    out << "  ]\n}\n";
}

}  // namespace zermelo::game
