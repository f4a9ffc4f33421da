// zermelo train: the player zermelo learns a game from its rules, by playing against itself.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/command.hpp"
#include "cli/usage/values.hpp"
#include "core/clock.hpp"
#include "core/format/json_text.hpp"
#include "core/format/numbers.hpp"
#include "learn/net_file.hpp"
#include "play/champion/champion.hpp"
#include "play/learn/duel.hpp"
#include "play/learn/training.hpp"
#include "play/mcts/uct.hpp"

namespace zermelo::cli {

namespace {

constexpr double first_look = 30;              // seconds until strength is measured first
constexpr std::uint64_t net_evaluations = 64;  // a move, where strength is measured
constexpr std::uint64_t grave_playouts = 512;
constexpr double gate_seconds = 0.05;  // for a move
constexpr double gate_certainty = 2;   // standard deviations

// How strong the net is at some time.
struct Look {
    double seconds = 0;
    std::uint64_t games = 0;
    learn::Loss loss;
    std::optional<play::DuelScore> before;  // against the net at the last look
    std::optional<play::DuelScore> grave;
};

class TrainCommand {
public:
    std::string file;
    std::optional<double> minutes;
    std::optional<std::uint64_t> games;
    std::string out;
    std::size_t matches = 20;
    double seconds_between_saves = 60;
    play::TrainingOptions options;
    unsigned threads = 0;
    bool fresh = false;
    bool json = false;

    [[nodiscard]] int run() {
        begun_ = Clock::now();
        if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
        options.threads = threads;
        const gdl::Game game(file);
        const play::GameContext rules(game);
        play::Training training(rules, options);
        place(training);
        const bool goes_on = !fresh && std::filesystem::exists(checkpoint_);
        if (goes_on) training.resume(checkpoint_);
        tell(fmt::format("{} parameters, {} gates, {} symmetries; {}", count_text(training.parameters()),
                         training.gates(), training.symmetries(), net_));
        if (goes_on) tell(fmt::format("goes on after {} games", count_text(training.games())));
        learn(rules, training);
        if (Limits().reached() == Stop::none) gate(rules, training);
        save(training);
        report(training);
        return Limits().reached() == Stop::interrupted ? interrupted : answered;
    }

private:
    void place(const play::Training& training) {
        net_ = out.empty() ? learn::cache_file(training.form().fingerprint) : out;
        if (net_.empty()) throw Error("there is no folder to keep the net in", "name a file with -o");
        checkpoint_ = net_ + ".checkpoint";
        std::error_code ignored;  // the file cannot be written then, which is said
        const auto folder = std::filesystem::path(net_).parent_path();
        if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
        require_writable(net_);
    }

    void learn(const play::GameContext& rules, play::Training& training) {
        const auto deadline = minutes ? play::Deadline::in(60 * *minutes) : play::Deadline();
        double saved = elapsed();
        double next_look = minutes ? std::min(first_look, 15 * *minutes) : first_look;
        std::shared_ptr<const learn::Judgement> before;
        while (!deadline.passed() && (!games || training.games() < *games)) {
            if (!training.round(deadline)) break;
            progress_.show(fmt::format("{} games, loss {:.3f} of values, {:.3f} of moves",
                                       count_text(training.games()), training.loss().value,
                                       training.loss().policy));
            if (elapsed() - saved > seconds_between_saves) {
                save(training);
                saved = elapsed();
            }
            if (elapsed() > next_look) {
                look(rules, training, before);
                before = training.judgement();
                next_look = 2 * elapsed();
            }
        }
        if (Limits().reached() == Stop::none) look(rules, training, before);
    }

    void look(const play::GameContext& rules, play::Training& training,
              const std::shared_ptr<const learn::Judgement>& before) {
        Look now{elapsed(), training.games(), training.loss(), {}, {}};
        if (matches > 0 && training.games() > 0) {
            play::DuelOptions duel;
            duel.games = matches;
            duel.playouts = net_evaluations;
            duel.threads = threads;
            const auto present = player_of(rules, training.judgement());
            if (before && rules.seats().size() > 1)
                now.before = play::duel(rules, present, player_of(rules, before), duel);
            duel.second_playouts = grave_playouts;
            now.grave = play::duel(
                rules, present,
                [&](const play::Settings& settings) {
                    play::MctsOptions grave;
                    grave.grave = true;
                    return play::make_uct(rules, settings, grave);
                },
                duel);
        }
        looks_.push_back(now);
        tell(words(now));
    }

    // Does the net make the player stronger? In equal time, because a net costs time. Otherwise it has to win a race before
    // it is used.
    void gate(const play::GameContext& rules, play::Training& training) {
        if (matches == 0 || rules.seats().size() < 2) return;
        play::DuelOptions duel;
        duel.games = matches;
        duel.seconds = gate_seconds;
        duel.threads = threads;
        const auto score =
            play::duel(rules, player_of(rules, training.judgement()), player_of(rules, nullptr), duel);
        trusted_ = score.games == matches &&
                   (score.score - 0.5) * 2 * std::sqrt(static_cast<double>(matches)) >= gate_certainty;
        gate_ = score;
        tell(fmt::format("{} s a move, against the player without the net: {:.0f} % of {} matches{}",
                         gate_seconds, 100 * score.score, score.games,
                         trusted_ ? "" : "; it has to win a race before it is used"));
    }

