// Server-sent events (WHATWG HTML) over a connection.
//
// The answer begins with the first event, so that work that fails before it can still answer with a status.

#pragma once

#include <mutex>

#include "net/server.hpp"
#include "web/http/router.hpp"
#include "web/http/worker_pool.hpp"

namespace zermelo::web {

class EventStream : public Events {
public:
    using Begin = std::function<void(net::Response)>;  // sends the answer whose pieces the events are

    EventStream(Begin begin, Gone gone);
    ~EventStream() override;
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;

    void send(const std::string& name, const json& data) override;
    [[nodiscard]] bool begun() const { return begun_; }

    // The connection, which may be written to from any thread.
    class Line {
    public:
        void open(std::shared_ptr<net::Stream> stream);
        bool write(const std::string& piece);  // false where the client has gone
        void keep_alive();                     // says nothing, where it is open
        void end();

    private:
        std::mutex mutex_;
        std::shared_ptr<net::Stream> stream_;
        std::string early_;  // said before it was open
        bool ended_ = false;
    };
    [[nodiscard]] const std::shared_ptr<Line>& line() const { return line_; }

private:
    Begin begin_;
    Gone gone_;
    std::shared_ptr<Line> line_ = std::make_shared<Line>();
    bool begun_ = false;
};

}  // namespace zermelo::web
