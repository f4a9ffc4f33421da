#include "cluster/comm/exchange.hpp"

#include <chrono>
#include <thread>

namespace zermelo::cluster {

Exchange::Exchange(Comm& comm, Deliver deliver)
    : comm_(comm), deliver_(std::move(deliver)), batches_(comm.size()), open_senders_(comm.size() - 1) {}

void Exchange::flush() {
    for (Rank to = 0; to < comm_.size(); ++to) flush(to);
}

void Exchange::flush(Rank to) {
    Bytes& batch = batches_[to];
    if (batch.empty()) return;
    if (to == comm_.rank()) {
        deliver_(to, batch);
        batch.clear();
        return;
    }
    IdleBackoff backoff;
    while (deliver_one() || comm_.waiting(to) >= most_waiting) backoff.nothing();
    comm_.send(to, records, std::move(batch));
    batch = Bytes();
    batch.reserve(batch_bytes + batch_bytes / 8);
}

bool Exchange::deliver_one() {
    if (!comm_.receive(message_)) return false;
    if (message_.tag == nothing_more) {
        --open_senders_;
    } else {
        deliver_(message_.from, message_.bytes);
    }
    return true;
}

void Exchange::finish() {
    flush();
    for (Rank to = 0; to < comm_.size(); ++to) {
        if (to != comm_.rank()) comm_.send(to, nothing_more, {});
    }
    IdleBackoff backoff;
    while (open_senders_ > 0) {
        if (deliver_one()) {
            backoff.done();
        } else {
            backoff.nothing();
        }
    }
    open_senders_ = comm_.size() - 1;
    barrier(comm_);  // otherwise a fast process would send records of the next phase into this one
}

void IdleBackoff::nothing() {
    using namespace std::chrono_literals;
    constexpr unsigned quick = 200;
    if (++idle_ < quick) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(50us);
    }
}

}  // namespace zermelo::cluster
