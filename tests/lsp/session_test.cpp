// The language server as an editor sees it: the real program, spoken to over pipes.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run.hpp"

namespace zermelo {
namespace {

using nlohmann::json;

// An editor with a server.
class Editor {
public:
    Editor() {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        EXPECT_EQ(pipe(to.data()), 0);
        EXPECT_EQ(pipe(from.data()), 0);
        child_ = fork();
        if (child_ == 0) {
            dup2(to[0], STDIN_FILENO);
            dup2(from[1], STDOUT_FILENO);
            for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
            execl(ZERMELO_BINARY, "zermelo", "lsp", nullptr);
            _exit(127);
        }
        close(to[0]);
        close(from[1]);
        to_ = to[1];
        from_ = from[0];
    }
    ~Editor() {
        close(to_);
        close(from_);
        if (child_ > 0) waitpid(child_, nullptr, 0);
    }
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    void send_text(const std::string& text) const {
        const std::string whole = "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
        ASSERT_EQ(write(to_, whole.data(), whole.size()), static_cast<ssize_t>(whole.size()));
    }
    void notify(const std::string& method, const json& parameters) const {
        send_text(json({{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}}).dump());
    }
    // The whole answer; notifications that come before are kept.
    json ask(const std::string& method, const json& parameters) {
        const int id = ++last_id_;
        send_text(json({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", parameters}}).dump());
        while (true) {
            json message = read();
            if (message.is_null() || message.value("id", json()) == id) return message;
            notices_.push_back(std::move(message));
        }
    }
    json result(const std::string& method, const json& parameters) {
        const json answer = ask(method, parameters);
        EXPECT_TRUE(answer.contains("result")) << method << answer;
        return answer.value("result", json());
    }
    json notice() {
        if (notices_.empty()) return read();
        json first = notices_.front();
        notices_.pop_front();
        return first;
    }
    // The diagnostics of a version of a document.
    json diagnostics(const std::string& uri, int version) {
        while (true) {
            const json message = notice();
            if (message.is_null()) return nullptr;
            const json& parameters = message["params"];
            if (message["method"] == "textDocument/publishDiagnostics" && parameters["uri"] == uri &&
                parameters.value("version", 0) == version)
                return parameters["diagnostics"];
        }
    }
    json raw() { return read(); }

    void initialize() {
        const json answer = result("initialize", {{"processId", nullptr}, {"capabilities", json::object()}});
        EXPECT_EQ(answer["serverInfo"]["name"], "zermelo");
        EXPECT_EQ(answer["capabilities"]["renameProvider"]["prepareProvider"], true);
        notify("initialized", json::object());
    }
    void open(const std::string& uri, const std::string& language, const std::string& text) const {
        notify("textDocument/didOpen",
               {{"textDocument", {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
    }
    // The exit code.
    int end() {
        EXPECT_TRUE(result("shutdown", nullptr).is_null());
        EXPECT_EQ(ask("textDocument/hover", json::object())["error"]["code"], -32600);
        notify("exit", nullptr);
        return wait();
    }
    int wait() {
        int status = 0;
        waitpid(child_, &status, 0);
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    void hang_up() {
        close(to_);
        to_ = -1;
    }

private:
    json read() {
        constexpr int most_milliseconds = 60'000;
        while (true) {
            const std::size_t body = buffer_.find("\r\n\r\n");
            if (body != std::string::npos) {
                const std::size_t length = std::stoul(buffer_.substr(std::string("Content-Length: ").size()));
                if (buffer_.size() >= body + 4 + length) {
                    json message = json::parse(buffer_.substr(body + 4, length), nullptr, false);
                    buffer_.erase(0, body + 4 + length);
                    EXPECT_EQ(message["jsonrpc"], "2.0");
                    return message;
                }
            }
            pollfd wanted{from_, POLLIN, 0};
            std::array<char, 4096> bytes{};
            const ssize_t count =
                poll(&wanted, 1, most_milliseconds) > 0 ? ::read(from_, bytes.data(), bytes.size()) : 0;
            if (count <= 0) {
                ADD_FAILURE() << "the server says no more";
                return nullptr;
            }
            buffer_.append(bytes.data(), static_cast<std::size_t>(count));
        }
    }

    int to_ = -1;
    int from_ = -1;
    pid_t child_ = -1;
    int last_id_ = 0;
    std::string buffer_;
    std::deque<json> notices_;
};

json place(const std::string& uri, std::size_t line, std::size_t character) {
    return {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}};
}
json range(std::size_t line, std::size_t from, std::size_t to) {
    return {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}};
}

constexpr const char* game_uri = "file:///tmp/no%20such/game.kif";
constexpr const char* game_text = R"((role alice)
(init (light on))
; Which light follows — é and 😀 are wider in bytes than in columns.
(follows on off) (follows off on) ; 😀 (
(<= (legal alice (press ?light)) (true (light ?light)))
(<= (next (light ?other)) (does alice (press ?light)) (follows ?light ?other))
(<= terminal (true (light off)))
(goal alice 100
)";

TEST(LanguageServer, AScriptedSessionWithAGameInGdl) {
    Editor editor;
    editor.initialize();
    editor.open(game_uri, "gdl", game_text);
    const json broken = editor.diagnostics(game_uri, 1);
    ASSERT_EQ(broken.size(), 1U) << broken;
    EXPECT_EQ(broken[0]["message"], "parenthesis is never closed; add the missing `)`");
    EXPECT_EQ(broken[0]["severity"], 1);
    EXPECT_EQ(broken[0]["range"]["start"], (json{{"line", 7}, {"character", 0}}));

    // Mended by one key.
    editor.notify("textDocument/didChange",
                  {{"textDocument", {{"uri", game_uri}, {"version", 2}}},
                   {"contentChanges", {{{"range", range(7, 15, 15)}, {"text", ")"}}}}});
    const json mended = editor.diagnostics(game_uri, 2);
    for (const json& finding : mended) EXPECT_NE(finding["severity"], 1) << finding;

    const json keyword = editor.result("textDocument/hover", place(game_uri, 5, 6));
    EXPECT_NE(keyword["contents"]["value"].get<std::string>().find("will hold in the next position"),
              std::string::npos)
        << keyword;
    EXPECT_EQ(keyword["range"], range(5, 5, 9));
    const std::string relation =
        editor.result("textDocument/hover", place(game_uri, 3, 2))["contents"]["value"];
    EXPECT_NE(relation.find("**follows** — relation with 2 arguments"), std::string::npos) << relation;
    EXPECT_NE(relation.find("Which light follows"), std::string::npos) << relation;
    EXPECT_NE(relation.find("given 2 times, used 1 time"), std::string::npos) << relation;
    EXPECT_NE(relation.find("- argument 1: on, off"), std::string::npos) << relation;

    // The light of a rule is given by init and next; the press by legal.
    const json light = editor.result("textDocument/definition", place(game_uri, 6, 22));
    ASSERT_EQ(light.size(), 2U) << light;
    EXPECT_EQ(light[0]["range"], range(1, 7, 12));
    EXPECT_EQ(light[1]["range"], range(5, 11, 16));
    const json press = editor.result("textDocument/definition", place(game_uri, 5, 41));
    ASSERT_EQ(press.size(), 1U);
    EXPECT_EQ(press[0]["range"], range(4, 18, 23));
    json wanted = place(game_uri, 6, 22);
    wanted["context"] = {{"includeDeclaration", true}};
    EXPECT_EQ(editor.result("textDocument/references", wanted).size(), 4U);
    wanted["context"]["includeDeclaration"] = false;
    EXPECT_EQ(editor.result("textDocument/references", wanted).size(), 2U);

    // A variable is renamed in its rule alone, a fluent everywhere.
    json variable = place(game_uri, 5, 20);
    variable["newName"] = "?lamp";
    const json in_rule = editor.result("textDocument/rename", variable)["changes"][game_uri];
    ASSERT_EQ(in_rule.size(), 2U) << in_rule;
    for (const json& edit : in_rule) EXPECT_EQ(edit["range"]["start"]["line"], 5);
    json fluent = place(game_uri, 1, 8);
    fluent["newName"] = "lamp";
    EXPECT_EQ(editor.result("textDocument/rename", fluent)["changes"][game_uri].size(), 4U);
    fluent["newName"] = "press";
    EXPECT_EQ(editor.ask("textDocument/rename", fluent)["error"]["message"],
              "press is already the name of something else; choose another name");
    fluent["newName"] = "two words";
    EXPECT_EQ(editor.ask("textDocument/rename", fluent)["error"]["code"], -32803);
    EXPECT_TRUE(editor.result("textDocument/prepareRename", place(game_uri, 4, 6)).is_null());

    const json edits = editor.result("textDocument/formatting", {{"textDocument", {{"uri", game_uri}}}});
    ASSERT_EQ(edits.size(), 1U);
    const std::string formatted = edits[0]["newText"];
    EXPECT_NE(formatted.find("(<= (next (light ?other))\n    (does alice (press ?light))\n    (follows"),
              std::string::npos)
        << formatted;
    editor.notify("textDocument/didChange", {{"textDocument", {{"uri", game_uri}, {"version", 3}}},
                                             {"contentChanges", {{{"text", formatted}}}}});
    EXPECT_EQ(editor.result("textDocument/formatting", {{"textDocument", {{"uri", game_uri}}}}).size(), 0U);

    const json symbols =
        editor.result("textDocument/documentSymbol", {{"textDocument", {{"uri", game_uri}}}});
    std::vector<std::string> names;
    for (const json& symbol : symbols) names.push_back(symbol["name"]);
    EXPECT_EQ(names, (std::vector<std::string>{"role alice", "init light", "follows", "follows",
                                               "legal press", "next light", "terminal", "goal"}));
    const json completions = editor.result("textDocument/completion", place(game_uri, 0, 1));
    std::vector<std::string> labels;
    for (const json& completion : completions) labels.push_back(completion["label"]);
    for (const char* label : {"legal", "follows", "press", "light"})
        EXPECT_NE(std::find(labels.begin(), labels.end(), label), labels.end()) << label;
    EXPECT_EQ(editor.end(), 0);
}

constexpr const char* model_uri = "file:///tmp/game.mzn";
constexpr const char* model_text = R"(include "zermelo.mzn";
int: n = 3;  % how many
var 1..n: x;
var 1..n: y;
constraint some(1, x, 1..n);
constraint every(2, y, 1..n);
constraint rule(2, y != x);
constraint win(x + y <= z);
solve satisfy; output ["of \(n): \(x + (y)) x"];
)";

TEST(LanguageServer, AScriptedSessionWithAQuantifiedModel) {
    Editor editor;
    editor.initialize();
    editor.open(model_uri, "minizinc", model_text);
    const json broken = editor.diagnostics(model_uri, 1);
    ASSERT_EQ(broken.size(), 1U) << broken;
    EXPECT_EQ(broken[0]["range"], range(7, 24, 25));
    EXPECT_NE(broken[0]["message"].get<std::string>().find("undefined identifier `z'"), std::string::npos);
    editor.notify("textDocument/didChange",
                  {{"textDocument", {{"uri", model_uri}, {"version", 2}}},
                   {"contentChanges", {{{"range", range(7, 24, 25)}, {"text", "4"}}}}});
    EXPECT_EQ(editor.diagnostics(model_uri, 2), json::array());

    const std::string word =
        editor.result("textDocument/hover", place(model_uri, 5, 13))["contents"]["value"];
    EXPECT_NE(word.find("every(level, x, D): they choose x from D."), std::string::npos) << word;
    EXPECT_NE(word.find("predicate every(int: level, var int: x, set of int: D)"), std::string::npos) << word;
    const std::string parameter =
        editor.result("textDocument/hover", place(model_uri, 2, 7))["contents"]["value"];
    EXPECT_NE(parameter.find("int: n = 3;"), std::string::npos) << parameter;
    EXPECT_NE(parameter.find("how many"), std::string::npos) << parameter;
    const json given = editor.result("textDocument/definition", place(model_uri, 7, 15));
    ASSERT_EQ(given.size(), 1U);
    EXPECT_EQ(given[0]["range"], range(2, 10, 11));
    json renaming = place(model_uri, 2, 10);
    renaming["newName"] = "ours";
    const json renamed = editor.result("textDocument/rename", renaming)["changes"][model_uri];
    ASSERT_EQ(renamed.size(), 5U) << renamed;
    EXPECT_EQ(renamed[4]["range"], range(8, 35, 36));  // inside the string, but not its text
    renaming["newName"] = "y";
    EXPECT_TRUE(editor.ask("textDocument/rename", renaming).contains("error"));
    json library = place(model_uri, 4, 13);
    library["newName"] = "choice";
    EXPECT_EQ(editor.ask("textDocument/rename", library)["error"]["message"],
              "some is not declared in this file; rename it where it is declared");
    EXPECT_EQ(editor.result("textDocument/formatting", {{"textDocument", {{"uri", model_uri}}}}),
              json::array());
    const json symbols =
        editor.result("textDocument/documentSymbol", {{"textDocument", {{"uri", model_uri}}}});
    ASSERT_EQ(symbols.size(), 3U) << symbols;
    EXPECT_EQ(symbols[1]["name"], "x");
    EXPECT_EQ(editor.end(), 0);
}

TEST(LanguageServer, AParameterWithoutAValueIsNoMistakeInAnEditor) {
    Editor editor;
    editor.initialize();
    editor.open(model_uri, "minizinc",
                "include \"zermelo.mzn\";\nint: n;\nvar 1..n: x;\nconstraint some(1, x, 1..n);\n"
                "constraint win(x > 1);\nsolve satisfy;\n");
    const json found = editor.diagnostics(model_uri, 1);
    ASSERT_EQ(found.size(), 1U) << found;
    EXPECT_EQ(found[0]["severity"], 4) << found;
    EXPECT_EQ(editor.end(), 0);
}

// The models of a folder include each other; the text in the editor is not yet in a file.
TEST(LanguageServer, IncludesAreFoundBesideTheDocument) {
    const TemporaryDirectory beside;
    (void)beside.write("sizes.mzn", "int: n = 2;\n");
    Editor editor;
    editor.initialize();
    const std::string uri = "file://" + beside.path("game.mzn");
    editor.open(uri, "minizinc",
                "include \"zermelo.mzn\"; include \"sizes.mzn\";\nvar 1..n: x;\n"
                "constraint some(1, x, 1..n);\nconstraint win(x > 1);\nsolve satisfy;\n");
    EXPECT_EQ(editor.diagnostics(uri, 1), json::array());
    EXPECT_EQ(editor.end(), 0);
}

TEST(LanguageServer, AnswersWhatItDoesNotUnderstandWithAnError) {
    Editor editor;
    EXPECT_EQ(editor.ask("textDocument/hover", json::object())["error"]["code"], -32002);
    editor.initialize();
    EXPECT_EQ(editor.ask("workspace/dance", json::object())["error"]["code"], -32601);
    EXPECT_EQ(editor.ask("textDocument/hover", json::object())["error"]["code"], -32602);
    EXPECT_EQ(editor.ask("textDocument/hover", place("file:///none.kif", 0, 0))["error"]["code"], -32803);
    editor.send_text("{ no JSON");
    EXPECT_EQ(editor.raw()["error"]["code"], -32700);
    editor.open("file:///a.txt", "plaintext", "not ours");
    EXPECT_TRUE(editor.result("textDocument/hover", place("file:///a.txt", 0, 0)).is_null());
    editor.open(game_uri, "gdl", game_text);
    editor.hang_up();
    EXPECT_EQ(editor.wait(), 1);
}

}  // namespace
}  // namespace zermelo
