#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <unordered_map>
#include <utility>

#include "core/format/json.hpp"
#include "core/format/json_text.hpp"
#include "model/structure.hpp"
#include "strategy/check/wellformed.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::strategy {

namespace {

using nlohmann::json;

class Reader {
public:
    Reader(const model::Model& model, std::string file)
        : model_(model),
          structure_(analyse(model)),
          file_{.name = std::move(file), .what = "strategy", .not_json = "write the strategy again"} {
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId v : block.variables) variables_.emplace(model.name_of(v), v);
        }
    }

    Strategy read(const std::string& text) {
        const json document =
            parse_json(text, file_, [this](int depth, json::parse_event_t event, json& parsed) {
                return take(depth, event, parsed);
            });
        read_header({file_, document});
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

    [[nodiscard]] Error wrong(const std::string& pointer, const std::string& problem) const {
        return Error({file_.name}, pointer + ": " + problem);
    }
    [[nodiscard]] static Error other_game(const JsonCursor& at, const std::string& problem) {
        return at.wrong(problem, "take the strategy of this model, with the same parameters");
    }

    // ---- while parsing

    // Called for every value; the members of /nodes are taken out here and never stored.
    bool take(int depth, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::key && depth == 1) in_nodes_ = parsed == "nodes";
        if (!in_nodes_ || depth != 2) return true;
        if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start)
            return true;
        if (event == json::parse_event_t::key) return true;
        take_node({file_, parsed, fmt::format("/nodes/{}", raw_.size())});
        return false;
    }

    void take_node(const JsonCursor& object) {
        RawNode& raw = raw_.emplace_back();
        const JsonCursor id = object.member("id");
        raw.id = id.integer();
        if (raw.id <= 0) throw id.wrong("a node needs a positive id", "the id 0 is reserved for the leaf");
        if (!by_id_.emplace(raw.id, raw_.size() - 1).second) {
            throw id.wrong(fmt::format("two nodes have the id {}", raw.id));
        }
        raw.node.variable = variable(object.member("variable"));
        for (const JsonCursor& edge : object.member("edges").elements()) {
            raw.children.push_back(edge.member("to").integer());
            raw.node.edges.push_back({values(edge.member("values"), raw.node.variable), 0});
        }
    }

    [[nodiscard]] model::VarId variable(const JsonCursor& name) const {
        if (!name.value().is_string()) throw name.wrong("this should be the name of a variable");
        const auto found = variables_.find(name.value().get_ref<const std::string&>());
        if (found == variables_.end()) {
            throw other_game(name, fmt::format("the model has no variable {} that a player chooses",
                                               json_text(name.value())));
        }
        return found->second;
    }

    // Values are checked against the domain at once: a range could be too long to be written out.
    [[nodiscard]] std::vector<model::Value> values(const JsonCursor& list, model::VarId v) const {
        std::vector<model::Value> result;
        for (const JsonCursor& part : list.elements()) {
            const auto [low, high] = range(part);
            if (!model_.domain(v).contains(model::Domain(low, high))) {
                throw part.wrong(fmt::format("{} is outside the domain {} of {}", json_text(part.value()),
                                             model_.domain(v).text(), model_.name_of(v)));
            }
            if (static_cast<std::uint64_t>(high - low) >= model_.domain(v).size() - result.size()) {
                throw list.wrong("a value appears twice here");
            }
            for (model::Value value = low; value <= high; ++value) result.push_back(value);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    [[nodiscard]] static model::Domain::Range range(const JsonCursor& part) {
        if (!part.value().is_array()) return {part.integer(), part.integer()};
        if (part.size() != 2) throw part.wrong("a range is written [low, high]");
        const model::Domain::Range result{part.element(0).integer(), part.element(1).integer()};
        if (result.low > result.high) throw part.wrong("this range is empty", "write [low, high]");
        return result;
    }

    [[nodiscard]] static model::Quantifier quantifier(const JsonCursor& word) {
        if (word.value() == "exists") return model::Quantifier::exists;
        if (word.value() == "forall") return model::Quantifier::forall;
        throw word.wrong("this should be \"exists\" or \"forall\"");
    }

    // ---- when all is parsed

    void read_header(const JsonCursor& document) {
        const JsonCursor format = document.member("format");
        if (format.value() != "zermelo-strategy") {
            throw format.wrong("this is not a strategy", "its format should be \"zermelo-strategy\"");
        }
        const JsonCursor version = document.member("version");
        if (version.value() != strategy_format_version) {
            throw version.wrong("this version of the format is unknown",
                                fmt::format("version {} can be read", strategy_format_version));
        }
        owner_ = quantifier(document.member("owner"));
        const auto kind = document.find("kind");  // version 0.1 wrote none
        if (kind && kind->value() != "strategy" && kind->value() != "counter-strategy")
            throw kind->wrong("this should be \"strategy\" or \"counter-strategy\"");
        root_ = document.member("root").integer();
        (void)document.member("nodes").size();
        check_prefix(document.member("prefix"));
    }

    void check_prefix(const JsonCursor& prefix) const {
        std::size_t i = 0;
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId v : block.variables) {
                if (i == prefix.size()) throw other_game(prefix, model_.name_of(v) + " is missing");
                check_variable(prefix.element(i++), v, block.quantifier);
            }
        }
        if (i < prefix.size()) throw other_game(prefix.element(i), "the model has no more variables");
    }

    void check_variable(const JsonCursor& entry, model::VarId v, model::Quantifier expected) const {
        const JsonCursor name = entry.member("name");
        if (name.value() != model_.name_of(v)) {
            throw other_game(name, "the model has " + model_.name_of(v) + " here");
        }
        const JsonCursor word = entry.member("quantifier");
        if (quantifier(word) != expected) throw other_game(word, "the model has the other quantifier");
        const JsonCursor domain = entry.member("domain");
        if (ranges(domain) != model_.domain(v).ranges()) {
            throw other_game(domain, "the model has the domain " + model_.domain(v).text());
        }
    }

    // As Domain keeps them, sorted and joined. Not value by value: a file may claim any numbers.
    [[nodiscard]] static std::vector<model::Domain::Range> ranges(const JsonCursor& list) {
        std::vector<model::Domain::Range> all;
        for (const JsonCursor& part : list.elements()) all.push_back(range(part));
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
        if (const auto problem = malformed(model_, structure_, owner_, raw.node)) {
            throw wrong(fmt::format("/nodes/{}", index), *problem);
        }
        return builder.node(raw.node.variable, std::exchange(raw.node.edges, {}));
    }

    const model::Model& model_;
    model::Structure structure_;
    JsonFile file_;
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
