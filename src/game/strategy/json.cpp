#include "game/strategy/json.hpp"

#include <fmt/format.h>

#include <ostream>
#include <unordered_map>

#include "core/format/json.hpp"

namespace zermelo::game {

namespace {

using nlohmann::json;

constexpr int format_version = 1;

void write_edge(std::ostream& out, const PlanGraph::Edge& edge) {
    out << "{\"moves\": [";
    const char* comma = "";
    for (const std::string& move : edge.moves) {
        out << comma << quoted_json(move);
        comma = ", ";
    }
    out << "], \"to\": " << edge.to;
    if (edge.to == PlanGraph::ended) out << fmt::format(", \"payoffs\": [{}]", fmt::join(edge.payoffs, ", "));
    out << "}";
}

void write_body(std::ostream& out, const PlanGraph& graph) {
    out << fmt::format("\"owner\": {},\n  \"promise\": {},\n", quoted_json(graph.owner), graph.promise);
    if (graph.fingerprint) out << fmt::format("  \"fingerprint\": \"{}\",\n", hex(*graph.fingerprint));
    out << fmt::format("  \"root\": {},\n  \"nodes\": [", graph.root);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlanGraph::Node& node = graph.nodes[i];
        out << fmt::format("{}    {{\"id\": {}, \"player\": {}, \"state\": {}, \"edges\": [",
                           i == 0 ? "\n" : ",\n", i + 1, quoted_json(node.player), quoted_json(node.state));
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

class PlanReader {
public:
    explicit PlanReader(const std::string& file)
        : file_{.name = file,
                .what = "plan",
                .not_json = "write the plan again",
                .remedy = "write the plan again"} {}

    PlanText read(const std::string& text) const {
        const json value = parse_json(text, file_);
        const JsonCursor document(file_, value);
        const JsonCursor format = document.member("format");
        if (format.value() != "zermelo-strategy") {
            throw format.wrong("this is not a strategy", "its format should be \"zermelo-strategy\"");
        }
        const JsonCursor version = document.member("version");
        if (version.value() != format_version) {
            throw version.wrong("this version of the format is unknown",
                                fmt::format("version {} can be read", format_version));
        }
        if (document.find("model")) {
            throw document.wrong("this is a strategy for a quantified model, not a plan of a game",
                                 "give the model that it was made for");
        }
        const JsonCursor kind = document.member("kind");
        // Version 0.1 called it a game.
        if (kind.value() != "plan" && kind.value() != "game") throw kind.wrong("this should be \"plan\"");
        PlanText result{document.member("game").text(), hash(document.member("rules")), {}};
        if (const auto plans = document.find("plans")) {
            for (const JsonCursor& plan : plans->elements()) result.plans.push_back(graph(plan));
        } else {
            result.plans.push_back(graph(document));
        }
        return result;
    }

private:
    using Numbers = std::unordered_map<std::int64_t, PlanGraph::Id>;

    [[nodiscard]] static PlanGraph graph(const JsonCursor& object) {
        PlanGraph result;
        result.pointer = object.pointer();
        if (const auto fingerprint = object.find("fingerprint")) result.fingerprint = hash(*fingerprint);
        result.owner = object.member("owner").text();
        result.promise = static_cast<int>(object.member("promise").integer(0, win));
        const JsonCursor nodes = object.member("nodes");
        const Numbers number = numbered(nodes);
        result.root = named(object.member("root"), number);
        for (const JsonCursor& one : nodes.elements()) {
            PlanGraph::Node& node = result.nodes.emplace_back();
            node.player = one.member("player").text();
            node.state = one.member("state").text();
            const JsonCursor edges = one.member("edges");
            std::size_t moves = 0;
            for (const JsonCursor& edge : edges.elements()) {
                node.edges.push_back({texts(edge.member("moves")), named(edge.member("to"), number), {}});
                moves += node.edges.back().moves.size();
            }
            if (node.player == result.owner && moves != 1) throw edges.wrong("the owner makes one move");
        }
        return result;
    }

    // Nodes may have any ids.
    [[nodiscard]] static Numbers numbered(const JsonCursor& nodes) {
        Numbers number{{0, PlanGraph::ended}};
        for (const JsonCursor& node : nodes.elements()) {
            const JsonCursor id = node.member("id");
            const auto next = static_cast<PlanGraph::Id>(number.size());
            if (number.emplace(index(id), next).second) continue;
            throw id.wrong(index(id) == 0 ? "the id 0 is reserved for the end of the play"
                                          : fmt::format("two nodes have the id {}", index(id)));
        }
        return number;
    }
    [[nodiscard]] static PlanGraph::Id named(const JsonCursor& id, const Numbers& number) {
        const auto found = number.find(index(id));
        if (found == number.end()) throw id.wrong(fmt::format("node {} does not exist", index(id)));
        return found->second;
    }
    [[nodiscard]] static std::int64_t index(const JsonCursor& id) { return id.integer(0, INT64_MAX); }

    [[nodiscard]] static Hash128 hash(const JsonCursor& digits) {
        const auto result = read_hex(digits.text());
        if (!result) throw digits.wrong("this should be 32 hexadecimal digits");
        return *result;
    }
    [[nodiscard]] static std::vector<std::string> texts(const JsonCursor& list) {
        std::vector<std::string> result;
        for (const JsonCursor& text : list.elements()) result.push_back(text.text());
        return result;
    }

    JsonFile file_;
};

}  // namespace

void write_plan_json(std::ostream& out, const PlanText& text) {
    out << fmt::format(
        "{{\n  \"format\": \"zermelo-strategy\",\n  \"version\": {},\n  \"kind\": \"plan\",\n  \"game\": "
        "{},\n"
        "  \"rules\": \"{}\",\n  ",
        format_version, quoted_json(text.game), hex(text.rules));
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

PlanText read_plan_json(const std::string& text, const std::string& file) {
    return PlanReader(file).read(text);
}

}  // namespace zermelo::game
