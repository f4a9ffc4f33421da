// Journal: the messages and answers of a match on disk, so that a player that is restarted can go on.
//
// One file a match, a line of JSON for each message and for each answer; it is removed when the match is
// over. The case of a match's name does not matter. One thread at a time.
//
// A match that has begun is on the disk as a whole, and stays there when the power fails. Its later entries outlive the
// program; when the power fails, those up to some moment are left. They are not brought to the disk one by one: one slow disk
// would hold up the journals of all matches, and a player that was away has missed messages in any case.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace zermelo::ggp {

class Journal {
public:
    struct Entry {
        std::string text;
        std::optional<std::size_t> turn = {};  // of an answer; none for a message
    };

    // In the folder, which is made where it is missing. Throws Error where that cannot be done.
    explicit Journal(std::string folder);

    // A match begins with a message; answers to one that is not there are not kept. Throw Error where an entry cannot be
    // written; it is not there at all then.
    void begin(const std::string& match, const std::string& message) const;
    void add(const std::string& match, const Entry& entry) const;
    [[nodiscard]] bool has(const std::string& match) const;
    // Nothing where there is no such match. What was torn off at the end by a crash is left out, and goes.
    [[nodiscard]] std::vector<Entry> read(const std::string& match) const;
    void remove(const std::string& match) const;
    // Removes matches without a new entry for so long.
    void remove_older_than(double seconds) const;

private:
    [[nodiscard]] std::string file(const std::string& match) const;

    std::string folder_;
};

}  // namespace zermelo::ggp
