// zermelo bench qbf: formulas made from the rules of games, solved by us and by DepQBF (Lonsing and Biere 2010).
//
// A list (bench/qbf.json) names families: rules in GDL, boards as facts that are added to them, and numbers of moves. A fact
// with C and R in it is placed on a cell that a seed draws. So a short file stands for hundreds of formulas, and the same on
// every machine.

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/bench/bench.hpp"
#include "core/clock.hpp"
#include "core/files.hpp"
#include "core/format/json_text.hpp"
#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qbf/write.hpp"
#include "model/qdimacs.hpp"
#include "solve/check.hpp"
#include "solve/problem/threshold_questions.hpp"
#include "solve/solve.hpp"

namespace zermelo::cli {

namespace {

struct QbfInstance {
    std::string family;
    std::string name;
    std::string rules;  // a file
    std::string facts;
    std::size_t horizon = 0;
    std::string role;  // empty: the first
};

// Every C R of the facts on a cell of its own.
std::string placed(const std::vector<std::string>& facts, int columns, int rows, std::uint64_t seed) {
    Random random(seed * 1'000'003);
    std::vector<std::pair<int, int>> cells;
    for (int c = 1; c <= columns; ++c) {
        for (int r = 1; r <= rows; ++r) cells.emplace_back(c, r);
    }
    std::vector<std::string> all;
    for (const std::string& fact : facts) {
        if (cells.empty()) throw Error("more facts to place than cells", "give a larger board");
        const auto drawn = cells.begin() + static_cast<std::ptrdiff_t>(random.below(cells.size()));
        std::string here = fact;
        here.replace(here.find("C R"), 3, fmt::format("{} {}", drawn->first, drawn->second));
        all.push_back(here);
        cells.erase(drawn);
    }
    std::ranges::sort(all);
    return fmt::format("{}", fmt::join(all, ""));
}

void add_board(std::vector<QbfInstance>& all, const nlohmann::json& family, const nlohmann::json& board,
               const std::string& folder) {
    const auto place = board.value("place", std::vector<std::string>{});
    const std::string facts = board.at("facts");
    for (const std::string& fact : place) {
        if (fact.find("C R") == std::string::npos)
            throw Error(fmt::format("the fact {} has no cell", fact),
                        "write C R where its column and row stand");
    }
    // So many different ones, drawn by seeds 1, 2, …
    std::vector<std::string> texts;
    const std::size_t wanted = place.empty() ? 1 : board.value("count", std::size_t{1});
    for (std::uint64_t seed = 1; texts.size() < wanted; ++seed) {
        if (seed > 100 * wanted)
            throw Error("too few ways to place " + place.front(), "give a smaller count");
        const std::string text =
            facts + (place.empty() ? "" : placed(place, board.at("columns"), board.at("rows"), seed));
        if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
    for (const std::string& text : texts) {
        for (const std::size_t horizon : board.at("horizons")) {
            for (const std::string& role : board.value("roles", std::vector<std::string>{""})) {
                all.push_back({family.at("family"),
                               fmt::format("{} in {}{}", text, horizon, role.empty() ? "" : " by " + role),
                               folder + "/" + family.at("rules").get<std::string>(), text, horizon, role});
            }
        }
    }
}

std::vector<QbfInstance> read_families(const std::string& list) {
    std::ifstream in(list);
    if (!in) throw Error({list}, "cannot be read", "check the name");
    std::vector<QbfInstance> all;
    try {
        for (const auto& family : json_from_text(in)) {
            for (const auto& board : family.at("boards"))
                add_board(all, family, board, std::filesystem::path(list).parent_path().string());
        }
    } catch (const nlohmann::json::exception& problem) {
        throw Error({list}, json_problem(problem),
                    "write families with rules and boards, as in bench/qbf.json");
    }
    return all;
}

// ------------------------------------------------------------------------------------------ the other solver

struct PeerRun {
    std::optional<bool> answer;
    double cpu_seconds = 0;
};

// Its exit code is 10 (true) or 20 (false).
PeerRun run_peer(const std::string& program, const std::string& file, double seconds) {
    std::string limit = fmt::format("--max-secs={}", static_cast<int>(std::ceil(seconds)));
    std::vector<std::string> words = {program, limit, file};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t id = 0;
    const int problem = posix_spawnp(&id, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        throw Error(fmt::format("{} cannot be run", program),
                    "install it (packages/test.txt), or leave it out with --peer ''");
    int status = 0;
    rusage usage{};
    while (wait4(id, &status, 0, &usage) < 0) {
    }
    const auto total = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    PeerRun run;
    run.cpu_seconds = total(usage.ru_utime) + total(usage.ru_stime);
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 10 || WEXITSTATUS(status) == 20))
        run.answer = WEXITSTATUS(status) == 10;
    return run;
}

// ------------------------------------------------------------------------------------------ by the rules

// A third opinion: minimax on the states of the game, with a table; no formula is involved.
class BoundedMinimax {
public:
    BoundedMinimax(const gdl::Game& game, std::size_t role, const Limits& limits)
        : machine_(game.machine()), runner_(machine_), role_(role), limits_(limits) {}

