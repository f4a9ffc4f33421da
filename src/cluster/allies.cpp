#include "cluster/allies.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "cluster/packing.hpp"
#include "cluster/split_tree.hpp"
#include "game/checkpoint.hpp"

namespace zermelo::cluster {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

enum Tag : int {
    order = 200,  // to a worker: a job
    answer,       // to the first process: what came of it
    cut,          // to a worker: end this job
    news,         // to everybody: what was found
    verdict,      // to everybody: the question is over
    left          // to everybody: nothing more comes about this question
};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Order {
    SplitTree::Node job = 0;
    double seconds = 0;
    Line line;
};

struct Report {
    SplitTree::Node job = 0;
    std::optional<Solved> answer;
    std::optional<Split> split;  // where there was no time for an answer
    Stop stop = Stop::none;      // neither, because a limit was reached
    std::string failure;         // nor can there be one
};

json to_json(const Hash128& hash) { return {hash.low, hash.high}; }
Hash128 hash_from(const json& pair) {
    return {pair.at(0).get<std::uint64_t>(), pair.at(1).get<std::uint64_t>()};
}

json to_json(const Bytes& bytes) {
    const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary({start, start + bytes.size()});
}
Bytes bytes_from(const json& binary) {
    const auto raw = std::as_bytes(std::span(binary.get_binary()));
    return {raw.begin(), raw.end()};
}

json to_json(const Order& order) {
    return {{"job", order.job}, {"seconds", order.seconds}, {"line", order.line}};
}
Order order_from(const json& object) {
    return {object.at("job").get<SplitTree::Node>(), object.at("seconds").get<double>(),
            object.at("line").get<Line>()};
}

json to_json(const Split& split) {
    json open = json::array();
    for (const Split::Branch& branch : split.open) open.push_back({branch.moves, to_json(branch.key)});
    return {{"ours", split.ours}, {"all", split.all}, {"enough", split.enough}, {"open", std::move(open)}};
}
Split split_from(const json& object) {
    Split split;
    split.ours = object.at("ours").get<bool>();
    split.all = object.at("all").get<bool>();
    split.enough = object.at("enough").get<bool>();
    for (const json& branch : object.at("open"))
        split.open.push_back({branch.at(0).get<Line>(), hash_from(branch.at(1))});
    return split;
}

json to_json(const Report& report) {
    json object = {{"job", report.job}, {"stop", report.stop}, {"failure", report.failure}};
    if (report.answer) {
        object["won"] = report.answer->won;
        object["certificate"] = to_json(report.answer->certificate);
    }
    if (report.split) object["split"] = to_json(*report.split);
    return object;
}
Report report_from(const json& object) {
    Report report;
    report.job = object.at("job").get<SplitTree::Node>();
    report.stop = object.at("stop").get<Stop>();
    report.failure = object.at("failure").get<std::string>();
    if (object.contains("won")) {
        report.answer = Solved{object.at("won").get<bool>(), bytes_from(object.at("certificate"))};
    }
    if (object.contains("split")) report.split = split_from(object.at("split"));
    return report;
}

}  // namespace

// How a question ended, for all.
struct ProcessAllies::Verdict {
    bool won = false;
    Stop stop = Stop::none;
    std::string failure;
};

// ------------------------------------------------------------------------------------------ who works

// Does one job after the other on its own thread. All other functions are for the thread that speaks.
class ProcessAllies::Worker {
public:
    Worker(Divisible& question, const Limits& limits, const AlliesOptions& options)
        : question_(question), limits_(limits), options_(options) {}

    void run() {
        while (const auto order = next()) {
            Report report = work(*order);
            const std::lock_guard lock(mutex_);
            running_.reset();
            reports_.push_back(std::move(report));
            changed_.notify_all();
        }
    }

