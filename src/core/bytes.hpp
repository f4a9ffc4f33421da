// Byte buffers: trivially copyable values one after the other, in their memory layout. For messages and
// files between processes of one build; nothing is converted.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace zermelo {

using Bytes = std::vector<std::byte>;

// Appends the value.
template <class T>
void put(Bytes& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.resize(bytes.size() + sizeof(T));
    std::copy_n(std::as_bytes(std::span(&value, 1)).begin(), sizeof(T), bytes.end() - sizeof(T));
}

// Reads the next value and removes it from the front.
template <class T>
[[nodiscard]] T take(std::span<const std::byte>& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() < sizeof(T)) throw std::out_of_range("a message is truncated");
    T value{};
    std::copy_n(bytes.begin(), sizeof(T), std::as_writable_bytes(std::span(&value, 1)).begin());
    bytes = bytes.subspan(sizeof(T));
    return value;
}

}  // namespace zermelo
