#include "core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <streambuf>

#include "core/error.hpp"

namespace zermelo {

namespace {

// A stream into a descriptor that remembers why it failed.
class DescriptorBuffer final : public std::streambuf {
public:
    explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
        setp(buffer_.data(), buffer_.data() + buffer_.size());
    }
    [[nodiscard]] int failure() const { return failure_; }

protected:
    int_type overflow(int_type letter) override {
        if (sync() != 0) return traits_type::eof();
        if (!traits_type::eq_int_type(letter, traits_type::eof())) {
            *pptr() = traits_type::to_char_type(letter);
            pbump(1);
        }
        return traits_type::not_eof(letter);
    }
    int sync() override {
        for (const char* at = pbase(); at < pptr() && failure_ == 0;) {
            const ssize_t written = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) failure_ = errno;
            if (written == 0) failure_ = ENOSPC;
            if (written > 0) at += written;
        }
        setp(buffer_.data(), buffer_.data() + buffer_.size());
        return failure_ == 0 ? 0 : -1;
    }

private:
    int descriptor_;
    int failure_ = 0;
    std::array<char, std::size_t{1} << 16> buffer_{};
};

[[noreturn]] void fail_to_write(const std::string& file, int reason) {
    const bool space = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    throw Error({file}, fmt::format("cannot be written: {}", std::strerror(reason)),
                space ? "free some disk space" : "check the folder and its permissions");
}

// 0, or why it failed. The descriptor is closed in any case.
int write_and_close(int descriptor, const std::function<void(std::ostream&)>& write, bool plain) {
    int failure = 0;
    try {
        DescriptorBuffer buffer(descriptor);
        std::ostream out(&buffer);
        write(out);
        out.flush();
        failure = buffer.failure();
    } catch (...) {
        close(descriptor);
        throw;
    }
    while (failure == 0 && plain && fsync(descriptor) != 0) {
        if (errno != EINTR) failure = errno;
    }
    if (close(descriptor) != 0 && failure == 0 && errno != EINTR) failure = errno;
    return failure;
}

// While it lives, the name goes with it.
struct Unfinished {
    std::string name;
    ~Unfinished() {
        if (!name.empty()) unlink(name.c_str());
    }
};

}  // namespace

std::string remedy_for_unreadable(const std::string& file, const std::string& otherwise) {
    std::error_code none;
    if (std::filesystem::is_directory(file, none)) return "it is a folder; name a file";
    const bool there = access(file.c_str(), F_OK) == 0;
    if (there && access(file.c_str(), R_OK) != 0)
        return "the file is there, but you are not allowed to read it";
    return otherwise;
}

void replace_file(const std::string& file, const std::function<void(std::ostream&)>& write) {
    struct stat old = {};
    const bool there = stat(file.c_str(), &old) == 0;
    if (there && !S_ISREG(old.st_mode)) {
        const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) fail_to_write(file, errno);
        if (const int failure = write_and_close(descriptor, write, false); failure != 0)
            fail_to_write(file, failure);
        return;
    }
    // Behind a link is the file that is meant.
    std::error_code none;
    const std::filesystem::path place = std::filesystem::weakly_canonical(file, none);
    const std::string target = place.empty() ? file : place.string();
    Unfinished beside{fmt::format("{}.{}.part", target, getpid())};
    const int descriptor = open(beside.name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        beside.name.clear();
        fail_to_write(file, errno);
    }
    if (there) (void)fchmod(descriptor, old.st_mode & 07777);
    if (const int failure = write_and_close(descriptor, write, true); failure != 0)
        fail_to_write(file, failure);
    if (rename(beside.name.c_str(), target.c_str()) != 0) fail_to_write(file, errno);
    beside.name.clear();
    // The new name is safe when the folder is on the disk, too; where that cannot be told, it is there all the same.
    const std::string folder = std::filesystem::path(target).parent_path().string();
    const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    (void)fsync(directory);
    close(directory);
}

void replace_file(const std::string& file, const std::string& contents) {
    replace_file(file, [&](std::ostream& out) {
        out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    });
}

}  // namespace zermelo
