// A body for Beast's parser that takes memory only for what has really come, whatever length was announced.

#pragma once

#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/message.hpp>
#include <new>
#include <string>

#include "net/server/asio.hpp"

namespace zermelo::net {

struct GrowingBody {
    using value_type = std::string;

    class reader {
    public:
        template <bool is_request, class Fields>
        reader(boost::beast::http::header<is_request, Fields>&, value_type& body) : body_(body) {}
        void init(const boost::optional<std::uint64_t>&, Failure& failure) { failure = {}; }
        template <class Buffers>
        std::size_t put(const Buffers& buffers, Failure& failure) {
            failure = {};
            std::size_t count = 0;
            try {
                for (const asio::const_buffer piece : boost::beast::buffers_range_ref(buffers)) {
                    body_.append(static_cast<const char*>(piece.data()), piece.size());
                    count += piece.size();
                }
            } catch (const std::bad_alloc&) {
                failure = make_error_code(boost::system::errc::not_enough_memory);
            }
            return count;
        }
        void finish(Failure& failure) { failure = {}; }

    private:
        value_type& body_;
    };
};

}  // namespace zermelo::net
