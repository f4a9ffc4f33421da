// Graphs from DOT, parsed by Graphviz' own library.
//
// The library keeps one scanner and one way to complain for the whole process, hence the lock. Its scanner
// also keeps what stands behind the graph, so that everything has to be read to the end: the next file would
// otherwise begin with the rest of this one.

#include <fmt/format.h>
#include <graphviz/cgraph.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <iterator>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/format/numbers.hpp"
#include "game/graph/graph_draft.hpp"

namespace zermelo::game {

namespace {

std::mutex library_in_use;
std::string complaints;  // what the library said, guarded by the lock

int note_complaint(char* text) {
    complaints += text;
    return 0;
}

int read_some(void* channel, char* buffer, int size) {
    auto& rest = *static_cast<std::string_view*>(channel);
    const std::size_t n = rest.copy(buffer, static_cast<std::size_t>(size));
    rest.remove_prefix(n);
    return static_cast<int>(n);
}

using Dot = std::unique_ptr<Agraph_t, int (*)(Agraph_t*)>;

// The next graph of the text, if there is one; takes from the text what it has read.
Dot next_graph(std::string_view& text) {
    static Agiodisc_t io{read_some, AgIoDisc.putstr, AgIoDisc.flush};
    static Agdisc_t rules{&AgMemDisc, &AgIdDisc, &io};
    return {agread(&text, &rules), agclose};
}

bool scanner_is_at_its_beginning() {
    complaints.clear();
    std::string_view probe = "digraph {}";
    const Dot dot = next_graph(probe);
    std::string_view nothing;
    return dot && !next_graph(nothing) && complaints.empty();
}

// Ends whatever the scanner may still be in: a string, a comment, or HTML nested at most so deeply. Whether
// it was in something.
bool reset_scanner(std::size_t deepest) {
    bool in_something = false;
    for (const std::string& end : {std::string("\""), std::string("*/"), std::string(deepest, '>')}) {
        if (scanner_is_at_its_beginning()) break;
        in_something = true;
        std::string_view text = end;
        (void)next_graph(text);
    }
    return in_something;
}

class DotReader {
public:
    explicit DotReader(const std::string& file) : file_(file) {}

    Graph read(const std::string& text) {
        require_text(text);
        {
            const std::lock_guard lock(library_in_use);
            const Dot dot = parse(text);
            take(dot.get());
        }
        const auto state_text = [this](std::size_t state) { return "state " + names_[state]; };
        const DraftPlaces where{"players", "initial", state_text, [&](std::size_t state, std::size_t) {
                                    return state_text(state) + ", one of its edges";
                                }};
        for (const GraphDraft::State& state : draft_.states) names_.push_back(state.name);
        return finish(std::move(draft_), file_, where);
    }

private:
    void require_text(const std::string& text) const {
        if (text.find('\0') != std::string::npos) {
            throw Error({file_}, "this has a character of code 0", "give a text file");
        }
        try {
            (void)nlohmann::json(text).dump();
        } catch (const nlohmann::json::type_error&) {
            throw Error({file_}, "this is not a text in UTF-8", "convert it to UTF-8");
        }
    }

    [[nodiscard]] Dot parse(const std::string& text) const {
        const agusererrf before = agseterrf(note_complaint);
        complaints.clear();
        agreadline(1);
        std::string_view rest = text;
        Dot dot = next_graph(rest);
        bool more = false;
        while (complaints.empty() && next_graph(rest)) more = true;
        const std::string complained = complaints;
        const bool unfinished = reset_scanner(text.size());
        agreseterrors();
        agseterrf(before);
        if (!complained.empty()) throw complaint(complained);
        if (unfinished) throw Error({file_}, "a string or a comment is not closed", "correct the file");
        if (!dot) throw Error({file_}, "there is no graph in this file", "write digraph { … }");
        if (more)
            throw Error({file_}, "there is more than one graph in this file",
                        "put each graph into its own file");
        if (!agisdirected(dot.get())) {
            throw Error({file_}, "the edges of this graph have no direction", "write digraph and ->");
        }
        return dot;
    }

