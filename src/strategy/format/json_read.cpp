#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "model/structure.hpp"
#include "strategy/check/wellformed.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::strategy {

namespace {

using nlohmann::json;

class Reader {
public:
    Reader(const model::Model& model, std::string file)
        : model_(model), structure_(analyse(model)), file_(std::move(file)) {
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId v : block.variables) variables_.emplace(model.name_of(v), v);
        }
    }

    Strategy read(const std::string& text) {
        json document;
        try {
            document = json::parse(text, [this](int depth, json::parse_event_t event, json& parsed) {
                return take(depth, event, parsed);
            });
        } catch (const json::parse_error& error) {
            throw Error(place_of(text, error.byte), "this is not JSON: " + reason(error),
                        "write the strategy again");
        } catch (const json::exception& error) {
            throw wrong("", error.what());
        }
        read_header(document);
        return build();
    }

private:
    struct RawNode {
        std::int64_t id;
        StrategyNode node;
        std::vector<std::int64_t> children;  // by edge, as the file numbers them
        NodeId built = unseen;
    };
    static constexpr NodeId unseen = -1;
    static constexpr NodeId in_work = -2;

    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem,
                              const std::string& remedy = "") const {
        return Error({file_}, pointer.empty() ? problem : pointer + ": " + problem, remedy);
    }

    // ---- while parsing ----------------------------------------------------------------------------------

    // Called for every value; the members of /nodes are taken out here and never stored.
    bool take(int depth, json::parse_event_t event, json& parsed) {
        constexpr int deepest = 16;  // a strategy needs 6
        if (depth > deepest)
            throw wrong("", "this is nested too deeply for a strategy", "write the strategy again");
        if (event == json::parse_event_t::key && depth == 1) in_nodes_ = parsed == "nodes";
        if (!in_nodes_ || depth != 2) return true;
        if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start)
            return true;
        if (event == json::parse_event_t::key) return true;
        take_node(parsed);
        return false;
    }

    void take_node(const json& object) {
        const std::string at = fmt::format("/nodes/{}", raw_.size());
        RawNode& raw = raw_.emplace_back();
        raw.id = integer(member(object, "id", at), at + "/id");
        if (raw.id <= 0) throw wrong(at + "/id", "a node needs a positive id", "0 is the leaf");
        if (!by_id_.emplace(raw.id, raw_.size() - 1).second) {
            throw wrong(at + "/id", fmt::format("two nodes have the id {}", raw.id));
        }
        raw.node.variable = variable(member(object, "variable", at), at + "/variable");
        const json& edges = array(member(object, "edges", at), at + "/edges");
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const std::string edge = fmt::format("{}/edges/{}", at, i);
            raw.children.push_back(integer(member(edges[i], "to", edge), edge + "/to"));
            raw.node.edges.push_back(
                {values(member(edges[i], "values", edge), raw.node.variable, edge + "/values"), 0});
        }
    }

    [[nodiscard]] model::VarId variable(const json& value, const std::string& at) const {
        if (!value.is_string()) throw wrong(at, "this should be the name of a variable");
        const auto found = variables_.find(value.get_ref<const std::string&>());
        if (found == variables_.end()) {
            throw wrong(at, fmt::format("the model has no variable {} that a player chooses", value.dump()),
                        "take the strategy of this model, with the same parameters");
        }
        return found->second;
    }

    // Values are checked against the domain at once: a range could be too long to be written out.
    [[nodiscard]] std::vector<model::Value> values(const json& list, model::VarId v,
                                                   const std::string& at) const {
        std::vector<model::Value> result;
        array(list, at);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto [low, high] = range(list[i], fmt::format("{}/{}", at, i));
            if (!model_.domain(v).contains(model::Domain(low, high))) {
                throw wrong(fmt::format("{}/{}", at, i),
                            fmt::format("{} is outside the domain {} of {}", list[i].dump(),
                                        model_.domain(v).text(), model_.name_of(v)));
            }
            if (static_cast<std::uint64_t>(high - low) >= model_.domain(v).size() - result.size()) {
                throw wrong(at, "a value stands here twice");
            }
            for (model::Value value = low; value <= high; ++value) result.push_back(value);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    [[nodiscard]] model::Domain::Range range(const json& value, const std::string& at) const {
        if (!value.is_array()) return {integer(value, at), integer(value, at)};
        if (value.size() != 2) throw wrong(at, "a range is written [low, high]");
        const model::Domain::Range result{integer(value[0], at + "/0"), integer(value[1], at + "/1")};
        if (result.low > result.high) throw wrong(at, "this range is empty", "write [low, high]");
        return result;
    }

    [[nodiscard]] const json& member(const json& object, const char* name, const std::string& at) const {
        if (!object.is_object()) throw wrong(at.empty() ? "/" : at, "this should be an object");
        const auto found = object.find(name);
        if (found == object.end()) throw wrong(at.empty() ? "/" : at, fmt::format("\"{}\" is missing", name));
        return *found;
    }
    const json& array(const json& value, const std::string& at) const {
        if (!value.is_array()) throw wrong(at, "this should be a list");
        return value;
    }
    [[nodiscard]] std::int64_t integer(const json& value, const std::string& at) const {
        const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
        if (!value.is_number_integer() || too_large) throw wrong(at, "this should be an integer");
        return value.get<std::int64_t>();
    }
    [[nodiscard]] model::Quantifier quantifier(const json& value, const std::string& at) const {
        if (value == "exists") return model::Quantifier::exists;
        if (value == "forall") return model::Quantifier::forall;
        throw wrong(at, "this should be \"exists\" or \"forall\"");
    }

    // ---- when all is parsed -----------------------------------------------------------------------------

    void read_header(const json& document) {
        if (member(document, "format", "") != "zermelo-strategy") {
            throw wrong("/format", "this is not a strategy", "its format should be \"zermelo-strategy\"");
        }
        if (member(document, "version", "") != strategy_format_version) {
            throw wrong("/version", "this version of the format is unknown",
                        fmt::format("version {} can be read", strategy_format_version));
        }
        owner_ = quantifier(member(document, "owner", ""), "/owner");
        root_ = integer(member(document, "root", ""), "/root");
        array(member(document, "nodes", ""), "/nodes");
        check_prefix(array(member(document, "prefix", ""), "/prefix"));
    }

    void check_prefix(const json& prefix) const {
        std::size_t i = 0;
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId v : block.variables) {
                const std::string at = fmt::format("/prefix/{}", i);
                if (i == prefix.size()) throw other_game("/prefix", model_.name_of(v) + " is missing");
                const json& entry = prefix[i++];
                if (member(entry, "name", at) != model_.name_of(v)) {
                    throw other_game(at + "/name", "the model has " + model_.name_of(v) + " here");
                }
                if (quantifier(member(entry, "quantifier", at), at + "/quantifier") != block.quantifier) {
                    throw other_game(at + "/quantifier", "the model has the other quantifier");
                }
                if (ranges(member(entry, "domain", at), at + "/domain") != model_.domain(v).ranges()) {
                    throw other_game(at + "/domain", "the model has the domain " + model_.domain(v).text());
                }
            }
        }
        if (i < prefix.size())
            throw other_game(fmt::format("/prefix/{}", i), "the model has no more variables");
    }

    // As Domain keeps them, sorted and joined. Not value by value: a file may claim any numbers.
    [[nodiscard]] std::vector<model::Domain::Range> ranges(const json& list, const std::string& at) const {
        std::vector<model::Domain::Range> all;
        array(list, at);
        for (std::size_t i = 0; i < list.size(); ++i)
            all.push_back(range(list[i], fmt::format("{}/{}", at, i)));
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
        std::vector<model::Domain::Range> joined;
        for (const model::Domain::Range& next : all) {
            if (!joined.empty() && (next.low <= joined.back().high || next.low - 1 == joined.back().high)) {
                joined.back().high = std::max(joined.back().high, next.high);
            } else {
                joined.push_back(next);
            }
        }
        return joined;
    }

    [[nodiscard]] Error other_game(const std::string& pointer, const std::string& problem) const {
        return wrong(pointer, problem, "take the strategy of this model, with the same parameters");
    }

    // Builds children before parents, with a stack of its own: the graph may be deeper than the program's
    // stack.
    Strategy build() {
        StrategyBuilder builder;
        if (root_ != decided && !by_id_.contains(root_))
            throw wrong("/root", fmt::format("node {} does not exist", root_));
        std::vector<std::size_t> stack;
        for (std::size_t start = 0; start < raw_.size(); ++start) {
            if (raw_[start].built == unseen) stack.push_back(start);
            while (!stack.empty()) {
                RawNode& raw = raw_[stack.back()];
                if (raw.built == unseen) {
                    raw.built = in_work;
                    push_children(raw, stack);
                } else {
                    if (raw.built == in_work) raw.built = finish(builder, raw, stack.back());
                    stack.pop_back();
                }
            }
        }
        const NodeId root = root_ == decided ? decided : raw_[by_id_.at(root_)].built;
        return builder.extract(root, owner_);
    }

    void push_children(const RawNode& raw, std::vector<std::size_t>& stack) const {
        const std::size_t index = stack.back();
        for (std::size_t i = 0; i < raw.children.size(); ++i) {
            if (raw.children[i] == decided) continue;
            const auto found = by_id_.find(raw.children[i]);
            const auto at = [&] { return fmt::format("/nodes/{}/edges/{}/to", index, i); };
            if (found == by_id_.end())
                throw wrong(at(), fmt::format("node {} does not exist", raw.children[i]));
            const NodeId built = raw_[found->second].built;
            if (built == in_work)
                throw wrong(at(), fmt::format("node {} leads back to itself", raw.children[i]));
            if (built == unseen) stack.push_back(found->second);
        }
    }

    NodeId finish(StrategyBuilder& builder, RawNode& raw, std::size_t index) const {
        for (std::size_t i = 0; i < raw.children.size(); ++i) {
            raw.node.edges[i].to =
                raw.children[i] == decided ? decided : raw_[by_id_.at(raw.children[i])].built;
        }
        if (const auto complaint = malformed(model_, structure_, owner_, raw.node)) {
            throw wrong(fmt::format("/nodes/{}", index), *complaint);
        }
        return builder.node(raw.node.variable, std::exchange(raw.node.edges, {}));
    }

    // ---- places -----------------------------------------------------------------------------------------

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

    const model::Model& model_;
    model::Structure structure_;
    std::string file_;
    std::unordered_map<std::string, model::VarId> variables_;
    bool in_nodes_ = false;
    std::vector<RawNode> raw_;
    std::unordered_map<std::int64_t, std::size_t> by_id_;
    model::Quantifier owner_ = model::Quantifier::exists;
    std::int64_t root_ = decided;
};

}  // namespace

Strategy read_json(std::istream& in, const model::Model& model, const std::string& file) {
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return Reader(model, file).read(text);
}

Strategy load_strategy(const std::string& file, const model::Model& model) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error({file}, "cannot be opened", "check the name of the file");
    return read_json(in, model, file);
}

}  // namespace zermelo::strategy
