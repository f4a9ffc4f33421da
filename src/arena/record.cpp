#include "arena/record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>

namespace zermelo::arena {

namespace {

constexpr std::int64_t application = 0x5A524D54;  // "ZRMT", in the head of the file
constexpr std::int64_t current_version = 1;
constexpr int busy_timeout = 60'000;  // milliseconds to wait for a reader
constexpr const char* elsewhere = "choose another place, or free some disk space";
constexpr const char* other_file = "choose another file, or remove this one to start again";

// Numbers without a sign are kept as the signed numbers of the same bits.
constexpr const char* schema = R"(
    CREATE TABLE tournament (id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL);
    CREATE TABLE matches (
        match INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        seed INTEGER NOT NULL,
        plies INTEGER NOT NULL,
        seconds REAL NOT NULL,
        moves TEXT NOT NULL,
        error TEXT NOT NULL
    );
    CREATE TABLE seats (
        match INTEGER NOT NULL REFERENCES matches (match),
        seat INTEGER NOT NULL,
        role TEXT NOT NULL,
        player TEXT NOT NULL,
        goal INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        playouts INTEGER NOT NULL,
        illegal INTEGER NOT NULL,
        late INTEGER NOT NULL,
        seconds REAL NOT NULL,
        longest_move REAL NOT NULL,
        slack_least REAL NOT NULL,
        PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
)";

// What players count. Records of earlier programs do not have it.
constexpr const char* counters_schema = R"(
    CREATE TABLE IF NOT EXISTS counters (
        match INTEGER NOT NULL REFERENCES matches (match),
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        value REAL NOT NULL,
        PRIMARY KEY (match, seat, name)
    ) WITHOUT ROWID;
)";

// The lock of the tournament that runs: a file beside the record, locked as long as the process lives and has
// the record open. The file is removed in the end; one that a killed process left behind locks nobody out.
class Lock {
public:
    explicit Lock(const std::string& record) {
        // By whatever name the record is given, it has one lock.
        std::error_code ignored;
        const std::filesystem::path place = std::filesystem::weakly_canonical(record, ignored);
        file_ = (place.empty() ? record : place.string()) + "-lock";
        for (;;) {
            number_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            if (number_ < 0) {
                throw Error({record}, fmt::format("the record cannot be written: {}", std::strerror(errno)),
                            elsewhere);
            }
            if (flock(number_, LOCK_EX | LOCK_NB) != 0) {
                const int reason = errno;
                close(number_);
                if (reason == EINTR) continue;
                if (reason != EWOULDBLOCK) {
                    throw Error({record},
                                fmt::format("the record cannot be locked: {}", std::strerror(reason)),
                                elsewhere);
                }
                throw Error({record}, "a running tournament is writing to this record",
                            "wait until it ends, or give another file");
            }
            // Its owner may have removed the file between the opening and the locking.
            struct stat mine = {};
            struct stat named = {};
            if (fstat(number_, &mine) == 0 && stat(file_.c_str(), &named) == 0 &&
                mine.st_ino == named.st_ino && mine.st_dev == named.st_dev) {
                return;
            }
            close(number_);
        }
    }
    ~Lock() {
        unlink(file_.c_str());
        close(number_);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    std::string file_;
    int number_ = -1;
};

// An open database. It turns SQLite's errors into ours.
class Database {
public:
    Database(const std::string& file, int flags) : file_(file) {
        const int code = sqlite3_open_v2(file.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
        try {
            if (code != SQLITE_OK) fail();
            sqlite3_extended_result_codes(handle_, 1);
            sqlite3_busy_timeout(handle_, busy_timeout);
        } catch (...) {
            sqlite3_close(handle_);
            throw;
        }
    }
    ~Database() { sqlite3_close(handle_); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] sqlite3* handle() const { return handle_; }

    void run(const std::string& statements) const {
        if (sqlite3_exec(handle_, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
    }

    [[noreturn]] void fail() const {
        const std::string said = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
        switch (handle_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(handle_) & 0xFF) {
            case SQLITE_NOTADB:
                throw Error({file_}, "this is not the record of a tournament", other_file);
            case SQLITE_CORRUPT:
                damaged();
            case SQLITE_BUSY:
                throw Error({file_}, "another process keeps the record locked",
                            "end it, or give another file");
            case SQLITE_CANTOPEN:
            case SQLITE_READONLY:
            case SQLITE_FULL:
            case SQLITE_IOERR:
                throw Error({file_}, fmt::format("the record cannot be used: {}", said), elsewhere);
            default:
                throw Error(Place{file_}, fmt::format("the record cannot be used: {}", said));
        }
    }

    [[noreturn]] void damaged() const {
        throw Error({file_}, "the record is damaged: it was cut short or altered", other_file);
    }

private:
    std::string file_;
    sqlite3* handle_ = nullptr;
};

// One statement. Its parameters are numbered from 1, the columns of its answers from 0.
class Statement {
public:
    Statement(const Database& database, const char* text) : database_(database) {
        if (sqlite3_prepare_v2(database.handle(), text, -1, &handle_, nullptr) != SQLITE_OK) database.fail();
    }
    ~Statement() { sqlite3_finalize(handle_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    template <class... Values>
    void bind(const Values&... values) {
        int parameter = 0;
        (check(bind_one(++parameter, values)), ...);
    }
    // To the next answer; false where there is none.
    bool step() {
        const int code = sqlite3_step(handle_);
        if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
        return code == SQLITE_ROW;
    }
    [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
    [[nodiscard]] std::uint64_t natural(int column) const {
        return std::bit_cast<std::uint64_t>(integer(column));
    }
    [[nodiscard]] double real(int column) const { return sqlite3_column_double(handle_, column); }
    [[nodiscard]] std::string text(int column) const {
        const unsigned char* bytes = sqlite3_column_text(handle_, column);
        if (bytes == nullptr) return "";
        return {reinterpret_cast<const char*>(bytes),
                static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
    }

private:
    int bind_one(int parameter, std::int64_t value) { return sqlite3_bind_int64(handle_, parameter, value); }
    int bind_one(int parameter, std::uint64_t value) {
        return bind_one(parameter, std::bit_cast<std::int64_t>(value));
    }
    int bind_one(int parameter, double value) { return sqlite3_bind_double(handle_, parameter, value); }
    int bind_one(int parameter, const std::string& value) {
        return sqlite3_bind_text64(handle_, parameter, value.data(), value.size(), SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
    }
    void check(int code) const {
        if (code != SQLITE_OK) database_.fail();
    }

    const Database& database_;
    sqlite3_stmt* handle_ = nullptr;
};

// Everything between its making and commit(), or nothing.
class Transaction {
public:
    Transaction(const Database& database, const std::string& kind) : database_(database) {
        database_.run("BEGIN " + kind);
    }
    ~Transaction() {
        // An error may have ended it already.
        if (sqlite3_get_autocommit(database_.handle()) == 0)
            sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit() { database_.run("COMMIT"); }

private:
    const Database& database_;
};

const std::string& existing(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw Error({file}, "there is no such record", "give the file of a tournament");
    return file;
}

std::int64_t number(const Database& database, const char* question) {
    Statement statement(database, question);
    return statement.step() ? statement.integer(0) : 0;
}

}  // namespace

class Record::Store {
public:
    // To write: makes the record where there is none.
    Store(const std::string& file, const std::string& plan)
        : file_(file), lock_(file), database_(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {
        if (sqlite3_db_readonly(database_.handle(), "main") == 1)
            throw Error({file}, "the record is read-only", elsewhere);
        // EXTRA: the folder is on the disk, too, when a transaction ends.
        database_.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA");
        Transaction transaction(database_, "IMMEDIATE");
        if (fresh()) {
            make(plan);
        } else {
            check();
            if (this->plan() != plan) {
                throw Error({file}, "the record holds a tournament with another plan",
                            "ask for the same tournament, or give another file");
            }
        }
        database_.run(counters_schema);
        transaction.commit();
    }
    // Only to read; but opened to write where that is possible, since a killed writer may have left something
    // to undo.
    explicit Store(const std::string& file) : file_(file), database_(existing(file), SQLITE_OPEN_READWRITE) {
        const Transaction transaction(database_, "DEFERRED");
        check();
    }

    [[nodiscard]] std::string plan() const {
        Statement statement(database_, "SELECT plan FROM tournament");
        if (!statement.step()) database_.damaged();
        return statement.text(0);
    }

    [[nodiscard]] std::vector<std::uint64_t> finished() const {
        const std::lock_guard guard(mutex_);
        std::vector<std::uint64_t> numbers;
        Statement statement(database_, "SELECT match FROM matches");
        while (statement.step()) numbers.push_back(statement.natural(0));
        std::ranges::sort(numbers);
        return numbers;
    }

    [[nodiscard]] std::vector<MatchResult> results() const {
        const std::lock_guard guard(mutex_);
        const Transaction transaction(database_, "DEFERRED");
        std::vector<MatchResult> results;
        Statement matches(
            database_, "SELECT match, game, seed, plies, seconds, moves, error FROM matches ORDER BY match");
        while (matches.step()) {
            results.push_back({matches.natural(0),
                               matches.text(1),
                               matches.natural(2),
                               matches.natural(3),
                               matches.real(4),
                               {},
                               matches.text(5),
                               matches.text(6)});
        }
        // Seats come in the order of the matches.
        Statement seats(database_,
                        "SELECT match, role, player, goal, moves, playouts, illegal, late, seconds, "
                        "longest_move, slack_least FROM seats ORDER BY match, seat");
        auto match = results.begin();
        while (seats.step()) {
            while (match != results.end() && match->match != seats.natural(0)) ++match;
            if (match == results.end()) database_.damaged();
            match->seats.push_back({seats.text(1), seats.text(2), static_cast<int>(seats.integer(3)),
                                    seats.natural(4), seats.natural(5), seats.natural(6), seats.natural(7),
                                    seats.real(8), seats.real(9), seats.real(10)});
        }
        add_counters(results);
        std::ranges::sort(results, {}, &MatchResult::match);
        return results;
    }

    void add(const MatchResult& result) {
        const std::lock_guard guard(mutex_);
        Transaction transaction(database_, "IMMEDIATE");
        {
            Statement known(database_, "SELECT 1 FROM matches WHERE match = ?");
            known.bind(result.match);
            if (known.step()) {
                throw Error({file_}, fmt::format("match {} is in the record already", result.match),
                            "play each match once");
            }
        }
        Statement match(database_, "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)");
        match.bind(result.match, result.game, result.seed, result.plies, result.seconds, result.moves,
                   result.error);
        match.step();
        for (std::size_t i = 0; i < result.seats.size(); ++i) {
            const SeatResult& seat = result.seats[i];
            Statement insert(database_, "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
            insert.bind(result.match, static_cast<std::uint64_t>(i), seat.role, seat.player,
                        static_cast<std::int64_t>(seat.goal), seat.moves, seat.playouts, seat.illegal,
                        seat.late, seat.seconds, seat.longest_move, seat.slack_least);
            insert.step();
            for (const auto& [name, value] : seat.counters) {
                Statement counter(database_, "INSERT INTO counters VALUES (?, ?, ?, ?)");
                counter.bind(result.match, static_cast<std::uint64_t>(i), name, value);
                counter.step();
            }
        }
        transaction.commit();
    }

private:
    // The results are in the order of the matches.
    void add_counters(std::vector<MatchResult>& results) const {
        if (number(database_, "SELECT count(*) FROM sqlite_master WHERE name = 'counters'") == 0) return;
        Statement counters(database_, "SELECT match, seat, name, value FROM counters ORDER BY match");
        auto match = results.begin();
        while (counters.step()) {
            while (match != results.end() && match->match != counters.natural(0)) ++match;
            if (match == results.end() || counters.natural(1) >= match->seats.size()) database_.damaged();
            match->seats[counters.natural(1)].counters[counters.text(2)] = counters.real(3);
        }
    }

    // SQLite makes the file at once, but fills it with the first transaction; if the process died between
    // them, the file is empty.
    [[nodiscard]] bool fresh() const { return bytes() == 0; }

    [[nodiscard]] std::uint64_t bytes() const {
        std::error_code problem;
        const std::uintmax_t size = std::filesystem::file_size(file_, problem);
        if (problem) throw Error({file_}, "the record cannot be read: " + problem.message(), elsewhere);
        return size;
    }

    void make(const std::string& plan) const {
        database_.run(schema);
        database_.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application,
                                  current_version));
        Statement insert(database_, "INSERT INTO tournament VALUES (1, ?)");
        insert.bind(plan);
        insert.step();
    }

    void check() const {
        if (number(database_, "PRAGMA application_id") != application)
            throw Error({file_}, "this is not the record of a tournament", other_file);
        if (const auto version = number(database_, "PRAGMA user_version"); version != current_version) {
            throw Error({file_},
                        fmt::format("the record has version {}, but this program reads version {}", version,
                                    current_version),
                        other_file);
        }
        // SQLite does not mind where a piece of the last page is missing.
        const std::int64_t whole =
            number(database_, "PRAGMA page_count") * number(database_, "PRAGMA page_size");
        Statement sound(database_, "PRAGMA quick_check(1)");
        if (bytes() < static_cast<std::uint64_t>(whole) || !sound.step() || sound.text(0) != "ok")
            database_.damaged();
    }

    std::string file_;
    std::optional<Lock> lock_;
    Database database_;
    mutable std::mutex mutex_;
};

Record::Record(const std::string& file, const std::string& plan)
    : store_(std::make_unique<Store>(file, plan)) {}
Record::~Record() = default;

std::string Record::plan_of(const std::string& file) { return Store(file).plan(); }
std::vector<MatchResult> Record::results_of(const std::string& file) { return Store(file).results(); }

std::vector<std::uint64_t> Record::finished() const { return store_->finished(); }
std::vector<MatchResult> Record::results() const { return store_->results(); }
void Record::add(const MatchResult& result) { store_->add(result); }

}  // namespace zermelo::arena
