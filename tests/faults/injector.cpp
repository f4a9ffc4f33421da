// Fault injector (LD_PRELOAD): calls of the C library fail as a full disk, a slow one, a signal or short memory would make
// them fail, by a schedule that a seed tells.
//
//   ZERMELO_FAULTS       kinds, with commas between: short, space, eintr, sync, rename, memory, clock, or none
//   ZERMELO_FAULTS_SEED  which calls fail; the same seed, the same schedule in one thread
//   ZERMELO_FAULTS_RATE  how many in a thousand of the calls that a kind is about (memory: in a million)
//   ZERMELO_FAULTS_IN    only files whose path contains this; memory and clock are not about files
//   ZERMELO_FAULTS_LOG   a file outside of it that tells in order what was done: write PATH, sync PATH, rename FROM TO
//
// short: a write takes a part of the bytes. space: a write fails with ENOSPC, and so do all that follow for a while. eintr: a
// read, write or sync is interrupted before it begins. sync: fsync fails with EIO. rename: rename fails with EIO. memory: an
// allocation of at least 4 KB fails. clock: the wall clock jumps by up to a day.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(
    std::size_t bytes);  // NOLINT(bugprone-reserved-identifier): the allocator of glibc

namespace {

struct Schedule {
    bool part = false, space = false, eintr = false, sync = false, rename = false, memory = false,
         clock = false;
    std::uint64_t seed = 1;
    std::uint64_t rate = 0;
    const char* in = "";
};

Schedule schedule;
std::atomic<std::uint64_t> calls{0};
std::atomic<int> full{0};  // writes for which the disk stays full
int log_descriptor = -1;

__attribute__((constructor)) void read_schedule() {
    const auto number = [](const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
    };
    const char* kinds = std::getenv("ZERMELO_FAULTS");
    if (kinds == nullptr) return;
    const auto has = [&](const char* kind) { return std::strstr(kinds, kind) != nullptr; };
    schedule.seed = number("ZERMELO_FAULTS_SEED", 1);
    if (const char* in = std::getenv("ZERMELO_FAULTS_IN")) schedule.in = in;
    schedule.part = has("short");
    schedule.space = has("space");
    schedule.eintr = has("eintr");
    schedule.sync = has("sync");
    schedule.rename = has("rename");
    schedule.memory = has("memory");
    schedule.clock = has("clock");
    if (const char* log = std::getenv("ZERMELO_FAULTS_LOG"))
        log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    schedule.rate = number("ZERMELO_FAULTS_RATE", 50);  // the last, so that nothing fails before
}

// splitmix64 (Steele, Lea and Flood 2014) of the seed and the number of the call.
std::uint64_t draw() {
    std::uint64_t z = schedule.seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL * ++calls;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
bool fails(std::uint64_t of) { return schedule.rate > 0 && draw() % of < schedule.rate; }

// The path behind a descriptor; false where there is none.
bool find_path(int descriptor, char (&path)[4096]) {
    char name[64];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = '\0';
    return true;
}

bool concerned(int descriptor) {
    if (schedule.in[0] == '\0') return descriptor > 2;
    char path[4096];
    return find_path(descriptor, path) && std::strstr(path, schedule.in) != nullptr;
}

template <class F>
F next(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

void tell(const char* call, const char* path, const char* to = "") {
    if (std::strstr(path, schedule.in) == nullptr) return;
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    char line[8300];
    const int length =
        std::snprintf(line, sizeof line, "%s %s%s%s\n", call, path, to[0] != '\0' ? " " : "", to);
    (void)!real(log_descriptor, line, static_cast<std::size_t>(length));
}
void tell(const char* call, int descriptor) {
    char path[4096];
    if (log_descriptor >= 0 && find_path(descriptor, path)) tell(call, path);
}

// Before a write of so many bytes: how many of them may be written, or -1 with errno.
ssize_t before_write(int descriptor, std::size_t bytes) {
    tell("write", descriptor);
    if (schedule.rate == 0 || !concerned(descriptor)) return static_cast<ssize_t>(bytes);
    if (schedule.eintr && fails(1000)) {
        errno = EINTR;
        return -1;
    }
    if (schedule.space && (full.load() > 0 || fails(1000))) {
        if (full.load() <= 0) full = static_cast<int>(draw() % 20) + 1;
        --full;
        errno = ENOSPC;
        return -1;
    }
    if (schedule.part && bytes > 1 && fails(1000)) return static_cast<ssize_t>(1 + draw() % (bytes - 1));
    return static_cast<ssize_t>(bytes);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t count) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    const ssize_t allowed = before_write(descriptor, count);
    return allowed < 0 ? -1 : real(descriptor, bytes, static_cast<std::size_t>(allowed));
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t count, off64_t at) {
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
    const ssize_t allowed = before_write(descriptor, count);
    return allowed < 0 ? -1 : real(descriptor, bytes, static_cast<std::size_t>(allowed), at);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
    static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
    std::size_t bytes = 0;
    for (int i = 0; i < count; ++i) bytes += pieces[i].iov_len;
    const ssize_t allowed = before_write(descriptor, bytes);
    if (allowed < 0) return -1;
    if (static_cast<std::size_t>(allowed) == bytes) return real(descriptor, pieces, count);
    for (int i = 0; i < count; ++i) {  // a part of the first piece that has any
        if (pieces[i].iov_len == 0) continue;
        static const auto one = next<ssize_t (*)(int, const void*, std::size_t)>("write");
        return one(descriptor, pieces[i].iov_base,
                   pieces[i].iov_len < static_cast<std::size_t>(allowed) ? pieces[i].iov_len
                                                                         : static_cast<std::size_t>(allowed));
    }
    return 0;
}

ssize_t read(int descriptor, void* bytes, std::size_t count) {
    static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
    if (schedule.eintr && schedule.rate > 0 && concerned(descriptor) && fails(1000)) {
        errno = EINTR;
        return -1;
    }
    return real(descriptor, bytes, count);
}

static int synchronise(const char* name, int descriptor) {
    if (schedule.rate > 0 && concerned(descriptor)) {
        if (schedule.sync && fails(1000)) {
            errno = EIO;
            return -1;
        }
        if (schedule.eintr && fails(1000)) {
            errno = EINTR;
            return -1;
        }
    }
    tell("sync", descriptor);
    return next<int (*)(int)>(name)(descriptor);
}
int fsync(int descriptor) { return synchronise("fsync", descriptor); }
int fdatasync(int descriptor) { return synchronise("fdatasync", descriptor); }

int rename(const char* from, const char* to) noexcept {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    if (schedule.rename && std::strstr(to, schedule.in) != nullptr && fails(1000)) {
        errno = EIO;
        return -1;
    }
    if (log_descriptor >= 0) tell("rename", from, to);
    return real(from, to);
}

void* malloc(std::size_t bytes) noexcept {
    if (schedule.memory && bytes >= 4096 && fails(1'000'000)) {
        errno = ENOMEM;
        return nullptr;
    }
    return __libc_malloc(bytes);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
    const int result = real(clock, time);
    if (schedule.clock && schedule.rate > 0 && clock == CLOCK_REALTIME && result == 0 && fails(1000))
        time->tv_sec += static_cast<time_t>(draw() % 172800) - 86400;
    return result;
}

}  // extern "C"