    std::optional<bool> forces(std::size_t moves) {
        const bool forced = forces(machine_.initial(), moves);
        return limits_.reached() == Stop::none ? std::optional(forced) : std::nullopt;
    }

private:
    bool forces(const gdl::State& state, std::size_t moves) {
        runner_.load(state);
        if (runner_.terminal()) return runner_.goal(role_) == 100;
        if (moves == 0 || limits_.reached() != Stop::none) return false;
        const auto [at, added] = known_[moves].try_emplace(gdl::hash(state), false);
        if (!added) return at->second;
        std::vector<std::vector<gdl::MoveId>> legal(machine_.roles());
        std::size_t mover = 0;
        for (std::size_t r = 0; r < legal.size(); ++r) {
            runner_.legal(r, legal[r]);
            if (legal[r].size() > 1) mover = r;
        }
        bool forced = mover != role_;
        for (const gdl::MoveId move : legal[mover]) {
            gdl::JointMove joint;
            for (std::size_t r = 0; r < legal.size(); ++r)
                joint.push_back(r == mover ? move : legal[r].front());
            gdl::State next;
            runner_.load(state);
            runner_.play(joint);
            runner_.next(next);
            if (forces(next, moves - 1) != (mover == role_)) continue;
            forced = mover == role_;
            break;
        }
        return known_[moves][gdl::hash(state)] = forced;
    }

