// What tests ask about pages and pictures.

#pragma once

#include <string>
#include <vector>

namespace zermelo::arena {

// How often a part stands in a text.
inline std::size_t count(const std::string& text, const std::string& part) {
    std::size_t result = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++result;
    return result;
}

// What is wrong with the nesting of tags, the quotes of attributes or the entities; empty where nothing is.
inline std::string flaw(const std::string& page) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < page.size(); ++at) {
        const std::string here = page.substr(at, 40);
        if (page[at] == '&') {
            const std::string name = page.substr(at, page.find(';', at) - at + 1);
            if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;" && name != "&#39;")
                return "an unknown entity: " + here;
        }
        if (page[at] == '>') return "a > out of place: " + here;
        if (page[at] != '<') continue;
        std::size_t end = at + 1;
        for (bool quoted = false; end < page.size() && (quoted || page[end] != '>'); ++end) {
            if (page[end] == '"') quoted = !quoted;
            if (page[end] == '<') return "a < within a tag: " + here;
        }
        if (end >= page.size()) return "a tag without end: " + here;
        const std::string tag = page.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find(' '));
        if (tag[0] == '/') {
            if (open.empty() || "/" + open.back() != name) return "out of turn: " + here;
            open.pop_back();
        } else if (tag[0] != '!' && tag.back() != '/') {
            open.push_back(name);
        }
        at = end;
    }
    return open.empty() ? "" : "left open: " + open.back();
}

}  // namespace zermelo::arena