    void give(Order order) {
        const std::lock_guard lock(mutex_);
        orders_.push_back(std::move(order));
        changed_.notify_all();
    }
    void cut(SplitTree::Node job) {
        const std::lock_guard lock(mutex_);
        if (running_ == job) cut_ = true;
    }
    void look_at_the_clock() {
        const std::lock_guard lock(mutex_);
        if (running_ && Clock::now() >= ends_) cut_ = true;
    }
    void dismiss() {
        const std::lock_guard lock(mutex_);
        dismissed_ = true;
        cut_ = true;
        changed_.notify_all();
    }
    void hear(Bytes bytes) {
        const std::lock_guard lock(mutex_);
        inbox_.push_back(std::move(bytes));
    }
    [[nodiscard]] std::vector<Report> reports() {
        const std::lock_guard lock(mutex_);
        return std::exchange(reports_, {});
    }
    [[nodiscard]] std::vector<Bytes> news() {
        const std::lock_guard lock(mutex_);
        return std::exchange(outbox_, {});
    }
    // Until there is something to say, but not for long, and less so where there is nothing to do.
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, running_ ? 5ms : 1ms, [this] { return !reports_.empty(); });
    }
    [[nodiscard]] double idle_seconds() const { return idle_seconds_; }

    // On the thread that works.
    void exchange() {
        if (!options_.news || seconds_since(exchanged_) < options_.seconds_between_news) return;
        std::vector<Bytes> letters;
        {
            const std::lock_guard lock(mutex_);
            letters.swap(inbox_);
        }
        for (const Bytes& letter : letters) question_.learn(letter);
        Bytes found = question_.news();
        exchanged_ = Clock::now();
        if (found.empty()) return;
        const std::lock_guard lock(mutex_);
        outbox_.push_back(std::move(found));
    }

private:
    [[nodiscard]] std::optional<Order> next() {
        const auto start = Clock::now();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return dismissed_ || !orders_.empty(); });
        idle_seconds_ += seconds_since(start);
        if (dismissed_) return std::nullopt;
        Order order = std::move(orders_.front());
        orders_.pop_front();
        running_ = order.job;
        cut_ = order.seconds <= 0;
        ends_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(order.seconds));
        return order;
    }

    [[nodiscard]] Report work(const Order& order) {
        Report report;
        report.job = order.job;
        try {
            {
                const Cancellable scope(cut_);
                report.answer = question_.solve(order.line);
            }
            if (!report.answer) report.stop = Limits(limits_).reached();
            if (!report.answer && report.stop == Stop::none && !dismissed_)
                report.split = question_.split(order.line);
            if (report.split && report.split->solved) {
                report.answer = std::move(report.split->solved);
                report.split.reset();
            }
            exchange();
        } catch (const LimitReached&) {
            report.stop = Limits(limits_).reached();  // none where it was only the job that had to end
        } catch (const std::exception& problem) {
            report.failure = problem.what();
        }
        return report;
    }

    Divisible& question_;
    const Limits& limits_;
    const AlliesOptions& options_;
    Clock::time_point exchanged_ = Clock::now();
    double idle_seconds_ = 0;
    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    std::deque<Order> orders_;
    std::optional<SplitTree::Node> running_;
    Clock::time_point ends_;
    std::atomic<bool> cut_ = false;
    std::atomic<bool> dismissed_ = false;
    std::vector<Report> reports_;
    std::vector<Bytes> inbox_;
    std::vector<Bytes> outbox_;
};

// ------------------------------------------------------------------------------------------ what is kept