    const gdl::Machine& machine_;
    gdl::Runner runner_;
    std::size_t role_;
    Limits limits_;
    std::map<std::size_t, std::map<Hash128, bool>> known_;
};

// ------------------------------------------------------------------------------------------ one formula

struct Formula {
    std::shared_ptr<const gdl::Game> game;
    std::size_t role = 0;
    std::string text;
    int variables = 0;
    std::size_t blocks = 0;
};

Formula make_formula(const QbfInstance& instance) {
    std::ifstream file(instance.rules);
    if (!file) throw Error({instance.rules}, "cannot be read", "check the list");
    std::ostringstream rules;
    rules << file.rdbuf() << instance.facts;
    Formula formula;
    formula.game = std::make_shared<const gdl::Game>(gdl::parse(rules.str(), instance.rules));
    const ThresholdQuestions questions(formula.game, instance.horizon, {});
    formula.role = instance.role.empty() ? 0 : questions.role_named(instance.role);
    const model::QuantifiedCircuit circuit =
        booleanise(questions.model({formula.role, 100, encode::ModelForm::quantified}).model);
    std::ostringstream text;
    write_qdimacs(text, circuit, instance.name);
    formula.text = text.str();
    formula.variables = circuit.nodes();
    formula.blocks = circuit.prefix.size();
    return formula;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

nlohmann::json known(const std::optional<bool>& answer) {
    return answer ? nlohmann::json(*answer) : nlohmann::json(nullptr);
}

const char* word(const nlohmann::json& answer) {
    return answer.is_null() ? "-" : answer.get<bool>() ? "true" : "false";
}

nlohmann::json summary(const std::string& family, const nlohmann::json& rows) {
    std::vector<double> ratios;
    nlohmann::json sum = {{"family", family}, {"instances", 0}, {"ours", 0},    {"theirs", 0},
                          {"both", 0},        {"same", 0},      {"minimax", 0}, {"certified", 0}};
    double ours = 0;
    double theirs = 0;
    const auto count = [&](const char* what, bool counts) {
        sum[what] = sum[what].get<int>() + (counts ? 1 : 0);
    };
    for (const auto& row : rows) {
        if (!family.empty() && row["family"] != family) continue;
        const bool both = !row["answer"].is_null() && !row["peer"].is_null();
        count("instances", true);
        count("ours", !row["answer"].is_null());
        count("theirs", !row["peer"].is_null());
        count("both", both);
        count("same", both && row["answer"] == row["peer"]);
        count("minimax", !row["answer"].is_null() && row["answer"] == row["minimax"]);
        count("certified", row["certified"]);
        if (!both) continue;
        ratios.push_back(std::max(row["seconds"].get<double>(), 1e-3) /
                         std::max(row["peer_seconds"].get<double>(), 1e-3));
        ours += row["seconds"].get<double>();
        theirs += row["peer_seconds"].get<double>();
    }
    sum["median_ratio"] = median(ratios);
    sum["our_seconds"] = ours;
    sum["their_seconds"] = theirs;
    sum["total_ratio"] = theirs > 0 ? ours / theirs : 0;
    return sum;
}

}  // namespace

nlohmann::json BenchQbf::measure(const std::string& file, bool& wrong, const nlohmann::json& row) const {
    nlohmann::json result = row;
    SolveOptions options;
    options.limits = Limits(seconds, std::nullopt);
    const auto named = engine_named(engine);
    if (!named) throw Error(fmt::format("there is no engine {}", engine), "choose auto, quantified or qcdcl");
    options.engine = *named;
    options.search.pure_values = pure_values;
    const double start = cpu_seconds();
    const Problem problem = read(file, {});
    const Verdict verdict = solve(problem, options);
    result["seconds"] = cpu_seconds() - start;
    result["nodes"] = verdict.nodes;
    if (verdict.outcome != Outcome::unknown) result["answer"] = verdict.outcome == Outcome::won;
    if (check && verdict.outcome != Outcome::unknown && !verdict.certificate.empty()) {
        CheckOptions checking;
        checking.limits = Limits(seconds, std::nullopt);
        const Report report = zermelo::check(problem, verdict.certificate, checking);
        result["certified"] = report.valid;
        wrong = wrong || report.counterexample.has_value();
    }
    if (peer.empty()) return result;
    const PeerRun other = run_peer(peer, file, seconds);
    result["peer"] = known(other.answer);
    result["peer_seconds"] = other.cpu_seconds;
    return result;
}

int BenchQbf::run() const {
    const auto instances = read_families(list);
    const std::string folder =
        fmt::format("{}/zermelo-qbf-{}", std::filesystem::temp_directory_path().string(), ::getpid());
    std::filesystem::create_directory(folder);
    auto rows = nlohmann::json::array();
    bool wrong = false;
    int code = answered;
    if (!json) print_head();
    std::size_t number = 0;
    for (const QbfInstance& instance : instances) {
        if (!only.empty() && instance.family != only) continue;
        if (number++ % std::max<std::size_t>(every, 1) != 0) continue;
        const Formula formula = make_formula(instance);
        const std::string file = folder + "/formula.qdimacs";
        replace_file(file, formula.text);
        if (!write_to.empty()) replace_file(fmt::format("{}/{:03}.qdimacs", write_to, number), formula.text);
        nlohmann::json row = {{"family", instance.family},
                              {"instance", instance.name},
                              {"blocks", formula.blocks},
                              {"variables", formula.variables},
                              {"answer", nullptr},
                              {"peer", nullptr},
                              {"nodes", 0},
                              {"minimax", nullptr},
                              {"peer_seconds", 0.0},
                              {"certified", false}};
        row = measure(file, wrong, row);
        row["minimax"] =
            known(BoundedMinimax(*formula.game, formula.role, Limits(minimax_seconds, std::nullopt))
                      .forces(instance.horizon));
        std::vector<nlohmann::json> answers;
        for (const char* who : {"answer", "peer", "minimax"}) {
            if (!row[who].is_null()) answers.push_back(row[who]);
        }
        const bool differ = std::ranges::any_of(answers, [&](const auto& a) { return a != answers.front(); });
        row["differ"] = differ;
        wrong = wrong || differ;
        rows.push_back(row);
        if (!json) print_row(row);
        if (Limits().reached() == Stop::interrupted) {
            code = interrupted;
            break;
        }
    }
    std::filesystem::remove_all(folder);
    auto families = nlohmann::json::array();
    std::vector<std::string> seen;
    for (const auto& row : rows) {
        if (std::ranges::find(seen, row["family"].get<std::string>()) != seen.end()) continue;
        seen.push_back(row["family"]);
        families.push_back(summary(seen.back(), rows));
    }
    families.push_back(summary("", rows));
    families.back()["family"] = "all";
    if (json) {
        print({{"instances", rows}, {"families", families}});
    } else {
        print_families(families);
    }
    return wrong ? int{check_failed} : code;
}

void BenchQbf::print_head() {
    std::cout << fmt::format("{:<60} {:>6} {:>7} {:>7} {:>9} {:>7} {:>9} {:>8} {:>8}\n", "instance", "blocks",
                             "size", "ours", "CPU s", "theirs", "CPU s", "minimax", "checked");
}

void BenchQbf::print_row(const nlohmann::json& row) {
    std::cout << fmt::format("{:<60} {:>6} {:>7} {:>7} {:>9.3f} {:>7} {:>9.3f} {:>8} {:>8}{}\n",
                             row["family"].get<std::string>() + " " + row["instance"].get<std::string>(),
                             row["blocks"].get<int>(), row["variables"].get<int>(), word(row["answer"]),
                             row["seconds"].get<double>(), word(row["peer"]),
                             row["peer_seconds"].get<double>(), word(row["minimax"]),
                             row["certified"].get<bool>() ? "yes" : "-",
                             row["differ"].get<bool>() ? "  DIFFERENT ANSWERS" : "")
              << std::flush;
}

void BenchQbf::print_families(const nlohmann::json& families) {
    std::cout << fmt::format("\n{:<16} {:>9} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8}\n",
                             "family", "instances", "ours", "theirs", "both", "same", "minimax", "checked",
                             "our s", "their s", "ratio", "median");
    for (const auto& f : families) {
        std::cout << fmt::format(
            "{:<16} {:>9} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>9.2f} {:>9.2f} {:>8.3g} {:>8.3g}\n",
            f["family"].get<std::string>(), f["instances"].get<int>(), f["ours"].get<int>(),
            f["theirs"].get<int>(), f["both"].get<int>(), f["same"].get<int>(), f["minimax"].get<int>(),
            f["certified"].get<int>(), f["our_seconds"].get<double>(), f["their_seconds"].get<double>(),
            f["total_ratio"].get<double>(), f["median_ratio"].get<double>());
    }
    std::cout
        << "ratio: our time over theirs where both have answered; median: of these ratios, with times below\n"
           "1 ms taken for 1 ms. minimax: answers that bounded minimax on the rules has, too.\n";
}

}  // namespace zermelo::cli
