#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <iterator>
#include <map>

#include "core/format/json.hpp"
#include "stochastic/format/policy_file.hpp"

namespace zermelo::stochastic {

namespace {

using nlohmann::json;

class Reader {
public:
    Reader(const StochasticModel& model, std::string file)
        : m_(model), file_{.name = std::move(file), .what = "policy", .not_json = "write the policy again"} {
        for (std::size_t i = 0; i < model.order.size(); ++i)
            turn_of_[model.model.name_of(model.order[i].variable)] = i;
    }

    Policy read(const std::string& text) {
        const json value = parse_json(text, file_);
        const JsonCursor document(file_, value);
        if (!value.is_object()) throw document.wrong("this is no policy", "write the policy again");
        read_header(document);
        read_nodes(document.member("nodes"));
        policy_.root = node_number(document.member("root"), 0);
        return std::move(policy_);
    }

private:
    [[nodiscard]] static Error other_model(const JsonCursor& at, const std::string& problem) {
        return at.wrong(problem, "the policy was written for another model, or with other parameters");
    }

    [[nodiscard]] static Rational rational(const JsonCursor& fraction) {
        const auto number = read_rational(fraction.text());
        if (!number) throw fraction.wrong("this should be a fraction", "write for example \"2/3\"");
        return *number;
    }

    void read_header(const JsonCursor& document) {
        const JsonCursor format = document.member("format");
        const auto kind = document.find("kind");
        const bool policy = format.text() == "zermelo-strategy" && kind && kind->value() == "policy";
        // Version 0.1 wrote policies in a format of their own.
        if (!policy && format.text() != "zermelo-policy")
            throw format.wrong("this is no policy", "give a file that was written for this model");
        const JsonCursor version = document.member("version");
        if (version.integer() != policy_format_version)
            throw version.wrong("this version of the format is unknown", "write the policy again");
        const JsonCursor order = document.member("order");
        if (order.size() != m_.order.size())
            throw other_model(order, fmt::format("the policy has {} variables, the model {}", order.size(),
                                                 m_.order.size()));
        for (std::size_t i = 0; i < order.size(); ++i) compare(order.element(i), m_.order[i]);
        const JsonCursor utilities = document.member("utilities");
        if (utilities.size() != static_cast<std::size_t>(m_.players()))
            throw other_model(utilities, fmt::format("the model has {} players", m_.players()));
        for (const JsonCursor& utility : utilities.elements()) policy_.utilities.push_back(rational(utility));
    }

    void compare(const JsonCursor& said, const Turn& turn) const {
        const std::string& expected = m_.model.name_of(turn.variable);
        const JsonCursor name = said.member("name");
        if (name.text() != expected) throw other_model(name, fmt::format("the model has {} here", expected));
        const JsonCursor kind = said.member("kind");
        const std::string expected_kind = turn.decision() ? "decision" : "chance";
        if (kind.text() != expected_kind)
            throw other_model(kind, fmt::format("{} is a {} variable", expected, expected_kind));
        if (turn.decision()) {
            const JsonCursor player = said.member("player");
            if (player.integer() != turn.owner + 1)
                throw other_model(player, fmt::format("player {} decides on {}", turn.owner + 1, expected));
        }
        const JsonCursor domain = said.member("domain");
        if (model::Domain(values(domain, turn.variable)) != m_.model.domain(turn.variable))
            throw other_model(domain, fmt::format("{} has other values in the model", expected));
    }

    // Numbers and ranges [low, high] inside the variable's domain, ascending.
    [[nodiscard]] std::vector<model::Value> values(const JsonCursor& said, model::VarId variable) const {
        const model::Domain& domain = m_.model.domain(variable);
        std::vector<model::Value> result;
        const auto add = [&](model::Value value) {
            if (!domain.contains(value))
                throw said.wrong(fmt::format("{} is no value of {}", value, m_.model.name_of(variable)));
            if (!result.empty() && result.back() >= value)
                throw said.wrong("the values are not in ascending order");
            result.push_back(value);
        };
        for (const JsonCursor& part : said.elements()) {
            if (!part.value().is_array()) {
                add(part.integer());
                continue;
            }
            if (part.size() != 2) throw said.wrong("a range has two ends");
            const model::Value low = part.element(0).integer();
            const model::Value high = part.element(1).integer();
            if (low > high) throw said.wrong("a range is empty");
            for (model::Value value = low; value <= high; ++value)
                add(value);  // stops at the first one outside
        }
        if (result.empty()) throw said.wrong("there is no value");
        return result;
    }

    // Nodes are stored by turn, the last turn first, so that children come before their parents.
    void read_nodes(const JsonCursor& nodes) {
        struct Said {
            std::size_t index;
            std::size_t turn;
        };
        std::vector<Said> all;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const JsonCursor variable = nodes.element(i).member("variable");
            const auto turn = turn_of_.find(variable.text());
            if (turn == turn_of_.end()) throw other_model(variable, "the model has no such variable");
            all.push_back({i, turn->second});
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Said& a, const Said& b) { return a.turn > b.turn; });
        for (const Said& said : all) {
            const JsonCursor node = nodes.element(said.index);
            const JsonCursor id = node.member("id");
            if (id.integer() <= 0)
                throw id.wrong("a node needs a positive id", "the id 0 is reserved for the leaf");
            if (!number_.emplace(id.integer(), static_cast<NodeId>(policy_.nodes.size())).second)
                throw id.wrong(fmt::format("two nodes have the id {}", id.integer()));
            read_node(node, said.turn);
        }
    }

    void read_node(const JsonCursor& node, std::size_t turn) {
        PolicyNode result{m_.order[turn].variable, {}};
        const bool decision = m_.order[turn].decision();
        const JsonCursor edges = node.member("edges");
        for (const JsonCursor& said : edges.elements()) {
            PolicyEdge edge;
            edge.values = values(said.member("values"), result.variable);
            if (!decision) edge.probability = rational(said.member("probability"));
            edge.to = node_number(said.member("to"), turn + 1);
            result.edges.push_back(std::move(edge));
        }
        if (result.edges.empty()) throw edges.wrong("a node has no edge");
        if (decision && (result.edges.size() != 1 || result.edges.front().values.size() != 1))
            throw edges.wrong("a decision does not have exactly one value");
        policy_.nodes.push_back(std::move(result));
    }

    // A node of this turn, or the leaf behind the last one.
    NodeId node_number(const JsonCursor& to, std::size_t turn) const {
        const std::int64_t id = to.integer();
        if (id == 0 && turn == m_.order.size()) return leaf;
        const auto found = number_.find(id);
        if (turn == m_.order.size() || found == number_.end() ||
            policy_.at(found->second).variable != m_.order[turn].variable) {
            throw to.wrong(turn == m_.order.size()
                               ? std::string("only the leaf, 0, comes after the last variable")
                               : fmt::format("there is no node of {} with the id {}",
                                             m_.model.name_of(m_.order[turn].variable), id));
        }
        return found->second;
    }

    const StochasticModel& m_;
    JsonFile file_;
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
