// What the files of the server use of Boost.Asio.

#pragma once

// GCC's thread sanitizer does not know fences and warns of them; locks order all that we share.
#if defined(__SANITIZE_THREAD__)
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace zermelo::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using Failure = boost::system::error_code;

}  // namespace zermelo::net
