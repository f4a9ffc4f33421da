// Addresses, escapes and headers.

#include "net/http.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "net/head.hpp"

namespace zermelo::net {
namespace {

TEST(Url, IsReadInAllItsForms) {
    const Url full = read_url("http://example.org:9147/play?x=(1)");
    EXPECT_EQ(full.host, "example.org");
    EXPECT_EQ(full.port, 9147);
    EXPECT_EQ(full.path, "/play?x=(1)");

    const Url least = read_url("HTTP://127.0.0.1");
    EXPECT_EQ(least.host, "127.0.0.1");
    EXPECT_EQ(least.port, 80);
    EXPECT_EQ(least.path, "/");

    EXPECT_EQ(read_url("http://h?q").path, "/?q");
    EXPECT_EQ(read_url("http://h/a#b").path, "/a");
    EXPECT_EQ(read_url("http://h:65535").port, 65535);

    const Url six = read_url("http://[::1]:80/x");
    EXPECT_EQ(six.host, "::1");
    EXPECT_EQ(six.port, 80);
    EXPECT_EQ(read_url("http://[::1]").host, "::1");
}

TEST(Url, IsWrittenAsItIsRead) {
    for (const std::string text :
         {"http://example.org/", "http://example.org:9147/a/b", "http://[::1]:9147/", "http://[fe80::1]/x"})
        EXPECT_EQ(read_url(text).text(), text);
    EXPECT_EQ(read_url("http://h").text(), "http://h/");
    EXPECT_EQ(read_url("http://h:80/").text(), "http://h/");
}

TEST(Url, IsRefusedWithAReason) {
    for (const std::string text :
         {"", "http://", "h:80", "https://h", "http://:80", "http://h:", "http://h:0", "http://h:65536",
          "http://h:8x", "http://h:-1", "http://a b", "http://h\r\n", "http://u@h", "http://[::1",
          "http://[::1]8", "http://[]:1"}) {
        try {
            const Url url = read_url(text);
            ADD_FAILURE() << text << " was read as " << url.text();
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("; write it as http://host:port/path"),
                      std::string::npos);
        }
    }
}

TEST(Unescape, ChangesEscapesOnly) {
    EXPECT_EQ(unescape("/(INFO)"), "/(INFO)");
    EXPECT_EQ(unescape("%28a%20b%29"), "(a b)");
    EXPECT_EQ(unescape("a+b"), "a+b");
    EXPECT_EQ(unescape("%c3%A4"), "\xc3\xa4");
    EXPECT_EQ(unescape("100%"), "100%");
    EXPECT_EQ(unescape("%4"), "%4");
    EXPECT_EQ(unescape("%zz%41"), "%zzA");
    EXPECT_EQ(unescape("%%41"), "%A");
    EXPECT_EQ(unescape(""), "");
}

TEST(Request, FindsHeadersInAnyCase) {
    Request request;
    request.headers = {{"Content-Type", "text/acl"}, {"X-A", "1"}, {"x-a", "2"}};
    EXPECT_EQ(request.header("content-TYPE"), "text/acl");
    EXPECT_EQ(request.header("X-a"), "1");
    EXPECT_EQ(request.header("Content"), "");
}

TEST(Head, IsTheSameInAnyPiecesAndWithAnyLineEnds) {
    const std::string tidy = "GET / HTTP/1.0\r\nA: b\r\n\r\n";
    for (const std::string& sent : {tidy, std::string("GET / HTTP/1.0\nA: b\n\n"), "\r\n\n" + tidy}) {
        Head at_once;
        EXPECT_EQ(at_once.take(sent + "body"), sent.size());
        EXPECT_EQ(at_once.state(), Head::State::whole);
        EXPECT_EQ(at_once.text(), tidy);

        Head in_pieces;
        for (const char letter : sent) {
            EXPECT_EQ(in_pieces.state(), Head::State::partial);
            EXPECT_EQ(in_pieces.take({&letter, 1}), 1U);
        }
        EXPECT_EQ(in_pieces.state(), Head::State::whole);
        EXPECT_EQ(in_pieces.text(), tidy);
    }
}

TEST(Head, RefusesWhatIsNoText) {
    for (const std::string& sent :
         {std::string("\x16\x03\x01"), std::string("GET\0 /", 6), std::string("a\rb")}) {
        Head head;
        head.take(sent);
        EXPECT_EQ(head.state(), Head::State::malformed);
    }
    Head blank;
    blank.take(std::string(Head::most + 1, '\n'));
    EXPECT_EQ(blank.state(), Head::State::too_large);
}

}  // namespace
}  // namespace zermelo::net
