#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "targets.hpp"

namespace zermelo::fuzz {

namespace {

// In memory where the system has such a folder.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code none;
        const std::filesystem::path memory = "/dev/shm";
        const auto parent =
            std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
        path_ = parent / ("zermelo-fuzz-" + std::to_string(getpid()));
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() {
        std::error_code none;
        std::filesystem::remove_all(path_, none);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] std::string file(const std::string& ending) const {
        return (path_ / ("input" + ending)).string();
    }

private:
    std::filesystem::path path_;
};

}  // namespace

const std::string& file_with(const std::string& bytes, const std::string& ending) {
    static const ScratchFolder folder;
    static std::string file;
    file = folder.file(ending);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    return file;
}

std::string patched(std::string bytes, const std::string& patches) {
    if (bytes.empty()) return bytes;
    for (std::size_t i = 0; i + 3 <= patches.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return static_cast<std::size_t>(static_cast<unsigned char>(patches[i + k]));
        };
        bytes[(byte(0) * 256 + byte(1)) % bytes.size()] = patches[i + 2];
    }
    return bytes;
}

}  // namespace zermelo::fuzz
