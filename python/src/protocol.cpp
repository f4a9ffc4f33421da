// A player behind the protocol of General Game Playing.

#include "player.hpp"
#include "zermelo/ggp.hpp"

namespace zermelo::python {

namespace {

class ServerObject {
public:
    ServerObject(const py::object& player, const std::string& address, std::uint16_t port,
                 const std::string& name, std::size_t matches)
        : spec_(std::make_unique<PlayerSpec>(player)) {
        ggp::PlayerOptions options;
        options.server.address = address;
        options.server.port = port;
        options.session.strategy = play::read_spec(spec_->text());
        if (options.session.strategy.remote())
            throw Error("the player " + spec_->text() + " is somewhere else", "choose a built-in player");
        options.name = name;
        options.matches = matches;
        const py::gil_scoped_release release;
        server_ = std::make_unique<ggp::PlayerServer>(options);
    }
    ~ServerObject() { close(); }
    ServerObject(const ServerObject&) = delete;
    ServerObject& operator=(const ServerObject&) = delete;

    // Its matches may be inside the player, so they need the lock to end.
    void close() {
        const py::gil_scoped_release release;
        server_ = nullptr;
    }
    [[nodiscard]] std::optional<std::uint16_t> port() const {
        return server_ == nullptr ? std::nullopt : std::optional(server_->port());
    }

private:
    std::unique_ptr<PlayerSpec> spec_;
    std::unique_ptr<ggp::PlayerServer> server_;
};

}  // namespace

void bind_protocol(py::module_& module) {
    py::class_<ServerObject>(module, "PlayerServer", "A player that game managers can reach over HTTP.")
        .def(
            py::init<const py::object&, const std::string&, std::uint16_t, const std::string&, std::size_t>(),
            py::arg("player"), py::kw_only(), py::arg("address") = "127.0.0.1", py::arg("port") = 9147,
            py::arg("name") = "Zermelo", py::arg("matches") = 1)
        .def_property_readonly("port", &ServerObject::port, "None when it is closed.")
        .def("close", &ServerObject::close, "Ends its matches, and listens no more.")
        .def("__enter__", [](const py::object& self) { return self; })
        .def("__exit__", [](ServerObject& self, const py::args&) { self.close(); });
}

}  // namespace zermelo::python