    // The library says "Error: syntax error in line 3 near '['".
    [[nodiscard]] Error complaint(const std::string& complained) const {
        std::string what = complained.substr(0, complained.find('\n'));
        if (what.starts_with("Error: ")) what.erase(0, 7);
        Place place{file_};
        constexpr std::string_view mark = " in line ";
        if (const auto found = what.find(mark); found != std::string::npos) {
            const char* digits = what.data() + found + mark.size();
            const auto end = std::from_chars(digits, what.data() + what.size(), place.line).ptr;
            what.erase(found, static_cast<std::size_t>(end - what.data()) - found);
        }
        return Error(place, "this is not DOT: " + what, "correct the file");
    }

    void take(Agraph_t* dot) {
        draft_.description = attribute(dot, "comment");
        draft_.initial = attribute(dot, "initial");
        draft_.players = split(attribute(dot, "players"));
        for (Agnode_t* node = agfstnode(dot); node != nullptr; node = agnxtnode(dot, node)) {
            GraphDraft::State& state = draft_.states.emplace_back();
            state.name = agnameof(node);
            state.player = attribute(node, "player");
            state.winner = attribute(node, "winner");
            const std::string payoffs = attribute(node, "payoffs");
            if (!payoffs.empty()) state.payoffs = numbers(payoffs, state.name);
            for (Agedge_t* edge : edges_as_written(dot, node)) {
                state.moves.push_back({agnameof(aghead(edge)), attribute(edge, "label"),
                                       weight(attribute(edge, "weight"), state.name)});
            }
        }
    }

    [[nodiscard]] std::uint64_t weight(const std::string& text, const std::string& state) const {
        if (text.empty()) return 1;
        std::uint64_t weight = 0;
        const char* end = text.data() + text.size();
        constexpr std::uint64_t most = 1'000'000'000;
        if (std::from_chars(text.data(), end, weight).ptr != end || weight == 0 || weight > most) {
            throw Error({file_}, fmt::format("{}: the weight of a move cannot be {}", state, text),
                        "weights are whole numbers from 1 to a thousand million");
        }
        return weight;
    }

    // The library puts loops first.
    [[nodiscard]] static std::vector<Agedge_t*> edges_as_written(Agraph_t* dot, Agnode_t* node) {
        std::vector<Agedge_t*> edges;
        for (Agedge_t* edge = agfstout(dot, node); edge != nullptr; edge = agnxtout(dot, edge)) {
            edges.push_back(edge);
        }
        std::sort(edges.begin(), edges.end(), [](Agedge_t* a, Agedge_t* b) { return AGSEQ(a) < AGSEQ(b); });
        return edges;
    }

    [[nodiscard]] static std::string attribute(void* object, std::string name) {
        const char* value = agget(object, name.data());
        return value == nullptr ? std::string() : std::string(value);
    }

    // Between commas, without the blanks around.
    [[nodiscard]] static std::vector<std::string> split(const std::string& text) {
        std::vector<std::string> parts;
        for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string part = text.substr(begin, end - begin);
            const auto first = part.find_first_not_of(' ');
            parts.push_back(first == std::string::npos
                                ? std::string()
                                : part.substr(first, part.find_last_not_of(' ') + 1 - first));
            begin = end + 1;
        }
        return parts;
    }

    [[nodiscard]] std::vector<int> numbers(const std::string& text, const std::string& state) const {
        std::vector<int> result;
        for (const std::string& part : split(text)) {
            const auto number = read_number<int>(part);
            if (!number) {
                throw Error({file_}, fmt::format("state {}: \"{}\" cannot be a payoff", state, part),
                            "payoffs are 0 … 100, separated by commas");
            }
            result.push_back(*number);
        }
        return result;
    }

    const std::string& file_;
    GraphDraft draft_;
    std::vector<std::string> names_;  // for complaints, when the draft has been given away
};

}  // namespace

Graph read_graph_dot(std::istream& in, const std::string& file) {
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return DotReader(file).read(text);
}

}  // namespace zermelo::game
