// Journal: what was said in a match, on the disk, so that a player that is started anew can go on.
//
// One file a match, a line of JSON for each message and for each answer; it goes when the match is over.

#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace zermelo::ggp {

class Journal {
public:
    struct Entry {
        bool ours;  // an answer, and not a message
        std::string text;
    };

    // In the folder, which is made where it is missing. Throws Error where that cannot be done.
    explicit Journal(std::string folder);

    void add(const std::string& match, const Entry& entry) const;
    // Nothing where there is no such match; what cannot be read at the end, after a crash, is left out.
    [[nodiscard]] std::vector<Entry> read(const std::string& match) const;
    void remove(const std::string& match) const;
    // Matches that nobody has added to for so long.
    void remove_older_than(double seconds) const;

private:
    [[nodiscard]] std::string file(const std::string& match) const;

    std::string folder_;
};

}  // namespace zermelo::ggp
