// Graphs as JSON. The states are taken one by one while the text is parsed, so that a large file needs no
// tree of JSON values.

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>

#include "game/graph/graph_draft.hpp"

namespace zermelo::game {

namespace {

using nlohmann::json;

constexpr const char* format_name = "zermelo-graph";
constexpr int format_version = 1;

class Reader {
public:
    explicit Reader(const std::string& file) : file_(file) {}

    Graph read(const std::string& text) {
        json document;
        try {
            document = json::parse(text, [this](int depth, json::parse_event_t event, json& parsed) {
                return take(depth, event, parsed);
            });
        } catch (const json::parse_error& error) {
            throw Error(place_of(text, error.byte), "this is not JSON: " + reason(error),
                        "mend the file, or write it again");
        } catch (const json::exception& error) {
            throw Error(Place{file_}, error.what());
        }
        take_header(document);
        const DraftPlaces where{"/players", "/initial",
                                [](std::size_t state) { return fmt::format("/states/{}", state); },
                                [](std::size_t state, std::size_t move) {
                                    return fmt::format("/states/{}/moves/{}", state, move);
                                }};
        return finish(std::move(draft_), file_, where);
    }

private:
    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem,
                              const std::string& remedy) const {
        return Error({file_}, pointer + ": " + problem, remedy);
    }

    // Called for every value; the members of /states are taken out here and never stored.
    bool take(int depth, json::parse_event_t event, json& parsed) {
        constexpr int deepest = 8;  // a graph needs 6
        if (depth > deepest) {
            throw Error({file_}, "this is nested too deeply for a graph", "see the format of graphs");
        }
        using Event = json::parse_event_t;
        if (event == Event::key && depth == 1) in_states_ = parsed == "states";
        const bool complete =
            event == Event::object_end || event == Event::array_end || event == Event::value;
        if (!in_states_ || depth != 2 || !complete) return true;
        take_state(parsed, fmt::format("/states/{}", draft_.states.size()));
        return false;
    }

    void take_state(const json& object, const std::string& at) {
        require_object(object, at, {"name", "player", "winner", "payoffs", "moves"});
        GraphDraft::State& state = draft_.states.emplace_back();
        state.name = string(object, "name", at);
        if (state.name.empty()) throw wrong(at, "\"name\" is missing", "give every state a name");
        state.player = string(object, "player", at);
        state.winner = string(object, "winner", at);
        if (object.contains("payoffs")) state.payoffs = payoffs(object["payoffs"], at + "/payoffs");
        if (!object.contains("moves")) return;
        const json& moves = list(object["moves"], at + "/moves");
        for (std::size_t i = 0; i < moves.size(); ++i) {
            state.moves.push_back(move(moves[i], fmt::format("{}/moves/{}", at, i)));
        }
    }

    [[nodiscard]] GraphDraft::Move move(const json& value, const std::string& at) const {
        if (value.is_string()) return {text(value, at), ""};
        require_object(value, at, {"to", "name"});
        return {string(value, "to", at), string(value, "name", at)};
    }

    [[nodiscard]] std::vector<int> payoffs(const json& value, const std::string& at) const {
        std::vector<int> result;
        for (const json& payoff : list(value, at)) {
            if (!payoff.is_number_integer() || payoff < loss || payoff > win) {
                throw wrong(at, payoff.dump() + " cannot be a payoff", "payoffs are 0 … 100");
            }
            result.push_back(payoff.get<int>());
        }
        return result;
    }

    void take_header(const json& document) {
        require_object(document, "", {"format", "version", "description", "players", "initial", "states"});
        if (string(document, "format", "") != format_name) {
            throw wrong("/format", "this is not a graph",
                        fmt::format("its format should be \"{}\"", format_name));
        }
        if (!document.contains("version") || document["version"] != format_version) {
            throw wrong("/version", "this version of the format is unknown",
                        fmt::format("version {} can be read", format_version));
        }
        draft_.description = string(document, "description", "");
        draft_.initial = string(document, "initial", "");
        if (!document.contains("states")) throw wrong("/states", "there are no states", "list them");
        (void)list(document["states"], "/states");
        if (!document.contains("players")) throw wrong("/players", "no player is named", "name at least one");
        for (const json& player : list(document["players"], "/players")) {
            draft_.players.push_back(text(player, "/players"));
        }
    }

