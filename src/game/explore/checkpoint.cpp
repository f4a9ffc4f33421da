#include "game/explore/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace zermelo::game {

namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::array<char, 8> magic = {'Z', 'R', 'M', 'C', 'K', 'P', 'T', '\n'};
constexpr std::uint32_t current_version = 1;
constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
constexpr int compression = 1;
constexpr int widest_window = 23;  // what a frame may ask of the reader's memory: 8 MB
constexpr const char* start_anew = "take another file, or remove this one to start anew";

struct Head {
    std::array<char, 8> sign = magic;
    std::uint32_t version = current_version;
    std::uint32_t unused = 0;
    Hash128 rules = {};
    std::array<char, 32> kind = {};
};
static_assert(sizeof(Head) == 64 && std::is_trivially_copyable_v<Head>);

using SectionName = std::array<char, 16>;

template <std::size_t N>
std::array<char, N> padded(std::string_view name) {
    if (name.size() >= N) throw std::logic_error("a name in a checkpoint is too long");
    std::array<char, N> result{};
    std::copy(name.begin(), name.end(), result.begin());
    return result;
}

template <std::size_t N>
std::string_view text(const std::array<char, N>& name) {
    return {name.data(), strnlen(name.data(), N)};
}

// A hash of bytes, however they are cut into pieces.
class Checksum {
public:
    void add(std::span<const std::byte> bytes) {
        length_ += bytes.size();
        while (!bytes.empty()) {
            const std::size_t taken = std::min(bytes.size(), sizeof(word_) - filled_);
            std::memcpy(reinterpret_cast<std::byte*>(&word_) + filled_, bytes.data(), taken);
            bytes = bytes.subspan(taken);
            filled_ += taken;
            if (filled_ == sizeof(word_)) next_word();
        }
    }
    [[nodiscard]] Hash128 value() {
        next_word();
        hasher_.add(length_);
        return hasher_.value();
    }

private:
    void next_word() {
        hasher_.add(word_);
        word_ = 0;
        filled_ = 0;
    }
    Hasher hasher_;
    std::uint64_t word_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;
};

class Descriptor {
public:
    Descriptor(const std::string& file, int flags) : number_(open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return number_; }

private:
    int number_;
};

// To the disk; false with errno where that fails.
bool synchronise(const Descriptor& descriptor) {
    int result = -1;
    do {
        result = fsync(descriptor.get());
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

}  // namespace

class CheckpointWriter::Stream {
public:
    Stream(const std::string& file, const CheckpointSubject& subject)
        : file_(file),
          part_(file + ".part"),
          descriptor_(part_, O_WRONLY | O_CREAT | O_TRUNC),
          context_(ZSTD_createCCtx()),
          buffer_(buffer_bytes) {
        if (descriptor_.get() < 0) fail();
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, compression);
        Head head;
        head.rules = subject.rules;
        head.kind = padded<sizeof head.kind>(subject.kind);
        put(std::as_bytes(std::span(&head, 1)));
    }
    ~Stream() {
        if (!committed_) unlink(part_.c_str());
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void write(std::span<const std::byte> bytes) { compress(bytes, ZSTD_e_continue); }

    void commit() {
        compress({}, ZSTD_e_end);
        const Hash128 checksum = sum_.value();
        put(std::as_bytes(std::span(&checksum, 1)));
        if (!synchronise(descriptor_) || std::rename(part_.c_str(), file_.c_str()) != 0) fail();
        committed_ = true;
        // The new name is safe only when the folder is on the disk, too.
        const auto folder = std::filesystem::absolute(file_).parent_path();
        const Descriptor directory(folder.string(), O_RDONLY | O_DIRECTORY);
        if (directory.get() < 0 || !synchronise(directory)) fail();
    }

private:
    void compress(std::span<const std::byte> bytes, ZSTD_EndDirective directive) {
        ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
        for (bool done = false; !done;) {
            ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
            if (ZSTD_isError(left) != 0) throw Error(Place{file_}, ZSTD_getErrorName(left));
            put(std::span(buffer_).first(out.pos));
            done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
        }
    }

    void put(std::span<const std::byte> bytes) {
        sum_.add(bytes);
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_.get(), bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail();
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }

    [[noreturn]] void fail() const {
        throw Error({file_}, fmt::format("the checkpoint cannot be written: {}", std::strerror(errno)),
                    "choose another place, or free some disk space");
    }

    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    std::string file_;
    std::string part_;
    Descriptor descriptor_;
    std::unique_ptr<ZSTD_CCtx, Free> context_;
    std::vector<std::byte> buffer_;
    Checksum sum_;
    bool committed_ = false;
};

CheckpointWriter::CheckpointWriter(const std::string& file, const CheckpointSubject& subject)
    : stream_(std::make_unique<Stream>(file, subject)) {}
CheckpointWriter::~CheckpointWriter() = default;
void CheckpointWriter::section(std::string_view name) { put(padded<sizeof(SectionName)>(name)); }
void CheckpointWriter::write(std::span<const std::byte> bytes) { stream_->write(bytes); }
void CheckpointWriter::commit() { stream_->commit(); }

std::string checkpoint_kind(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    Head head;
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || head.sign != magic) return "";
    return std::string(text(head.kind));
}

