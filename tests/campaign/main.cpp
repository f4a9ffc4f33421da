// campaign [--seconds S] [--cases N] [--only KIND] [--from SEED] [--keep FOLDER]      or      campaign FILE
//
// Cases run in a process of their own, one after the other; each kind gets the same share of the time. Where that process
// dies, its case is kept and the next process goes on behind it.

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <optional>

#include "campaign/campaign.hpp"
#include "core/limits.hpp"

namespace zermelo::campaign {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_cpu_seconds = 60;  // of a case: then it does not end
constexpr int most_seconds = 900;     // the same where its processes wait for each other

struct Options {
    double seconds = 60;
    std::uint64_t cases = 0;  // of each kind; 0: as many as there is time for
    std::uint64_t from = 1;
    std::vector<std::string> only = {};
    std::string keep = "campaign-kept";
    std::string file = {};
};

// Shared by this process and the one that runs the cases.
struct Progress {
    struct Count {
        char what[48];
        std::uint64_t times;
    };
    struct OfKind {
        std::uint64_t next;  // seed
        std::uint64_t cases;
        double seconds;
        std::uint64_t disagreements;
        Count counts[24];
    };
    OfKind kinds[24];
    std::size_t kind;  // of the case that runs
    std::uint64_t seed;
    bool running;
};

class SharedTally final : public Tally {
public:
    explicit SharedTally(Progress::OfKind& kind) : kind_(kind) {}
    void count(const std::string& what, std::uint64_t times) override {
        for (Progress::Count& each : kind_.counts) {
            if (each.what[0] == '\0') what.copy(each.what, sizeof each.what - 1);
            if (what == each.what) {
                each.times += times;
                return;
            }
        }
    }

private:
    Progress::OfKind& kind_;
};

// The first line says what to run again, the second why; behind the line of dashes is what was drawn.
std::string keep(const Options& options, const Kind& kind, std::uint64_t seed, const std::string& text,
                 std::string why) {
    std::filesystem::create_directories(options.keep);
    const std::string file = fmt::format("{}/{}-{}.txt", options.keep, kind.name, seed);
    std::ranges::replace(why, '\n', ' ');
    std::ofstream(file) << kind.name << ' ' << seed << '\n' << why << "\n---\n" << text;
    return file;
}

// Runs one case; what disagreed, or nothing.
std::string disagreement(const Kind& kind, std::uint64_t seed, const std::string& text, Tally& tally) {
    try {
        kind.run({seed, text, tally});
    } catch (const LimitReached& limit) {
        tally.count("given up");
    } catch (const std::exception& other) {
        return other.what();
    }
    return "";
}

class Campaign {
public:
    Campaign(const Options& options, Progress& progress) : options_(options), progress_(progress) {
        for (std::size_t k = 0; k < kinds().size(); ++k) {
            const Kind& kind = kinds()[k];
            const bool named = std::ranges::find(options.only, kind.name) != options.only.end();
            if (named || (options.only.empty() && !kind.on_purpose)) chosen_.push_back(k);
            progress.kinds[k].next = options.from;
        }
    }

    // True where nothing disagreed.
    bool run() {
        end_ = Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.seconds));
        while (const auto kind = next_kind()) {
            const pid_t worker = fork();
            if (worker < 0) throw std::runtime_error("cannot start a process");
            if (worker == 0) {
                work();
                std::cout.flush();
                _exit(0);
            }
            int status = 0;
            while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
            }
            if (WIFSIGNALED(status)) died(WTERMSIG(status));
        }
        return report();
    }

