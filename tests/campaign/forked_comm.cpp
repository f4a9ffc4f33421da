#include "campaign/forked_comm.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <deque>
#include <iostream>
#include <stdexcept>

namespace zermelo::campaign {

namespace {

using cluster::Message;
using cluster::Rank;

class SocketComm final : public cluster::Comm {
public:
    // By process: the socket to it, and none to oneself.
    SocketComm(Rank rank, std::vector<int> sockets) : rank_(rank), peers_(sockets.size()) {
        for (Rank r = 0; r < peers_.size(); ++r) peers_[r].socket = sockets[r];
    }

    [[nodiscard]] Rank rank() const override { return rank_; }
    [[nodiscard]] Rank size() const override { return static_cast<Rank>(peers_.size()); }

    void send(Rank to, int tag, Bytes bytes) override {
        const Header header{tag, bytes.size()};
        Bytes frame(sizeof header + bytes.size());
        std::memcpy(frame.data(), &header, sizeof header);
        if (!bytes.empty()) std::memcpy(frame.data() + sizeof header, bytes.data(), bytes.size());
        sent_ += bytes.size();
        ++messages_;
        peers_.at(to).leaving.push_back(std::move(frame));
        write_to(peers_[to]);
    }
    [[nodiscard]] std::size_t waiting(Rank to) override {
        write_to(peers_.at(to));
        return peers_[to].leaving.size();
    }
    [[nodiscard]] bool receive(Message& message) override {
        exchange();
        if (arrived_.empty()) return false;
        message = std::move(arrived_.front());
        arrived_.pop_front();
        return true;
    }
    [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> mine) override {
        for (Rank r = 0; r < size(); ++r) {
            if (r != rank_) send(r, gathering, Bytes(mine.begin(), mine.end()));
        }
        std::vector<Bytes> all(size());
        all[rank_].assign(mine.begin(), mine.end());
        for (Rank r = 0; r < size(); ++r) {
            if (r == rank_) continue;
            while (peers_[r].gathered.empty()) wait();
            all[r] = std::move(peers_[r].gathered.front());
            peers_[r].gathered.pop_front();
        }
        return all;
    }
    [[noreturn]] void abort(int code) override { _exit(code == 0 ? 1 : code); }
    [[nodiscard]] std::uint64_t bytes_sent() const override { return sent_; }
    [[nodiscard]] std::uint64_t messages_sent() const override { return messages_; }

    // From now on others may leave.
    void finish() {
        finishing_ = true;
        cluster::barrier(*this);
        for (Peer& peer : peers_) {
            while (!peer.leaving.empty() && !peer.gone) wait();
        }
    }

private:
    static constexpr int gathering = -1;
    struct Header {
        int tag;
        std::size_t size;
    };
    struct Peer {
        int socket = -1;
        bool gone = false;
        std::deque<Bytes> leaving;
        std::size_t written = 0;  // of the first of them
        Bytes partial;            // what has been read of the next
        std::deque<Bytes> gathered;
    };

    void exchange() {
        for (Rank r = 0; r < size(); ++r) {
            if (r == rank_ || peers_[r].gone) continue;
            write_to(peers_[r]);
            read_from(r);
        }
    }
    void wait() {
        std::vector<pollfd> all;
        for (const Peer& peer : peers_) {
            if (peer.socket >= 0 && !peer.gone)
                all.push_back(
                    {peer.socket, static_cast<short>(POLLIN | (peer.leaving.empty() ? 0 : POLLOUT)), 0});
        }
        (void)poll(all.data(), all.size(), 1000);
        exchange();
    }
    static void write_to(Peer& peer) {
        while (!peer.leaving.empty()) {
            const Bytes& first = peer.leaving.front();
            const ssize_t n = ::send(peer.socket, first.data() + peer.written, first.size() - peer.written,
                                     MSG_DONTWAIT | MSG_NOSIGNAL);
            if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
            if (n < 0) throw std::runtime_error("another process has gone");
            peer.written += static_cast<std::size_t>(n);
            if (peer.written < first.size()) return;
            peer.leaving.pop_front();
            peer.written = 0;
        }
    }
    void read_from(Rank r) {
        Peer& peer = peers_[r];
        std::byte buffer[1 << 16];
        for (;;) {
            const ssize_t n = recv(peer.socket, buffer, sizeof buffer, MSG_DONTWAIT);
            if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
            if (n == 0 && finishing_) {
                peer.gone = true;
                break;
            }
            if (n <= 0) throw std::runtime_error("another process has gone");
            peer.partial.insert(peer.partial.end(), buffer, buffer + n);
        }
        Header header{};
        std::size_t at = 0;
        while (peer.partial.size() - at >= sizeof header) {
            std::memcpy(&header, peer.partial.data() + at, sizeof header);
            if (peer.partial.size() - at - sizeof header < header.size) break;
            const auto from = peer.partial.begin() + static_cast<std::ptrdiff_t>(at + sizeof header);
            Bytes bytes(from, from + static_cast<std::ptrdiff_t>(header.size));
            at += sizeof header + header.size;
            if (header.tag == gathering) {
                peer.gathered.push_back(std::move(bytes));
            } else {
                arrived_.push_back({r, header.tag, std::move(bytes)});
            }
        }
        peer.partial.erase(peer.partial.begin(), peer.partial.begin() + static_cast<std::ptrdiff_t>(at));
    }
    Rank rank_;
    std::vector<Peer> peers_;
    std::deque<Message> arrived_;
    std::uint64_t sent_ = 0;
    std::uint64_t messages_ = 0;
    bool finishing_ = false;
};

}  // namespace

void in_processes(Rank count, const std::function<void(cluster::Comm&)>& work) {
    std::vector<std::vector<int>> sockets(count, std::vector<int>(count, -1));
    for (Rank a = 0; a < count; ++a) {
        for (Rank b = 0; b < a; ++b) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("no sockets");
            sockets[a][b] = pair[0];
            sockets[b][a] = pair[1];
        }
    }
    const auto close_all_but = [&](Rank mine) {
        for (Rank r = 0; r < count; ++r) {
            for (const int socket : sockets[r]) {
                if (r != mine && socket >= 0) close(socket);
            }
        }
    };
    const auto run = [&](Rank rank) {
        SocketComm comm(rank, sockets[rank]);
        work(comm);
        comm.finish();
    };
    std::vector<pid_t> children;
    for (Rank rank = 1; rank < count; ++rank) {
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error("cannot start a process");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close_all_but(rank);
            int code = 0;
            try {
                run(rank);
            } catch (const std::exception& error) {
                std::cerr << "process " << rank << ": " << error.what() << std::endl;
                code = 1;
            }
            _exit(code);
        }
        children.push_back(child);
    }
    close_all_but(0);
    std::string failure;
    try {
        run(0);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    for (const int socket : sockets[0]) {
        if (socket >= 0) close(socket);
    }
    for (const pid_t child : children) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (status != 0 && failure.empty()) failure = "another process failed";
    }
    if (!failure.empty()) throw std::runtime_error(failure);
}

}  // namespace zermelo::campaign
