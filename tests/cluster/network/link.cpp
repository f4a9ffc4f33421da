// A link between network namespaces that is slow and loses frames: link MILLISECONDS PERCENT NAMESPACE…
//
// Makes a network device eth0 in each namespace and carries every frame from one to all others, after so many
// milliseconds, except those that get lost. Runs until it is killed, and the devices go with it.

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Frame {
    Clock::time_point due;
    std::size_t from;
    std::vector<char> bytes;
};

[[noreturn]] void fail(const std::string& what) {
    std::perror(what.c_str());
    std::exit(1);
}

int make_device(const std::string& name) {
    const int space = open(("/var/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail(name);
    close(space);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    std::strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) fail("/dev/net/tun");
    return device;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::fputs("usage: link MILLISECONDS PERCENT NAMESPACE NAMESPACE…\n", stderr);
        return 2;
    }
    const auto delay = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::milli>(std::atof(argv[1])));
    std::bernoulli_distribution lost(std::atof(argv[2]) / 100);
    std::mt19937 random(1);
    std::vector<pollfd> devices;
    for (int i = 3; i < argc; ++i) devices.push_back({make_device(argv[i]), POLLIN, 0});
    std::puts("ready");
    std::fflush(stdout);
    std::deque<Frame> on_the_way;
    std::vector<char> buffer(1 << 16);
    while (true) {
        const auto wait =
            on_the_way.empty()
                ? std::chrono::milliseconds(1000)
                : std::chrono::ceil<std::chrono::milliseconds>(on_the_way.front().due - Clock::now());
        poll(devices.data(), devices.size(), static_cast<int>(std::max<std::int64_t>(0, wait.count())));
        for (std::size_t from = 0; from < devices.size(); ++from) {
            for (ssize_t size = 0; (size = read(devices[from].fd, buffer.data(), buffer.size())) > 0;) {
                if (!lost(random))
                    on_the_way.push_back(
                        {Clock::now() + delay, from, {buffer.begin(), buffer.begin() + size}});
            }
        }
        for (; !on_the_way.empty() && on_the_way.front().due <= Clock::now(); on_the_way.pop_front()) {
            const Frame& frame = on_the_way.front();
            for (std::size_t to = 0; to < devices.size(); ++to) {
                // A full device loses the frame, too.
                if (to != frame.from) (void)!write(devices[to].fd, frame.bytes.data(), frame.bytes.size());
            }
        }
    }
}