// Answers of this run and of earlier ones, in a file. Those to different questions do not meet.
class ProcessAllies::Shelf {
public:
    Shelf(std::string file, const Hash128& first_question)
        : file_(std::move(file)), work_{"divided search", first_question} {
        if (file_.empty() || !std::filesystem::exists(file_)) return;
        game::CheckpointReader reader(file_, work_);
        reader.section("answers");
        for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
            const auto key = reader.get<Hash128>();
            Solved answer;
            answer.won = reader.get<std::uint8_t>() != 0;
            const auto bytes = reader.get<std::uint64_t>();
            reader.append(answer.certificate, bytes);
            answers_.emplace(key, std::move(answer));
        }
        reader.section("splits");
        for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
            const auto key = reader.get<Hash128>();
            Bytes bytes;
            reader.append(bytes, reader.get<std::uint64_t>());
            splits_.emplace(key, split_from(unpacked(bytes)));
        }
        reader.finish();
    }

    void open(const Hash128& question) { question_ = question; }
    [[nodiscard]] const Solved* find(const Hash128& key) const {
        const auto found = answers_.find(place(key));
        return found == answers_.end() ? nullptr : &found->second;
    }
    // How a position was split: or else answers about positions behind it would not be found again.
    [[nodiscard]] const Split* find_split(const Hash128& key) const {
        const auto found = splits_.find(place(key));
        return found == splits_.end() ? nullptr : &found->second;
    }
    void put(const Hash128& key, const Split& split) {
        if (!file_.empty()) splits_.insert_or_assign(place(key), split);
    }
    void put(const Hash128& key, const Solved& answer) {
        if (!file_.empty()) answers_.insert_or_assign(place(key), answer);
    }
    void save_after(double seconds) {
        if (!file_.empty() && seconds_since(saved_) >= seconds) save();
    }
    void save() {
        if (file_.empty()) return;
        game::CheckpointWriter writer(file_, work_);
        writer.section("answers");
        writer.put<std::uint64_t>(answers_.size());
        for (const auto& [key, answer] : answers_) {
            writer.put(key);
            writer.put<std::uint8_t>(answer.won ? 1 : 0);
            writer.put<std::uint64_t>(answer.certificate.size());
            writer.put_all(std::span(answer.certificate));
        }
        writer.section("splits");
        writer.put<std::uint64_t>(splits_.size());
        for (const auto& [key, split] : splits_) {
            const Bytes bytes = packed(to_json(split));
            writer.put(key);
            writer.put<std::uint64_t>(bytes.size());
            writer.put_all(std::span(bytes));
        }
        writer.commit();
        saved_ = Clock::now();
    }

private:
    [[nodiscard]] Hash128 place(const Hash128& key) const {
        Hasher hasher;
        for (const std::uint64_t word : {question_.low, question_.high, key.low, key.high}) hasher.add(word);
        return hasher.value();
    }
    std::string file_;
    game::Work work_;
    Hash128 question_;
    std::unordered_map<Hash128, Solved, TakeLowBits> answers_;
    std::unordered_map<Hash128, Split, TakeLowBits> splits_;
    Clock::time_point saved_ = Clock::now();
};

// ------------------------------------------------------------------------------------------ who hands out

class ProcessAllies::Foreman {
public:
    Foreman(const Divisible& question, Rank processes, const AlliesOptions& options, Shelf& shelf,
            AlliesStatistics& statistics)
        : tree_(question.name()),
          running_(processes),
          options_(options),
          shelf_(shelf),
          statistics_(statistics) {
        look_on_the_shelf(SplitTree::root);
        from_earlier_ = false;
    }

    void take_in(Rank from, Report report) {
        running_[from].reset();
        if (!report.failure.empty()) verdict_.failure = std::move(report.failure);
        if (report.stop != Stop::none) verdict_.stop = report.stop;
        if (report.answer) {
            settle(report.job, *std::move(report.answer));
        } else if (report.split) {
            ++statistics_.splits;
            shelf_.put(tree_.key(report.job), *report.split);
            for (const auto child : tree_.split(report.job, *report.split)) look_on_the_shelf(child);
        }
        tree_.give_back(report.job);
    }

    // give(rank, order) and cut(rank, job).
    template <class Give, class Cut>
    void hand_out(const Give& give, const Cut& cut) {
        for (Rank rank = 0; rank < running_.size(); ++rank) {
            if (!running_[rank] || running_[rank]->cut || tree_.wanted(running_[rank]->job)) continue;
            ++statistics_.called_off;
            end_job(rank, cut);
        }
        for (Rank rank = 0; rank < running_.size(); ++rank) {
            if (running_[rank]) continue;
            const auto choice = tree_.next();
            if ((!choice || choice->needed < options_.likely_enough) && call_one_back(cut)) continue;
            if (!choice) return;
            ++statistics_.jobs;
            tree_.take(choice->leaf);
            running_[rank] = Running{choice->leaf, Clock::now()};
            give(rank, Order{choice->leaf, job_seconds(), tree_.line(choice->leaf)});
        }
    }

