// Files: why one cannot be read and what to do, and writing one as a whole.

#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace zermelo {

// What to do about a file that could not be opened or read: the remedy of an Error. `otherwise` where it is not there.
[[nodiscard]] std::string remedy_for_unreadable(const std::string& file,
                                                const std::string& otherwise = "check the name of the file");

// Replaces a file as a whole: it is written beside its place, brought to the disk, and renamed. Whatever fails, and whenever
// the process dies, the old file is there or the new one. What is no plain file, as /dev/stdout, is written to directly.
// Throws Error that names the file and tells why.
void replace_file(const std::string& file, const std::function<void(std::ostream&)>& write);
void replace_file(const std::string& file, const std::string& contents);

}  // namespace zermelo