    static play::MakePlayer player_of(const play::GameContext& rules,
                                      std::shared_ptr<const learn::Judgement> judgement) {
        return [&rules, judgement = std::move(judgement)](const play::Settings& settings) {
            play::ChampionOptions options;
            options.engine.judgement = judgement;
            options.config.net = judgement ? 1 : 0;
            options.config.resolve = 0;
            return play::make_champion(rules, settings, options, nullptr);
        };
    }

    [[nodiscard]] static std::string words(const Look& look) {
        std::string text =
            fmt::format("{:6.1f} s  {:>8} games  loss {:.3f} of values, {:.3f} of moves", look.seconds,
                        count_text(look.games), look.loss.value, look.loss.policy);
        if (look.before) text += fmt::format("  against itself before: {:.0f} %", 100 * look.before->score);
        if (look.grave) text += fmt::format("  against grave: {:.0f} %", 100 * look.grave->score);
        return text;
    }

    void save(play::Training& training) {
        const IgnoreInterrupts until_written;
        training.save(checkpoint_);
        learn::NetFile net = learn::net_of(*training.judgement(), training.form(), training.games());
        net.trusted = trusted_;
        learn::write_net(net_, training.form().fingerprint, net);
    }

    void tell(const std::string& line) {
        progress_.clear();
        if (!json) std::cout << line << std::endl;
    }

    void report(play::Training& training) {
        progress_.clear();
        if (!json) {
            std::cout << fmt::format("learned from {} games in {:.0f} s: {}\n", count_text(training.games()),
                                     elapsed(), net_);
            return;
        }
        auto progress = nlohmann::json::array();
        for (const Look& look : looks_) {
            nlohmann::json one = {{"seconds", look.seconds},
                                  {"games", look.games},
                                  {"value_loss", look.loss.value},
                                  {"policy_loss", look.loss.policy}};
            if (look.before) one["against_itself_before"] = look.before->score;
            if (look.grave) one["against_grave"] = look.grave->score;
            progress.push_back(one);
        }
        print({{"file", net_},
               {"checkpoint", checkpoint_},
               {"rules", hex(training.form().fingerprint)},
               {"games", training.games()},
               {"positions", training.positions()},
               {"steps", training.steps()},
               {"parameters", training.parameters()},
               {"gates", training.gates()},
               {"symmetries", training.symmetries()},
               {"seconds", elapsed()},
               {"stop", describe(Limits().reached())},
               {"trusted", trusted_},
               {"against_player_without", gate_ ? nlohmann::json(gate_->score) : nlohmann::json()},
               {"progress", progress}});
    }

    [[nodiscard]] double elapsed() const { return seconds_since(begun_); }

    Clock::time_point begun_;
    std::string net_;
    std::string checkpoint_;
    std::vector<Look> looks_;
    std::optional<play::DuelScore> gate_;
    bool trusted_ = false;
    ProgressLine progress_;
};

}  // namespace

Command add_train(CLI::App& app) {
    auto* command =
        app.add_subcommand("train", "Learn a game from its rules by self-play, for the player zermelo");
    auto train = std::make_shared<TrainCommand>();
    command->add_option("FILE", train->file, "a game in GDL: a file, or the name of a shipped game")
        ->required()
        ->transform(shipped_game());
    command->add_option("--minutes", train->minutes, "time (default: until Ctrl-C)")->check(more_than(0));
    command
        ->add_option("--games", train->games,
                     "number of games of self-play, those before a checkpoint included")
        ->check(at_least(1));
    command->add_option(
        "-o,--out", train->out,
        "the file of the net (default: in the cache folder, where the player zermelo finds it)");
    command->add_option("--threads", train->threads, "number of threads (default: all cores)")
        ->check(between(1, 1024));
    command->add_option("--seed", train->options.seed, "random seed")->capture_default_str();
    command
        ->add_option("--simulations", train->options.play.simulations,
                     "states evaluated for a move of self-play")
        ->check(between(8, 100000))
        ->capture_default_str();
    command->add_option("--hidden", train->options.hidden, "units of the first layer, a multiple of 32")
        ->check(one_of(std::vector<std::string>{"32", "64", "96", "128", "192", "256"}))
        ->capture_default_str();
    command
        ->add_option("--gates", train->options.gates, "gates of the rule network that the net sees, at most")
        ->check(between(0, 4096))
        ->capture_default_str();
    command->add_option("--matches", train->matches, "matches each time that strength is measured")
        ->check(between(0, 1000))
        ->capture_default_str();
    command->add_option("--checkpoint-seconds", train->seconds_between_saves, "seconds between two saves")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_flag("--fresh", train->fresh, "begin anew, even where there is a checkpoint");
    command->add_flag("--json", train->json, "print one JSON object");
    command->footer(
        "Beside the net lies FILE.checkpoint; the same command goes on from there.\n"
        "Examples:\n"
        "  zermelo train games/gdl/breakthrough.kif --minutes 30\n"
        "  zermelo train games/gdl/connect-four.kif --games 5000 -o connect-four.net\n"
        "  zermelo match games/gdl/connect-four.kif zermelo:net=connect-four.net grave --clock 0.1");
    return {command, [train] { return train->run(); }};
}

}  // namespace zermelo::cli