    [[nodiscard]] std::optional<Verdict> verdict() const {
        if (verdict_.stop != Stop::none || !verdict_.failure.empty()) return verdict_;
        const auto answer = tree_.answer();
        if (!answer) return std::nullopt;
        return Verdict{*answer, Stop::none, {}};
    }
    [[nodiscard]] Division division() { return {tree_.answer().value(), std::move(leaves_), tree_.inner()}; }
    void stop(Stop why) { verdict_.stop = why; }
    [[nodiscard]] std::size_t positions() const { return tree_.size(); }

private:
    struct Running {
        SplitTree::Node job;
        Clock::time_point since;
        bool cut = false;
    };
    [[nodiscard]] double job_seconds() const {
        constexpr double for_keeping = 1;
        constexpr double forever = 1e9;
        if (!options_.first_job_seconds && options_.kept.empty()) return forever;
        return std::max(options_.first_job_seconds.value_or(for_keeping),
                        options_.part_of_time * seconds_since(start_));
    }

    void settle(SplitTree::Node job, Solved answer) {
        tree_.decide(job, answer.won);
        shelf_.put(tree_.key(job), answer);
        leaves_.push_back({tree_.key(job), std::move(answer)});
    }
    void look_on_the_shelf(SplitTree::Node leaf) {
        if (tree_.answer(leaf)) return;
        if (const Solved* known = shelf_.find(tree_.key(leaf))) {
            statistics_.continued += from_earlier_ ? 1 : 0;
            settle(leaf, *known);
        } else if (const Split* split = shelf_.find_split(tree_.key(leaf))) {
            statistics_.continued += from_earlier_ ? 1 : 0;
            for (const auto child : tree_.split(leaf, *split)) look_on_the_shelf(child);
        }
    }
    template <class Cut>
    void end_job(Rank rank, const Cut& cut) {
        running_[rank]->cut = true;
        cut(rank, running_[rank]->job);
    }
    // The job that is nearest to the root, among those that have run for a while. True where one is on its
    // way, and it is worth waiting for.
    template <class Cut>
    bool call_one_back(const Cut& cut) {
        std::optional<Rank> best;
        std::size_t on_their_way = 0;
        std::size_t idle = 0;
        for (Rank rank = 0; rank < running_.size(); ++rank) {
            idle += running_[rank] ? 0 : 1;
            if (!running_[rank]) continue;
            on_their_way += running_[rank]->cut ? 1 : 0;
            if (running_[rank]->cut || seconds_since(running_[rank]->since) < options_.least_job_seconds)
                continue;
            if (!best || tree_.depth(running_[rank]->job) < tree_.depth(running_[*best]->job)) best = rank;
        }
        if (on_their_way >= idle) return true;
        if (!best) return false;
        ++statistics_.called_back;
        end_job(*best, cut);
        return true;
    }

    SplitTree tree_;
    std::vector<std::optional<Running>> running_;  // by process
    const AlliesOptions& options_;
    Shelf& shelf_;
    AlliesStatistics& statistics_;
    Clock::time_point start_ = Clock::now();
    std::vector<Division::Leaf> leaves_;
    Verdict verdict_;
    bool from_earlier_ = true;  // what is on the shelf
};

// ------------------------------------------------------------------------------------------ all together

ProcessAllies::ProcessAllies(Comm& comm, AlliesOptions options) : comm_(comm), options_(std::move(options)) {}

ProcessAllies::~ProcessAllies() = default;

void ProcessAllies::exchange() {
    if (worker_ != nullptr) worker_->exchange();
}

Division ProcessAllies::decide(Divisible& question, const Limits& limits) {
    Worker worker(question, limits, options_);
    worker_ = &worker;
    verdict_.reset();
    still_here_ = comm_.size() - 1;
    std::optional<Foreman> foreman;
    if (comm_.first()) {
        if (!shelf_) shelf_ = std::make_unique<Shelf>(options_.kept, question.name());
        shelf_->open(question.name());
        foreman.emplace(question, comm_.size(), options_, *shelf_, statistics_);
    }
    auto work = std::async(std::launch::async, [&] { worker.run(); });
    // However this ends, nobody waits for a job that will not come.
    const std::unique_ptr<Worker, void (*)(Worker*)> until_the_end(&worker,
                                                                   [](Worker* it) { it->dismiss(); });
    while (!verdict_) {
        speak(worker, foreman ? &*foreman : nullptr);
        if (foreman) {
            if (const Stop stop = Limits(limits).reached(); stop != Stop::none) foreman->stop(stop);
        }
        worker.wait();
    }
    worker.dismiss();
    while (work.wait_for(1ms) != std::future_status::ready) hear(worker, nullptr);
    work.get();
    leave(worker);
    worker_ = nullptr;
    statistics_.idle_seconds += worker.idle_seconds();
    if (shelf_ && (verdict_->stop != Stop::none || !options_.kept.empty())) shelf_->save();
    if (!verdict_->failure.empty()) throw Error(verdict_->failure);
    if (verdict_->stop != Stop::none)
        throw LimitReached(verdict_->stop, "while the game was solved", "allow more time or memory");
    return foreman ? foreman->division() : Division{verdict_->won, {}, {}};
}

