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

void DotDecisions::node(std::size_t id, std::string_view label, std::string_view tooltip, bool owned) {
    out_ << fmt::format("  n{} [label=\"{}\", tooltip=\"{}\", {}];\n", id, dot_escaped(label),
                        dot_escaped(tooltip), shape(owned));
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
