#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "stochastic/format/policy_file.hpp"

namespace zermelo::stochastic {

namespace {

using nlohmann::json;

class Reader {
public:
    Reader(const StochasticModel& model, std::string file) : m_(model), file_(std::move(file)) {
        for (std::size_t i = 0; i < model.order.size(); ++i)
            turn_of_[model.model.name_of(model.order[i].variable)] = i;
    }

    Policy read(const std::string& text) {
        const json document = parse(text);
        if (!document.is_object()) throw wrong("", "this is no policy", "write the policy again");
        read_header(document);
        read_nodes(array(member(document, "nodes", ""), "/nodes"));
        policy_.root = node_number(member(document, "root", ""), "/root", 0);
        return std::move(policy_);
    }

private:
    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem,
                              const std::string& remedy = "") const {
        return Error({file_}, pointer.empty() ? problem : pointer + ": " + problem, remedy);
    }

    [[nodiscard]] json parse(const std::string& text) const {
        constexpr int deepest = 16;  // a policy needs 6
        try {
            return json::parse(text, [&](int depth, json::parse_event_t, json&) {
                if (depth > deepest)
                    throw wrong("", "this is nested too deeply for a policy", "write the policy again");
                return true;
            });
        } catch (const json::parse_error& error) {
            const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
            const auto begin = text.begin();
            const auto at = begin + static_cast<std::ptrdiff_t>(end);
            const auto line = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
            throw Error(
                {file_, static_cast<int>(std::count(begin, at, '\n')) + 1, static_cast<int>(at - line) + 1},
                "this is not JSON", "write the policy again");
        } catch (const json::exception& error) {
            throw wrong("", error.what());
        }
    }

    [[nodiscard]] const json& member(const json& object, const char* key, const std::string& at) const {
        if (!object.is_object()) throw wrong(at, "this should be an object");
        const auto found = object.find(key);
        if (found == object.end()) throw wrong(at, fmt::format("\"{}\" is missing", key));
        return *found;
    }
    [[nodiscard]] const json& array(const json& value, const std::string& at) const {
        if (!value.is_array()) throw wrong(at, "this should be a list");
        return value;
    }
    [[nodiscard]] std::int64_t integer(const json& value, const std::string& at) const {
        if (!value.is_number_integer() ||
            (value.is_number_unsigned() && value.get<std::uint64_t>() >> 62 != 0))
            throw wrong(at, "this should be a whole number");
        return value.get<std::int64_t>();
    }
    [[nodiscard]] std::string string(const json& value, const std::string& at) const {
        if (!value.is_string()) throw wrong(at, "this should be a text");
        return value.get<std::string>();
    }
    [[nodiscard]] Rational rational(const json& value, const std::string& at) const {
        const auto number = read_rational(string(value, at));
        if (!number) throw wrong(at, "this should be a fraction", "write for example \"2/3\"");
        return *number;
    }

    void read_header(const json& document) {
        // Version 0.1 wrote policies in a format of their own.
        const std::string format = string(member(document, "format", ""), "/format");
        const bool policy = format == "zermelo-strategy" && document.value("kind", json()) == "policy";
        if (!policy && format != "zermelo-policy") {
            throw wrong(format == "zermelo-strategy" ? "/kind" : "/format", "this is no policy",
                        "name a file that was written for this model");
        }
        if (integer(member(document, "version", ""), "/version") != policy_format_version)
            throw wrong("/version", "this version is not known", "write the policy again");
        const json& order = array(member(document, "order", ""), "/order");
        if (order.size() != m_.order.size())
            throw wrong(
                "/order",
                fmt::format("the policy has {} variables, the model {}", order.size(), m_.order.size()),
                other_model);
        for (std::size_t i = 0; i < order.size(); ++i)
            compare(order[i], m_.order[i], fmt::format("/order/{}", i));
        const json& utilities = array(member(document, "utilities", ""), "/utilities");
        if (utilities.size() != static_cast<std::size_t>(m_.players()))
            throw wrong("/utilities", fmt::format("the model has {} players", m_.players()), other_model);
        for (std::size_t p = 0; p < utilities.size(); ++p)
            policy_.utilities.push_back(rational(utilities[p], fmt::format("/utilities/{}", p)));
    }

    void compare(const json& said, const Turn& turn, const std::string& at) const {
        const std::string& name = m_.model.name_of(turn.variable);
        if (string(member(said, "name", at), at + "/name") != name)
            throw wrong(at + "/name", fmt::format("the model has {} here", name), other_model);
        const std::string kind = turn.decision() ? "decision" : "chance";
        if (string(member(said, "kind", at), at + "/kind") != kind)
            throw wrong(at + "/kind", fmt::format("{} is a {} variable", name, kind), other_model);
        if (turn.decision() && integer(member(said, "player", at), at + "/player") != turn.owner + 1)
            throw wrong(at + "/player", fmt::format("player {} decides on {}", turn.owner + 1, name),
                        other_model);
        if (model::Domain(values(member(said, "domain", at), turn.variable, at + "/domain")) !=
            m_.model.domain(turn.variable))
            throw wrong(at + "/domain", fmt::format("{} has other values in the model", name), other_model);
    }

