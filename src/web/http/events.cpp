#include "web/http/events.hpp"

namespace zermelo::web {

EventStream::EventStream(Begin begin, Gone gone) : begin_(std::move(begin)), gone_(std::move(gone)) {}

EventStream::~EventStream() { line_->end(); }

void EventStream::send(const std::string& name, const json& data) {
    const std::string piece = "event: " + name + "\ndata: " + written(data) + "\n\n";
    if (!*gone_ && !begun_) {
        begun_ = true;
        begin_({.body = piece,
                .type = "text/event-stream",
                .stream = [line = line_](std::shared_ptr<net::Stream> stream) {
                    line->open(std::move(stream));
                }});
    } else if (*gone_ || !line_->write(piece)) {
        *gone_ = true;
        throw LimitReached(Stop::interrupted, "because the client disconnected", "");
    }
}

void EventStream::Line::open(std::shared_ptr<net::Stream> stream) {
    const std::lock_guard lock(mutex_);
    if (!early_.empty()) stream->write(std::exchange(early_, {}));
    if (!ended_) stream_ = std::move(stream);
}

bool EventStream::Line::write(const std::string& piece) {
    const std::lock_guard lock(mutex_);
    if (stream_) return stream_->write(piece);
    early_ += piece;
    return true;
}

void EventStream::Line::keep_alive() {
    const std::lock_guard lock(mutex_);
    if (stream_) stream_->write(": alive\n\n");
}

void EventStream::Line::end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    stream_ = nullptr;
}

}  // namespace zermelo::web