void ProcessAllies::speak(Worker& worker, Foreman* foreman) {
    hear(worker, foreman);
    worker.look_at_the_clock();
    for (Report& report : worker.reports()) {
        if (foreman != nullptr) {
            foreman->take_in(comm_.rank(), std::move(report));
        } else {
            comm_.send(0, answer, packed(to_json(report)));
        }
    }
    constexpr std::size_t most_waiting = 8;  // beyond this somebody does not listen
    for (const Bytes& letter : worker.news()) {
        for (Rank to = 0; to < comm_.size(); ++to) {
            if (to == comm_.rank() || comm_.waiting(to) > most_waiting) continue;
            statistics_.news_bytes += letter.size();
            comm_.send(to, news, letter);
        }
    }
    if (foreman == nullptr) return;
    const auto to_worker = [&](Rank to, Tag tag, const json& content, const auto& here) {
        if (to == comm_.rank()) {
            here();
        } else {
            comm_.send(to, tag, packed(content));
        }
    };
    foreman->hand_out(
        [&](Rank to, const Order& job) { to_worker(to, order, to_json(job), [&] { worker.give(job); }); },
        [&](Rank to, SplitTree::Node job) { to_worker(to, cut, job, [&] { worker.cut(job); }); });
    if (options_.progress && seconds_since(told_) > 0.2) {
        options_.progress(statistics_.jobs, foreman->positions());
        told_ = Clock::now();
    }
    shelf_->save_after(options_.seconds_between_saves);
    if (const auto found = foreman->verdict()) {
        verdict_ = std::make_unique<Verdict>(*found);
        for (Rank to = 1; to < comm_.size(); ++to) {
            comm_.send(to, verdict,
                       packed({{"won", found->won}, {"stop", found->stop}, {"failure", found->failure}}));
        }
    }
}

void ProcessAllies::hear(Worker& worker, Foreman* foreman) {
    Message message;
    while (comm_.receive(message)) {
        switch (message.tag) {
            case order:
                worker.give(order_from(unpacked(message.bytes)));
                break;
            case answer:
                if (foreman != nullptr) foreman->take_in(message.from, report_from(unpacked(message.bytes)));
                break;
            case cut:
                worker.cut(unpacked(message.bytes).get<SplitTree::Node>());
                break;
            case news:
                worker.hear(std::move(message.bytes));
                break;
            case verdict: {
                const json content = unpacked(message.bytes);
                verdict_ = std::make_unique<Verdict>(Verdict{content.at("won").get<bool>(),
                                                             content.at("stop").get<Stop>(),
                                                             content.at("failure").get<std::string>()});
                break;
            }
            case left:
                --still_here_;
                break;
            default:
                throw std::logic_error("a message that belongs to no question");
        }
    }
}

// Or else what is under way would be taken for something about the next question.
void ProcessAllies::leave(Worker& worker) {
    for (Rank to = 0; to < comm_.size(); ++to) {
        if (to != comm_.rank()) comm_.send(to, left, {});
    }
    while (still_here_ > 0) {
        hear(worker, nullptr);
        std::this_thread::sleep_for(50us);
    }
    meet(comm_);
}

AlliesStatistics ProcessAllies::statistics() {
    AlliesStatistics all;
    for (const AlliesStatistics& one : gather_all(comm_, statistics_)) {
        all.jobs += one.jobs;
        all.splits += one.splits;
        all.called_off += one.called_off;
        all.called_back += one.called_back;
        all.continued += one.continued;
        all.news_bytes += one.news_bytes;
        all.idle_seconds += one.idle_seconds;
    }
    return all;
}

}  // namespace zermelo::cluster
