// Language server: the Language Server Protocol (Microsoft, version 3.17) for GDL and for quantified models in MiniZinc.
//
// One thread: requests are answered in their order. Diagnostics take longest, so they wait until no message does, and
// are found only for the last of several changes. An editor that does not wait for `initialize` gets an error.

#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "lsp/document.hpp"
#include "lsp/message_stream.hpp"

namespace zermelo::lsp {

class Server {
public:
    explicit Server(MessageStream& stream) : stream_(stream) {}

    // Serves until the editor says exit, or goes. True if it has asked for the end before, as it should.
    bool run();

private:
    struct Open {
        std::string file;
        std::string language;
        nlohmann::json version;
        std::unique_ptr<Document> document;  // null for a language that is not ours
        bool changed = true;
    };

    void handle(const nlohmann::json& message);
    [[nodiscard]] nlohmann::json answer(const std::string& method, const nlohmann::json& parameters);
    void notice(const std::string& method, const nlohmann::json& parameters);
    void open(const nlohmann::json& item);
    void change(const nlohmann::json& parameters);
    void close(const std::string& uri);
    void publish_changed();
    void publish(const std::string& uri, const Open& open, const std::vector<Diagnostic>& found);
    void fail(const nlohmann::json& id, int code, const std::string& message);

    MessageStream& stream_;
    std::map<std::string, Open> documents_;  // by address
    bool initialized_ = false;
    bool shut_down_ = false;
    bool exit_ = false;
};

}  // namespace zermelo::lsp
