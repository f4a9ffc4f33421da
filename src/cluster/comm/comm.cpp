#include "cluster/comm/comm.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

namespace zermelo::cluster {

namespace {

class SingleProcess : public Comm {
public:
    [[nodiscard]] Rank rank() const override { return 0; }
    [[nodiscard]] Rank size() const override { return 1; }
    void send(Rank, int, Bytes) override { throw std::logic_error("there is no other process to send to"); }
    [[nodiscard]] std::size_t waiting(Rank) override { return 0; }
    [[nodiscard]] bool receive(Message&) override { return false; }
    [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> mine) override {
        return {Bytes(mine.begin(), mine.end())};
    }
    [[noreturn]] void abort(int code) override { std::_Exit(code); }
    [[nodiscard]] std::uint64_t bytes_sent() const override { return 0; }
    [[nodiscard]] std::uint64_t messages_sent() const override { return 0; }
};

constexpr const char* library = "libzermelo_mpi.so";

// Beside the program, or where `make install` puts it.
std::filesystem::path find_library() {
    std::error_code ignored;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const auto& place : {folder, folder / "..", folder / "../lib/zermelo"}) {
        if (std::filesystem::exists(place / library, ignored)) return place / library;
    }
    return {};
}

std::unique_ptr<Comm> load(Rank processes) {
    const auto missing = [&](const std::string& why) {
        return Error(
            fmt::format("there are {} processes, but they cannot communicate: {}", processes, why),
            "install libopenmpi-dev and openmpi-bin and build again, or start one process without mpirun");
    };
    const auto file = find_library();
    if (file.empty()) throw missing("this program was built without MPI");
    // MPI loads parts of itself later, which have to see its symbols.
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) throw missing(dlerror());
    const auto make = reinterpret_cast<Comm* (*)()>(dlsym(handle, "zermelo_connect"));
    if (make == nullptr) throw missing(fmt::format("{} is not the library of this program", file.string()));
    std::unique_ptr<Comm> comm(make());
    if (comm->size() != processes) throw missing("they were started by the mpirun of another MPI");
    return comm;
}

}  // namespace

Rank processes_in_environment() {
    // Open MPI; PMIx and PMI as srun sets them.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* value = std::getenv(name);
        if (value == nullptr) continue;
        if (const long count = std::strtol(value, nullptr, 10); count > 0) return static_cast<Rank>(count);
    }
    return 1;
}

std::unique_ptr<Comm> connect() {
    const Rank processes = processes_in_environment();
    if (processes == 1) return std::make_unique<SingleProcess>();
    return load(processes);
}

std::uint64_t sum(Comm& comm, std::uint64_t mine) {
    const auto all = gather_all(comm, mine);
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

std::uint64_t greatest(Comm& comm, std::uint64_t mine) { return std::ranges::max(gather_all(comm, mine)); }

Bytes from_first(Comm& comm, std::span<const std::byte> mine) {
    return comm.gather(comm.first() ? mine : std::span<const std::byte>{}).front();
}

}  // namespace zermelo::cluster
