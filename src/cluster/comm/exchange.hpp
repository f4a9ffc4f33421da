// All-to-all exchange: a phase in which every process has records for every other, sent in batches while the
// work goes on.
//
// Records are buffered by receiver; a full batch is sent without waiting, and incoming records are delivered
// from within put(), so that communication and work overlap and no cycle of waiting processes can arise. A
// phase is over when every process has announced its end. Records must not be answered within the phase.

#pragma once

#include <functional>

#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

class Exchange {
public:
    using Deliver = std::function<void(Rank from, std::span<const std::byte> records)>;

    Exchange(Comm& comm, Deliver deliver);

    // A record is never divided between two deliveries.
    void put(Rank to, std::span<const std::byte> record) {
        Bytes& batch = batches_[to];
        batch.insert(batch.end(), record.begin(), record.end());
        if (batch.size() >= batch_bytes) flush(to);
    }
    template <class T>
    void put_value(Rank to, const T& record) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(to, std::as_bytes(std::span(&record, 1)));
    }
    void flush();   // what is there goes now: for what must not be in one delivery with what follows
    void finish();  // collective: returns when everything has been delivered everywhere

private:
    static constexpr std::size_t batch_bytes = std::size_t{1} << 17;
    static constexpr std::size_t most_waiting = 4;
    enum Tag : int { records = 1, nothing_more = 2 };

    void flush(Rank to);
    bool deliver_one();

    Comm& comm_;
    Deliver deliver_;
    std::vector<Bytes> batches_;  // by receiver
    Message message_;
    Rank open_senders_;
};

// Waits a little where there is nothing to do, so that processes which share a core get on.
class IdleBackoff {
public:
    void done() { idle_ = 0; }
    void nothing();

private:
    unsigned idle_ = 0;
};

}  // namespace zermelo::cluster
