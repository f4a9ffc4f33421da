// Communicator over MPI: a library of its own, loaded by connect() when mpirun has started several processes.
//
// Batches of the size that the exchange sends wait at the sender until the receiver takes them (MPI's
// rendezvous protocol), so that memory does not fill with unexpected messages.

#include <mpi.h>

#include <cstdlib>
#include <deque>
#include <list>

#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

namespace {

class MpiComm : public Comm {
public:
    MpiComm() {
        // A waiting process yields its core.
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
        int threads = 0;  // only one thread communicates at a time
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
        int number = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &number);
        rank_ = static_cast<Rank>(number);
        MPI_Comm_size(MPI_COMM_WORLD, &number);
        size_ = static_cast<Rank>(number);
        outgoing_.resize(size_);
    }
    ~MpiComm() override {
        for (Rank to = 0; to < size_; ++to) {
            while (waiting(to) > 0) continue;
        }
        MPI_Finalize();
    }

    [[nodiscard]] Rank rank() const override { return rank_; }
    [[nodiscard]] Rank size() const override { return size_; }

    void send(Rank to, int tag, Bytes bytes) override {
        (void)waiting(to);  // frees what has been sent
        bytes_ += bytes.size();
        ++messages_;
        auto& parcel = outgoing_[to].emplace_back();
        parcel.bytes = std::move(bytes);
        MPI_Isend(parcel.bytes.data(), static_cast<int>(parcel.bytes.size()), MPI_BYTE, static_cast<int>(to),
                  tag, MPI_COMM_WORLD, &parcel.request);
    }

    [[nodiscard]] std::size_t waiting(Rank to) override {
        auto& parcels = outgoing_[to];
        while (!parcels.empty()) {
            int left = 0;
            MPI_Test(&parcels.front().request, &left, MPI_STATUS_IGNORE);
            if (left == 0) break;
            parcels.pop_front();
        }
        return parcels.size();
    }

    [[nodiscard]] bool receive(Message& message) override {
        int there = 0;
        MPI_Message handle = MPI_MESSAGE_NULL;
        MPI_Status status = {};
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &handle, &status);
        if (there == 0) return false;
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        message.from = static_cast<Rank>(status.MPI_SOURCE);
        message.tag = status.MPI_TAG;
        message.bytes.resize(static_cast<std::size_t>(count));
        MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
        return true;
    }

    [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> mine) override {
        const auto length = static_cast<int>(mine.size());
        std::vector<int> lengths(size_);
        MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
        std::vector<int> starts(size_ + 1);
        for (Rank r = 0; r < size_; ++r) starts[r + 1] = starts[r] + lengths[r];
        Bytes together(static_cast<std::size_t>(starts[size_]));
        MPI_Allgatherv(mine.data(), length, MPI_BYTE, together.data(), lengths.data(), starts.data(),
                       MPI_BYTE, MPI_COMM_WORLD);
        bytes_ += mine.size() * (size_ - 1);
        std::vector<Bytes> all;
        for (Rank r = 0; r < size_; ++r)
            all.emplace_back(together.begin() + starts[r], together.begin() + starts[r + 1]);
        return all;
    }

    [[noreturn]] void abort(int code) override {
        MPI_Abort(MPI_COMM_WORLD, code);
        std::_Exit(code);
    }

    [[nodiscard]] std::uint64_t bytes_sent() const override { return bytes_; }
    [[nodiscard]] std::uint64_t messages_sent() const override { return messages_; }

private:
    struct Parcel {
        Bytes bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    Rank rank_ = 0;
    Rank size_ = 1;
    std::vector<std::deque<Parcel>> outgoing_;  // by receiver; a deque, because parcels must not move
    std::uint64_t bytes_ = 0;
    std::uint64_t messages_ = 0;
};

}  // namespace

extern "C" Comm* zermelo_connect() { return new MpiComm; }

}  // namespace zermelo::cluster