private:
    // The one that had least time so far.
    [[nodiscard]] std::optional<std::size_t> next_kind() const {
        std::optional<std::size_t> next;
        for (const std::size_t k : chosen_) {
            if (options_.cases > 0 && progress_.kinds[k].cases >= options_.cases) continue;
            if (!next || progress_.kinds[k].seconds < progress_.kinds[*next].seconds) next = k;
        }
        return options_.cases > 0 || Clock::now() < end_ ? next : std::nullopt;
    }

    void work() {
        while (const auto k = next_kind()) {
            Progress::OfKind& of = progress_.kinds[*k];
            progress_.kind = *k;
            progress_.seed = of.next++;
            ++of.cases;
            progress_.running = true;
            const auto start = Clock::now();
            limit_time(most_cpu_seconds, most_seconds);
            const Kind& kind = kinds()[*k];
            SharedTally tally(of);
            const std::string text = kind.draw(progress_.seed);
            const std::string why = disagreement(kind, progress_.seed, text, tally);
            limit_time(0, 0);
            of.seconds += std::chrono::duration<double>(Clock::now() - start).count();
            progress_.running = false;
            if (!why.empty()) tell(kind, progress_.seed, text, why);
        }
    }

    // The default action of these signals ends the process.
    static void limit_time(int cpu_seconds, int seconds) {
        const itimerval cpu = {{0, 0}, {cpu_seconds, 0}};
        setitimer(ITIMER_PROF, &cpu, nullptr);
        (void)alarm(static_cast<unsigned>(seconds));
    }

    void died(int signal) {
        const Kind& kind = kinds()[progress_.kind];
        const bool endless = signal == SIGPROF || signal == SIGALRM;
        tell(kind, progress_.seed, kind.draw(progress_.seed),
             endless ? "it does not end"
                     : fmt::format("it ended by signal {} ({})", signal, strsignal(signal)));
        progress_.running = false;
    }

    void tell(const Kind& kind, std::uint64_t seed, const std::string& text, const std::string& why) {
        ++progress_.kinds[static_cast<std::size_t>(&kind - kinds().data())].disagreements;
        std::cout << kind.name << ' ' << seed << ": " << why << "\n  kept as "
                  << keep(options_, kind, seed, text, why) << std::endl;
    }

    bool report() const {
        std::uint64_t cases = 0;
        std::uint64_t disagreements = 0;
        for (const std::size_t k : chosen_) {
            const Progress::OfKind& of = progress_.kinds[k];
            std::cout << fmt::format("{:<11} {:>9} cases, {} disagreements, {:.0f} s", kinds()[k].name,
                                     of.cases, of.disagreements, of.seconds);
            for (const Progress::Count& each : of.counts) {
                if (each.what[0] != '\0') std::cout << "; " << each.times << ' ' << each.what;
            }
            std::cout << '\n';
            cases += of.cases;
            disagreements += of.disagreements;
        }
        std::cout << fmt::format("{:<11} {:>9} cases, {} disagreements\n", "all", cases, disagreements);
        return disagreements == 0;
    }

    const Options& options_;
    Progress& progress_;
    std::vector<std::size_t> chosen_;
    Clock::time_point end_;
};

// A file that a campaign kept.
bool run_again(const std::string& name) {
    std::ifstream file(name);
    std::string kind_name;
    std::uint64_t seed = 0;
    std::string line;
    if (!(file >> kind_name >> seed) || !std::getline(file, line) || !std::getline(file, line) ||
        !std::getline(file, line))
        throw std::runtime_error(name + ": not a file that a campaign has kept");
    const auto kind = std::ranges::find_if(kinds(), [&](const Kind& each) { return each.name == kind_name; });
    if (kind == kinds().end()) throw std::runtime_error(name + ": there is no kind " + kind_name);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    Progress::OfKind of = {};
    SharedTally tally(of);
    const std::string why = disagreement(*kind, seed, text, tally);
    std::cout << kind_name << ' ' << seed << ": " << (why.empty() ? "all agree" : why) << '\n';
    return why.empty();
}

int main_program(int argc, char** argv) {
    Options options;
    CLI::App app("Random games before engines that share no code");
    app.add_option("file", options.file, "a case that was kept, to be run again");
    app.add_option("--seconds", options.seconds, "how long (60)");
    app.add_option("--cases", options.cases, "so many of each kind instead");
    app.add_option("--from", options.from, "the first seed (1)");
    std::string about;
    for (const Kind& kind : kinds()) about += fmt::format("\n{}: {}", kind.name, kind.what);
    app.add_option("--only", options.only, "these kinds" + about);
    app.add_option("--keep", options.keep, "the folder for what disagreed (campaign-kept)");
    CLI11_PARSE(app, argc, argv);
    for (const std::string& name : options.only) {
        if (std::ranges::none_of(kinds(), [&](const Kind& kind) { return kind.name == name; })) {
            std::cerr << "campaign: there is no kind " << name << '\n';
            return 2;
        }
    }
    if (!options.file.empty()) return run_again(options.file) ? 0 : 1;
    void* const memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory");
    return Campaign(options, *new (memory) Progress{}).run() ? 0 : 1;
}

}  // namespace

}  // namespace zermelo::campaign

int main(int argc, char** argv) {
    try {
        return zermelo::campaign::main_program(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "campaign: " << error.what() << '\n';
        return 2;
    }
}
