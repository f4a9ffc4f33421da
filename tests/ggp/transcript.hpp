// Recorded exchanges between a manager and a player:
//
//   #### exchange 1
//   >>>> request
//   POST / HTTP/1.0 … headers, an empty line, the body
//   <<<< response
//   HTTP/1.0 200 OK … headers, an empty line, the body

#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace zermelo::ggp {

struct Exchange {
    std::string request_head;  // lines, without the empty one
    std::string request_body;
    std::string response_body;
};

// Lines, and what follows the first empty one, without line breaks at the end.
inline std::pair<std::string, std::string> head_and_body(const std::string& text) {
    const std::size_t gap = text.find("\n\n");
    std::string body = gap == std::string::npos ? "" : text.substr(gap + 2);
    while (!body.empty() && (body.back() == '\n' || body.back() == '\r')) body.pop_back();
    return {text.substr(0, gap), body};
}

inline std::vector<Exchange> read_transcript(const std::string& file) {
    std::ifstream in(file);
    std::vector<Exchange> exchanges;
    std::string request;
    std::string response;
    std::string* part = nullptr;
    const auto finish = [&] {
        if (request.empty()) return;
        const auto [head, body] = head_and_body(request);
        exchanges.push_back({head, body, head_and_body(response).second});
        request.clear();
        response.clear();
    };
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.starts_with("#### exchange")) {
            finish();
            part = nullptr;
        } else if (line == ">>>> request") {
            part = &request;
        } else if (line == "<<<< response") {
            part = &response;
        } else if (part != nullptr) {
            *part += line + '\n';
        }
    }
    finish();
    return exchanges;
}

// The request as bytes, with the length that the body has.
inline std::string wire(const Exchange& exchange) {
    std::istringstream lines(exchange.request_head);
    std::string bytes;
    for (std::string line; std::getline(lines, line);) {
        std::string name = line.substr(0, line.find(':'));
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (name == "content-length")
            line = "Content-Length: " + std::to_string(exchange.request_body.size());
        bytes += line + "\r\n";
    }
    return bytes + "\r\n" + exchange.request_body;
}

}  // namespace zermelo::ggp
