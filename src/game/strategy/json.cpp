#include "game/strategy/json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_map>

namespace zermelo::game {

namespace {

using nlohmann::json;

constexpr int format_version = 1;

std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string digits(Hash128 hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

void write_edge(std::ostream& out, const PlanGraph::Edge& edge) {
    out << "{\"moves\": [";
    const char* comma = "";
    for (const std::string& move : edge.moves) {
        out << comma << quoted(move);
        comma = ", ";
    }
    out << "], \"to\": " << edge.to;
    if (edge.to == PlanGraph::ended) out << fmt::format(", \"payoffs\": [{}]", fmt::join(edge.payoffs, ", "));
    out << "}";
}

void write_body(std::ostream& out, const PlanGraph& graph) {
    out << fmt::format("\"owner\": {},\n  \"promise\": {},\n", quoted(graph.owner), graph.promise);
    if (graph.fingerprint) out << fmt::format("  \"fingerprint\": \"{}\",\n", digits(*graph.fingerprint));
    out << fmt::format("  \"root\": {},\n  \"nodes\": [", graph.root);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlanGraph::Node& node = graph.nodes[i];
        out << fmt::format("{}    {{\"id\": {}, \"player\": {}, \"state\": {}, \"edges\": [",
                           i == 0 ? "\n" : ",\n", i + 1, quoted(node.player), quoted(node.state));
        const char* comma = "";
        for (const PlanGraph::Edge& edge : node.edges) {
            out << comma;
            write_edge(out, edge);
            comma = ", ";
        }
        out << "]}";
    }
    out << "\n  ]";
}

class Reader {
public:
    explicit Reader(const std::string& file) : file_(file) {}

    PlanText read(const std::string& text) {
        const json document = parse(text);
        if (member(document, "format", "") != "zermelo-strategy") {
            throw wrong("/format", "this is not a strategy", "its format should be \"zermelo-strategy\"");
        }
        if (member(document, "version", "") != format_version) {
            throw wrong("/version", "this version of the format is unknown",
                        fmt::format("version {} can be read", format_version));
        }
        if (!document.contains("kind") && document.contains("model")) {
            throw wrong("", "this is a strategy for a quantified model, and a plan of a game is needed",
                        "give the model that it was made for");
        }
        if (member(document, "kind", "") != "game") throw wrong("/kind", "this should be \"game\"");
        PlanText result{
            string(member(document, "game", ""), "/game"), hash(member(document, "rules", ""), "/rules"), {}};
        if (document.contains("plans")) {
            const json& plans = array(document["plans"], "/plans");
            for (std::size_t i = 0; i < plans.size(); ++i) {
                result.plans.push_back(graph(plans[i], fmt::format("/plans/{}", i)));
            }
        } else {
            result.plans.push_back(graph(document, ""));
        }
        return result;
    }

private:
    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem,
                              const std::string& remedy = "write the plan again") const {
        return Error({file_}, pointer.empty() ? problem : pointer + ": " + problem, remedy);
    }

    [[nodiscard]] json parse(const std::string& text) const {
        constexpr int deepest = 16;  // a plan needs 8
        try {
            return json::parse(text, [this](int depth, json::parse_event_t, json&) {
                if (depth > deepest) throw wrong("", "this is nested too deeply for a plan");
                return true;
            });
        } catch (const json::parse_error& error) {
            const std::string message = error.what();
            const auto start = message.find(": ");
            throw Error(
                place_of(text, error.byte),
                "this is not JSON: " + (start == std::string::npos ? message : message.substr(start + 2)),
                "write the plan again");
        } catch (const json::exception& error) {
            throw wrong("", error.what());
        }
    }

    [[nodiscard]] Place place_of(const std::string& text, std::size_t byte) const {
        Place place{file_, 1, 1};
        for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
            place.column = text[i] == '\n' ? 1 : place.column + 1;
            if (text[i] == '\n') ++place.line;
        }
        return place;
    }

