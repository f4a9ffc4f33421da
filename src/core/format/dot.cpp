#include "core/format/dot.hpp"

#include <fmt/format.h>

#include <ostream>

namespace zermelo {

namespace {

std::string shape(bool owned) {
    return owned ? fmt::format("shape=box, style=filled, fillcolor=\"{}\"", dot_blue) : "shape=ellipse";
}

}  // namespace

std::string dot_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

DotDecisions::DotDecisions(std::ostream& out, std::string_view name) : out_(out) {
    out_ << "digraph " << name << " {\n  rankdir=LR;\n  node [fontname=\"Helvetica\"];\n" << dot_edge_style;
}

void DotDecisions::node(std::size_t id, std::string_view label, bool owned) {
    out_ << fmt::format("  n{} [label=\"{}\", {}];\n", id, dot_escaped(label), shape(owned));
}

// Lines of a picture are flush left, in letters of one width.
void DotDecisions::node(std::size_t id, const Position& position, bool owned) {
    std::string label = dot_escaped(position.player);
    std::string_view rest = position.picture;
    const bool lines = rest.find('\n') != std::string_view::npos;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (label.size() == dot_escaped(position.player).size()) label += "\\n";
        label += dot_escaped(rest.substr(0, end)) + (lines ? "\\l" : "");
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    out_ << fmt::format("  n{} [label=\"{}\", tooltip=\"{}\", {}{}];\n", id, label,
                        dot_escaped(position.tooltip), lines ? "fontname=\"monospace\", " : "", shape(owned));
}

void DotDecisions::edge(std::size_t from, std::size_t to, std::string_view label) {
    edge_to(from, fmt::format("n{}", to), label);
}

void DotDecisions::edge_to(std::size_t from, std::string_view name, std::string_view label) {
    out_ << fmt::format("  n{} -> {} [label=\"{}\"];\n", from, name, label);
}

void DotDecisions::leaf() {
    out_ << "  leaf [shape=square, label=\"\", width=0.15, style=filled, fillcolor=black];\n";
}

void DotDecisions::edge_to_more(std::size_t from, std::size_t to, std::string_view label) {
    const std::string more = fmt::format("m{}_{}", from, to);
    out_ << fmt::format("  {} [shape=plaintext, label=\"…\"];\n", more);
    edge_to(from, more, label);
}

void DotDecisions::end(std::string_view caption) {
    if (!caption.empty()) out_ << fmt::format("  label=\"{}\";\n", dot_escaped(caption));
    out_ << "}\n";
}

}  // namespace zermelo