class CheckpointReader::Stream {
public:
    Stream(const std::string& file, const CheckpointSubject& subject)
        : file_(file), descriptor_(file, O_RDONLY), context_(ZSTD_createDCtx()), buffer_(buffer_bytes) {
        if (descriptor_.get() < 0) {
            throw Error({file_}, fmt::format("the checkpoint cannot be read: {}", std::strerror(errno)),
                        "give the file that the search was saved to");
        }
        ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, widest_window);
        check(subject);
        left_ = end_ - sizeof(Head);
        if (lseek(descriptor_.get(), sizeof(Head), SEEK_SET) < 0) damaged();
    }

    void read(std::span<std::byte> bytes) {
        ZSTD_outBuffer out = {bytes.data(), bytes.size(), 0};
        while (out.pos < out.size) step(out);
    }

    void finish() {
        std::byte beyond{};
        ZSTD_outBuffer out = {&beyond, 1, 0};
        while (!ended_ && out.pos == 0) step(out);
        if (out.pos != 0 || in_.pos != in_.size || left_ != 0) refuse("it has extra data at its end");
    }

    [[noreturn]] void refuse(const std::string& problem) const {
        throw Error({file_}, "the checkpoint cannot be used: " + problem, start_anew);
    }

private:
    void check(const CheckpointSubject& subject) {
        struct stat status = {};
        if (fstat(descriptor_.get(), &status) != 0 || !S_ISREG(status.st_mode)) damaged();
        const auto size = static_cast<std::uint64_t>(status.st_size);
        Head head;
        const auto head_bytes = std::as_writable_bytes(std::span(&head, 1));
        const std::size_t got = fetch(head_bytes);
        if (got < sizeof head.sign || head.sign != magic) {
            throw Error({file_}, "this is not a checkpoint", start_anew);
        }
        if (got < sizeof head || size < sizeof head + sizeof(Hash128)) damaged();
        if (head.version != current_version) {
            refuse(fmt::format("it has version {}, but this program reads version {}", head.version,
                               current_version));
        }
        end_ = size - sizeof(Hash128);
        check_sum(head_bytes);
        if (text(head.kind) != subject.kind) {
            refuse(fmt::format("it holds the work of `{}`, not of `{}`", text(head.kind), subject.kind));
        }
        if (head.rules != subject.rules) refuse("it belongs to another game, or to other rules of this game");
    }

    void check_sum(std::span<const std::byte> head) {
        Checksum sum;
        sum.add(head);
        for (std::uint64_t at = head.size(); at < end_;) {
            const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), end_ - at));
            if (fetch(std::span(buffer_).first(wanted)) != wanted) damaged();
            sum.add(std::span(buffer_).first(wanted));
            at += wanted;
        }
        Hash128 stored;
        if (fetch(std::as_writable_bytes(std::span(&stored, 1))) != sizeof stored || stored != sum.value()) {
            damaged();
        }
    }

    void step(ZSTD_outBuffer& out) {
        if (in_.pos == in_.size) {
            const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), left_));
            if (fetch(std::span(buffer_).first(wanted)) != wanted) damaged();
            left_ -= wanted;
            in_ = {buffer_.data(), wanted, 0};
        }
        const std::size_t in_before = in_.pos;
        const std::size_t out_before = out.pos;
        if (ended_) refuse("it is too short");
        const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in_);
        if (ZSTD_isError(result) != 0) damaged();
        ended_ = result == 0;
        if (!ended_ && in_.pos == in_before && out.pos == out_before && left_ == 0) damaged();
    }

    std::size_t fetch(std::span<std::byte> bytes) const {
        std::size_t got = 0;
        while (got < bytes.size()) {
            const ssize_t more = ::read(descriptor_.get(), bytes.data() + got, bytes.size() - got);
            if (more < 0 && errno == EINTR) continue;
            if (more <= 0) break;
            got += static_cast<std::size_t>(more);
        }
        return got;
    }

    [[noreturn]] void damaged() const {
        throw Error({file_}, "the checkpoint is damaged: it was cut short or altered", start_anew);
    }

    struct Free {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };
    std::string file_;
    Descriptor descriptor_;
    std::unique_ptr<ZSTD_DCtx, Free> context_;
    std::vector<std::byte> buffer_;
    ZSTD_inBuffer in_ = {nullptr, 0, 0};
    std::uint64_t end_ = 0;   // where the checksum begins
    std::uint64_t left_ = 0;  // compressed bytes that were not fetched yet
    bool ended_ = false;
};

CheckpointReader::CheckpointReader(const std::string& file, const CheckpointSubject& subject)
    : stream_(std::make_unique<Stream>(file, subject)) {}
CheckpointReader::~CheckpointReader() = default;
void CheckpointReader::section(std::string_view name) {
    if (get<SectionName>() != padded<sizeof(SectionName)>(name)) {
        refuse(fmt::format("its section `{}` is missing", name));
    }
}
void CheckpointReader::read(std::span<std::byte> bytes) { stream_->read(bytes); }
void CheckpointReader::finish() { stream_->finish(); }
void CheckpointReader::refuse(const std::string& problem) const { stream_->refuse(problem); }

}  // namespace zermelo::game