    [[nodiscard]] PlanGraph graph(const json& object, const std::string& at) const {
        PlanGraph result;
        result.pointer = at;
        if (object.is_object() && object.contains("fingerprint")) {
            result.fingerprint = hash(object["fingerprint"], at + "/fingerprint");
        }
        result.owner = string(member(object, "owner", at), at + "/owner");
        result.promise = static_cast<int>(integer(member(object, "promise", at), at + "/promise", win));
        const json& nodes = array(member(object, "nodes", at), at + "/nodes");
        std::unordered_map<std::int64_t, PlanGraph::Id> number;  // nodes may have any ids
        number.emplace(0, PlanGraph::ended);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string node = fmt::format("{}/nodes/{}", at, i);
            const std::int64_t id = integer(member(nodes[i], "id", node), node + "/id", INT64_MAX);
            if (!number.emplace(id, static_cast<PlanGraph::Id>(i + 1)).second) {
                throw wrong(node + "/id",
                            id == 0 ? "0 is an ended play" : fmt::format("two nodes have the id {}", id));
            }
        }
        const auto named = [&](const json& value, const std::string& where) {
            const auto found = number.find(integer(value, where, INT64_MAX));
            if (found == number.end())
                throw wrong(where, fmt::format("node {} does not exist", value.dump()));
            return found->second;
        };
        result.root = named(member(object, "root", at), at + "/root");
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string where = fmt::format("{}/nodes/{}", at, i);
            PlanGraph::Node& node = result.nodes.emplace_back();
            node.player = string(member(nodes[i], "player", where), where + "/player");
            node.state = string(member(nodes[i], "state", where), where + "/state");
            const json& edges = array(member(nodes[i], "edges", where), where + "/edges");
            std::size_t moves = 0;
            for (std::size_t e = 0; e < edges.size(); ++e) {
                const std::string edge = fmt::format("{}/edges/{}", where, e);
                node.edges.push_back({strings(member(edges[e], "moves", edge), edge + "/moves"),
                                      named(member(edges[e], "to", edge), edge + "/to"),
                                      {}});
                moves += node.edges.back().moves.size();
            }
            if (node.player == result.owner && moves != 1)
                throw wrong(where + "/edges", "the owner makes one move");
        }
        return result;
    }

    [[nodiscard]] Hash128 hash(const json& value, const std::string& at) const {
        const std::string text = string(value, at);
        Hash128 result;
        const char* middle = text.data() + 16;
        const bool right = text.size() == 32 &&
                           std::from_chars(text.data(), middle, result.high, 16).ptr == middle &&
                           std::from_chars(middle, middle + 16, result.low, 16).ptr == middle + 16;
        if (!right) throw wrong(at, "this should be 32 hexadecimal digits");
        return result;
    }

    [[nodiscard]] const json& member(const json& object, const char* name, const std::string& at) const {
        if (!object.is_object()) throw wrong(at.empty() ? "/" : at, "this should be an object");
        const auto found = object.find(name);
        if (found == object.end()) throw wrong(at.empty() ? "/" : at, fmt::format("\"{}\" is missing", name));
        return *found;
    }
    [[nodiscard]] const json& array(const json& value, const std::string& at) const {
        if (!value.is_array()) throw wrong(at, "this should be a list");
        return value;
    }
    [[nodiscard]] std::string string(const json& value, const std::string& at) const {
        if (!value.is_string()) throw wrong(at, "this should be a text");
        return value.get<std::string>();
    }
    [[nodiscard]] std::vector<std::string> strings(const json& list, const std::string& at) const {
        std::vector<std::string> result;
        for (std::size_t i = 0; i < array(list, at).size(); ++i) {
            result.push_back(string(list[i], fmt::format("{}/{}", at, i)));
        }
        return result;
    }
    [[nodiscard]] std::int64_t integer(const json& value, const std::string& at, std::int64_t most) const {
        const bool fits =
            value.is_number_unsigned() && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
        if (!fits) throw wrong(at, fmt::format("this should be an integer from 0 to {}", most));
        return value.get<std::int64_t>();
    }

    const std::string& file_;
};

}  // namespace

void write_plan_json(std::ostream& out, const PlanText& text) {
    out << fmt::format(
        "{{\n  \"format\": \"zermelo-strategy\",\n  \"version\": {},\n  \"kind\": \"game\",\n  \"game\": "
        "{},\n"
        "  \"rules\": \"{}\",\n  ",
        format_version, quoted(text.game), digits(text.rules));
    if (text.plans.size() == 1) {
        write_body(out, text.plans.front());
    } else {
        out << "\"plans\": [";
        const char* separator = "\n  {";
        for (const PlanGraph& graph : text.plans) {
            out << separator;
            write_body(out, graph);
            out << "}";
            separator = ",\n  {";
        }
        out << "\n  ]";
    }
    out << "\n}\n";
}

PlanText read_plan_json(const std::string& text, const std::string& file) { return Reader(file).read(text); }

}  // namespace zermelo::game