    // Numbers and ranges [low, high] inside the variable's domain, ascending.
    [[nodiscard]] std::vector<model::Value> values(const json& said, model::VarId variable,
                                                   const std::string& at) const {
        const model::Domain& domain = m_.model.domain(variable);
        std::vector<model::Value> result;
        const auto add = [&](model::Value value) {
            if (!domain.contains(value))
                throw wrong(at, fmt::format("{} is no value of {}", value, m_.model.name_of(variable)));
            if (!result.empty() && result.back() >= value)
                throw wrong(at, "the values are not in ascending order");
            result.push_back(value);
        };
        for (const json& part : array(said, at)) {
            if (!part.is_array()) {
                add(integer(part, at));
                continue;
            }
            if (part.size() != 2) throw wrong(at, "a range has two ends");
            const model::Value low = integer(part[0], at);
            const model::Value high = integer(part[1], at);
            if (low > high) throw wrong(at, "a range is empty");
            for (model::Value value = low; value <= high; ++value)
                add(value);  // stops at the first one outside
        }
        if (result.empty()) throw wrong(at, "there is no value");
        return result;
    }

    // Nodes are stored by turn, the last turn first, so that children come before their parents.
    void read_nodes(const json& nodes) {
        struct Said {
            std::size_t index;
            std::size_t turn;
        };
        std::vector<Said> all;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string at = fmt::format("/nodes/{}", i);
            const auto turn = turn_of_.find(string(member(nodes[i], "variable", at), at + "/variable"));
            if (turn == turn_of_.end())
                throw wrong(at + "/variable", "the model has no such variable", other_model);
            all.push_back({i, turn->second});
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Said& a, const Said& b) { return a.turn > b.turn; });
        for (const Said& said : all) {
            const json& node = nodes[said.index];
            const std::string at = fmt::format("/nodes/{}", said.index);
            const auto id = integer(member(node, "id", at), at + "/id");
            if (id <= 0) throw wrong(at + "/id", "a node needs a positive id", "0 is the leaf");
            if (!number_.emplace(id, static_cast<NodeId>(policy_.nodes.size())).second)
                throw wrong(at + "/id", fmt::format("two nodes have the id {}", id));
            read_node(node, said.turn, at);
        }
    }

    void read_node(const json& node, std::size_t turn, const std::string& at) {
        PolicyNode result{m_.order[turn].variable, {}};
        const json& edges = array(member(node, "edges", at), at + "/edges");
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const std::string here = fmt::format("{}/edges/{}", at, e);
            PolicyEdge edge;
            edge.values = values(member(edges[e], "values", here), result.variable, here + "/values");
            if (!m_.order[turn].decision())
                edge.probability = rational(member(edges[e], "probability", here), here + "/probability");
            edge.to = node_number(member(edges[e], "to", here), here + "/to", turn + 1);
            result.edges.push_back(std::move(edge));
        }
        if (result.edges.empty()) throw wrong(at + "/edges", "a node has no edge");
        if (m_.order[turn].decision() &&
            (result.edges.size() != 1 || result.edges.front().values.size() != 1))
            throw wrong(at + "/edges", "a decision is not exactly one value");
        policy_.nodes.push_back(std::move(result));
    }

    // A node of this turn, or the leaf behind the last one.
    NodeId node_number(const json& value, const std::string& at, std::size_t turn) const {
        const auto id = integer(value, at);
        if (id == 0 && turn == m_.order.size()) return leaf;
        const auto found = number_.find(id);
        if (turn == m_.order.size() || found == number_.end() ||
            policy_.at(found->second).variable != m_.order[turn].variable) {
            throw wrong(at, turn == m_.order.size()
                                ? std::string("only the leaf, 0, comes after the last variable")
                                : fmt::format("there is no node of {} with the id {}",
                                              m_.model.name_of(m_.order[turn].variable), id));
        }
        return found->second;
    }

    static constexpr const char* other_model =
        "the policy was written for another model, or with other parameters";

    const StochasticModel& m_;
    std::string file_;
    std::map<std::string, std::size_t> turn_of_;
    std::map<std::int64_t, NodeId> number_;
    Policy policy_;
};

}  // namespace

Policy read_json(std::istream& in, const StochasticModel& model, const std::string& file) {
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return Reader(model, file).read(text);
}

Policy load_policy(const std::string& file, const StochasticModel& model) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error({file}, "the file cannot be opened", "check its name");
    return read_json(in, model, file);
}

}  // namespace zermelo::stochastic
