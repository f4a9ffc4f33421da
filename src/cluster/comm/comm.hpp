// Communicator: message passing between the processes that mpirun started.
//
// Everything in this room reaches other processes through this interface. Behind it is either a single
// process or MPI (Message Passing Interface Forum 1994), in a library of its own that is loaded only under
// mpirun: the program itself needs no MPI to be installed.
//
// Functions marked collective are called by all processes, in the same order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/bytes.hpp"
#include "core/error.hpp"

namespace zermelo::cluster {

using Rank = unsigned;  // a process, from 0
using zermelo::Bytes;

struct Message {
    Rank from = 0;
    int tag = 0;
    Bytes bytes;
};

class Comm {
public:
    virtual ~Comm() = default;
    Comm() = default;
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;

    [[nodiscard]] virtual Rank rank() const = 0;
    [[nodiscard]] virtual Rank size() const = 0;
    [[nodiscard]] bool first() const { return rank() == 0; }

    // Sends a message to another process without waiting. Messages from one process to another arrive
    // in order.
    virtual void send(Rank to, int tag, Bytes bytes) = 0;
    // How many messages to this process have not left yet: a sender checks it to bound its memory.
    [[nodiscard]] virtual std::size_t waiting(Rank to) = 0;
    // The next message that has arrived, from any process; false where none has.
    [[nodiscard]] virtual bool receive(Message& message) = 0;

    // Collective: the bytes of all processes, by rank.
    [[nodiscard]] virtual std::vector<Bytes> gather(std::span<const std::byte> mine) = 0;

    // Ends all processes at once: for when one of them cannot go on.
    [[noreturn]] virtual void abort(int code) = 0;

    [[nodiscard]] virtual std::uint64_t bytes_sent() const = 0;
    [[nodiscard]] virtual std::uint64_t messages_sent() const = 0;
};

// How many processes mpirun, srun or the like started beside this one and with it; 1 without them.
[[nodiscard]] Rank processes_in_environment();

// The processes of this run; called once. Throws Error where there are several and MPI cannot be had.
[[nodiscard]] std::unique_ptr<Comm> connect();

// --- collective operations on values ---

template <class T>
[[nodiscard]] std::vector<T> gather_all(Comm& comm, const T& mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all;
    for (const Bytes& bytes : comm.gather(std::as_bytes(std::span(&mine, 1)))) {
        T value{};
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(&value, 1)).begin());
        all.push_back(value);
    }
    return all;
}
[[nodiscard]] std::uint64_t sum(Comm& comm, std::uint64_t mine);
[[nodiscard]] std::uint64_t greatest(Comm& comm, std::uint64_t mine);
[[nodiscard]] inline bool any_process(Comm& comm, bool mine) { return greatest(comm, mine ? 1 : 0) != 0; }
inline void barrier(Comm& comm) { (void)sum(comm, 0); }
// Broadcasts the bytes of the first process.
[[nodiscard]] Bytes from_first(Comm& comm, std::span<const std::byte> mine);

}  // namespace zermelo::cluster
