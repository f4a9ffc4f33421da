// A path among the temporary files that no other test at work has; what is there is removed at the end.

#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace zermelo {

class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& ending)
        : path_((std::filesystem::temp_directory_path() /
                 ("zermelo-test-" + std::to_string(::getpid()) + "-" + std::to_string(++made()) + ending))
                    .string()) {}
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string contents() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    static int& made() {
        static int count = 0;
        return count;
    }
    std::string path_;
};

}  // namespace zermelo