    // A member that nobody knows is more often a slip of the pen than meant to be passed over.
    void require_object(const json& value, const std::string& at,
                        std::initializer_list<std::string_view> members) const {
        if (!value.is_object()) throw wrong(at, "this should be an object", "see the format of graphs");
        for (const auto& [key, ignored] : value.items()) {
            if (std::find(members.begin(), members.end(), key) == members.end()) {
                throw wrong(at + "/" + key, "this is unknown here",
                            fmt::format("write one of {}", fmt::join(members, ", ")));
            }
        }
    }
    [[nodiscard]] const json& list(const json& value, const std::string& at) const {
        if (!value.is_array()) throw wrong(at, "this should be a list", "put it between [ and ]");
        return value;
    }
    // A member that is a text; empty where it is missing.
    [[nodiscard]] std::string string(const json& object, const char* name, const std::string& at) const {
        return object.contains(name) ? text(object[name], at + "/" + name) : std::string();
    }
    [[nodiscard]] std::string text(const json& value, const std::string& at) const {
        if (!value.is_string()) throw wrong(at, "this should be a text", "put it between quotation marks");
        auto result = value.get<std::string>();
        if (result.find('\0') != std::string::npos) {
            throw wrong(at, "this text has a character of code 0", "leave it out");
        }
        return result;
    }

    [[nodiscard]] Place place_of(const std::string& text, std::size_t byte) const {
        Place place{file_, 1, 1};
        for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
            place.column = text[i] == '\n' ? 1 : place.column + 1;
            if (text[i] == '\n') ++place.line;
        }
        return place;
    }
    // The library's message without its number and its own idea of the place.
    [[nodiscard]] static std::string reason(const json::parse_error& error) {
        const std::string message = error.what();
        const auto start = message.find(": ");
        return start == std::string::npos ? message : message.substr(start + 2);
    }

    const std::string& file_;
    GraphDraft draft_;
    bool in_states_ = false;
};

std::string quoted(const std::string& text) { return json(text).dump(); }

void write_state(std::ostream& out, const Graph& graph, StateId s) {
    out << "    {\"name\": " << quoted(graph.name(s));
    if (graph.over(s)) {
        const auto& payoffs = graph.payoffs(s);
        if (const auto winner = winner_of(payoffs)) {
            out << ", \"winner\": " << quoted(graph.players[*winner]);
        } else if (payoffs != payoffs_of_draw(graph.players.size())) {
            out << fmt::format(", \"payoffs\": [{}]", fmt::join(payoffs, ", "));
        }
    } else {
        out << ", \"player\": " << quoted(mover(graph, s)) << ", \"moves\": [";
        for (std::uint64_t move = graph.start[s]; move < graph.start[s + 1]; ++move) {
            const std::string to = quoted(graph.name(graph.to[move]));
            if (move > graph.start[s]) out << ", ";
            if (graph.move_names.empty() || graph.move_names[move].empty()) {
                out << to;
            } else {
                out << "{\"to\": " << to << ", \"name\": " << quoted(graph.move_names[move]) << "}";
            }
        }
        out << "]";
    }
    out << "}";
}

}  // namespace

Graph read_graph_json(std::istream& in, const std::string& file) {
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return Reader(file).read(text);
}

void write_graph_json(std::ostream& out, const Graph& graph) {
    out << fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n", format_name, format_version);
    if (!graph.description.empty()) out << "  \"description\": " << quoted(graph.description) << ",\n";
    out << "  \"players\": " << json(graph.players).dump() << ",\n";
    out << "  \"initial\": " << quoted(graph.name(graph.initial)) << ",\n  \"states\": [\n";
    for (std::size_t s = 0; s < graph.states(); ++s) {
        write_state(out, graph, static_cast<StateId>(s));
        out << (s + 1 < graph.states() ? ",\n" : "\n");
    }
    out << "  ]\n}\n";
}

}  // namespace zermelo::game
