// Checkpoint files: long work that can be continued after the process has ended.
//
// A checkpoint is a file: a short header that says what it is, named sections that are compressed as they
// are written, and a checksum over all of it. It is written beside its place and renamed when it is complete
// and on the disk, so that a crash leaves the old one or the new one. It belongs to one kind of work on one
// set of rules and to nothing else. The reader checks the whole file once before it uses a byte of it; and
// since numbers in a file may be forged all the same, memory is allocated only as fast as data really comes
// out.
//
// Sections are streams, so gigabytes pass through without a second copy in memory.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace zermelo::game {

// What a checkpoint is of: a kind of work on one set of rules.
struct CheckpointSubject {
    std::string kind;  // at most 31 bytes
    Hash128 rules;     // a fingerprint: the same rules, the same number
};

// The kind that the header of a file names, unchecked; empty where it is no checkpoint.
[[nodiscard]] std::string checkpoint_kind(const std::string& file);

class CheckpointWriter {
public:
    // Throws Error where the file cannot be written; so do all that follow.
    CheckpointWriter(const std::string& file, const CheckpointSubject& subject);
    ~CheckpointWriter();  // without commit() nothing has been written
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    void section(std::string_view name);  // what follows belongs to it; read in the same order
    void write(std::span<const std::byte> bytes);
    template <class T>
    void put_all(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        write(std::as_bytes(values));
    }
    template <class T>
    void put(const T& value) {
        put_all(std::span<const T>(&value, 1));
    }
    void commit();  // from now on the file is the new one

private:
    class Stream;
    std::unique_ptr<Stream> stream_;
};

class CheckpointReader {
public:
    // Throws Error where the file is missing, damaged, no checkpoint, or one of another subject.
    CheckpointReader(const std::string& file, const CheckpointSubject& subject);
    ~CheckpointReader();
    CheckpointReader(const CheckpointReader&) = delete;
    CheckpointReader& operator=(const CheckpointReader&) = delete;

    // The following throw Error where the file does not hold what is asked for.
    void section(std::string_view name);
    void read(std::span<std::byte> bytes);
    template <class T>
    void get_all(std::span<T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        read(std::as_writable_bytes(values));
    }
    template <class T>
    [[nodiscard]] T get() {
        T value{};
        get_all(std::span<T>(&value, 1));
        return value;
    }
    // Appends `count` values; memory grows as they are read.
    template <class T>
    void append(std::vector<T>& values, std::uint64_t count) {
        constexpr std::uint64_t at_once = (std::uint64_t{1} << 20) / sizeof(T);
        while (count > 0) {
            const auto more = static_cast<std::size_t>(std::min(count, at_once));
            values.resize(values.size() + more);
            get_all(std::span<T>(values).last(more));
            count -= more;
        }
    }
    void finish();                                               // nothing may be left
    [[noreturn]] void refuse(const std::string& problem) const;  // for errors that only the caller can detect

private:
    class Stream;
    std::unique_ptr<Stream> stream_;
};

}  // namespace zermelo::game
