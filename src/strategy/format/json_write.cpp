#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/files.hpp"
#include "core/format/json.hpp"
#include "model/structure.hpp"
#include "strategy/format/json.hpp"
#include "strategy/format/value_set.hpp"

namespace zermelo::strategy {

namespace {

const char* word(model::Quantifier quantifier) {
    return quantifier == model::Quantifier::exists ? "exists" : "forall";
}

class Writer {
public:
    explicit Writer(std::ostream& out) : out_(out) {}
    ~Writer() { flush(0); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void header(const model::Model& model, const Strategy& strategy) {
        fmt::format_to(to(),
                       "{{\n  \"format\": \"zermelo-strategy\",\n  \"version\": {}, \"kind\": \"{}\",\n"
                       "  \"model\": {},\n",
                       strategy_format_version, kind_name(strategy.owner), quoted_json(model.name));
        fmt::format_to(to(), "  \"owner\": \"{}\",\n  \"prefix\": [", word(strategy.owner));
        const model::Structure structure = analyse(model);
        const char* separator = "\n";
        for (std::size_t b = 0; b < structure.prefix.size(); ++b) {
            for (const model::VarId v : structure.prefix[b].variables) {
                fmt::format_to(
                    to(),
                    "{}    {{\"name\": {}, \"quantifier\": \"{}\", \"block\": {}, \"domain\": ", separator,
                    quoted_json(model.name_of(v)), word(structure.prefix[b].quantifier), b + 1);
                append_ranges(buffer_, model.domain(v));
                fmt::format_to(to(), "}}");
                separator = ",\n";
                flush(high_water);
            }
        }
        fmt::format_to(to(), "\n  ],\n  \"root\": {},\n  \"nodes\": [", strategy.root);
    }

    void node(std::size_t id, const std::string& quoted_name, const StrategyNode& node) {
        fmt::format_to(to(), "{}    {{\"id\": {}, \"variable\": {}, \"edges\": [", id == 1 ? "\n" : ",\n", id,
                       quoted_name);
        const char* comma = "";
        for (const Edge& edge : node.edges) {
            fmt::format_to(to(), "{}{{\"values\": ", comma);
            append_values(buffer_, edge.values);
            fmt::format_to(to(), ", \"to\": {}}}", edge.to);
            comma = ", ";
        }
        fmt::format_to(to(), "]}}");
        flush(high_water);
    }

    void footer() { fmt::format_to(to(), "\n  ]\n}}\n"); }

private:
    static constexpr std::size_t high_water = std::size_t{1} << 16;

    std::back_insert_iterator<fmt::memory_buffer> to() { return std::back_inserter(buffer_); }
    void flush(std::size_t above) {
        if (buffer_.size() <= above) return;
        out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }

    std::ostream& out_;
    fmt::memory_buffer buffer_;
};

}  // namespace

void write_json(std::ostream& out, const model::Model& model, const Strategy& strategy) {
    std::vector<std::string> names(model.variables.size());
    Writer writer(out);
    writer.header(model, strategy);
    for (std::size_t id = 1; id < strategy.nodes.size(); ++id) {
        const StrategyNode& node = strategy.nodes[id];
        std::string& name = names[static_cast<std::size_t>(node.variable)];
        if (name.empty()) name = quoted_json(model.name_of(node.variable));
        writer.node(id, name, node);
    }
    writer.footer();
}

void save_strategy(const std::string& file, const model::Model& model, const Strategy& strategy) {
    replace_file(file, [&](std::ostream& out) { write_json(out, model, strategy); });
}

std::string fingerprint(const model::Model& model, const Strategy& strategy) {
    std::vector<Hash128> names(model.variables.size());
    for (std::size_t v = 0; v < names.size(); ++v) {
        Hasher hasher;
        hasher.add(model.variables[v].name);
        names[v] = hasher.value();
    }
    std::vector<Hash128> hashes(strategy.nodes.size());
    for (std::size_t id = 1; id < strategy.nodes.size(); ++id) {
        const StrategyNode& node = strategy.nodes[id];
        Hasher hasher;
        hasher.add(names[static_cast<std::size_t>(node.variable)]);
        for (const Edge& edge : node.edges) {
            hasher.add(edge.values.size());
            for (const model::Value value : edge.values) hasher.add(static_cast<std::uint64_t>(value));
            hasher.add(hashes[static_cast<std::size_t>(edge.to)]);
        }
        hashes[id] = hasher.value();
    }
    Hasher hasher;
    hasher.add(strategy.owner == model::Quantifier::exists ? 0 : 1);
    hasher.add(hashes[static_cast<std::size_t>(strategy.root)]);
    return hex(hasher.value());
}

}  // namespace zermelo::strategy
