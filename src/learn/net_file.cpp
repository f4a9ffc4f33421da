#include "learn/net_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

namespace {

constexpr const char* kind = "network";
constexpr const char* section = "weights";
constexpr std::uint32_t version = 1;
constexpr std::uint64_t most_units = 1024;
constexpr std::uint64_t most_inputs = std::uint64_t{1} << 24;
constexpr std::uint64_t most_moves = std::uint64_t{1} << 24;
constexpr const char* inconsistent = "its numbers contradict each other";
constexpr const char* extension = ".net";

}  // namespace

void write_net(const std::string& file, const Hash128& rules, const NetFile& net) {
    const QuantisedWeights& w = net.weights;
    game::CheckpointWriter out(file, {kind, rules});
    out.section(section);
    out.put(version);
    out.put(static_cast<std::uint8_t>(net.opposed ? 1 : 0));
    out.put(static_cast<std::uint8_t>(net.trusted ? 1 : 0));
    out.put(net.games);
    for (const std::size_t size : {w.shape.inputs, w.shape.hidden, w.shape.second, w.shape.seats,
                                   w.shape.moves.size(), net.gates.size()})
        out.put(std::uint64_t{size});
    for (const std::size_t moves : w.shape.moves) out.put(std::uint64_t{moves});
    for (const GateFeature& gate : net.gates) {
        out.put(gate.signature);
        out.put(gate.frequency);
    }
    for (const float scale : {w.row_scale, w.second_scale, w.policy_scale}) out.put(scale);
    out.put_all(std::span(w.rows));
    out.put_all(std::span(w.bias1));
    out.put_all(std::span(w.second));
    out.put_all(std::span(w.bias2));
    out.put_all(std::span(w.values));
    out.put_all(std::span(w.value_bias));
    out.put_all(std::span(w.policy));
    out.put_all(std::span(w.policy_bias));
    out.commit();
}

namespace {

void read_shape(game::CheckpointReader& in, NetFile& net) {
    const auto demand = [&](bool fact) {
        if (!fact) in.refuse(inconsistent);
    };
    Shape& shape = net.weights.shape;
    const auto size = [&](std::uint64_t most) {
        const auto value = in.get<std::uint64_t>();
        demand(value <= most);
        return static_cast<std::size_t>(value);
    };
    shape.inputs = size(most_inputs);
    shape.hidden = size(most_units);
    shape.second = size(most_units);
    shape.seats = size(most_units);
    const std::size_t roles = size(most_units);
    const std::size_t gates = size(shape.inputs);
    demand(shape.hidden > 0 && shape.hidden % row_step == 0 && shape.second > 0 &&
           shape.second % row_step == 0);
    demand(shape.seats > 0 && (!net.opposed || shape.seats == 2));
    for (std::size_t r = 0; r < roles; ++r) shape.moves.push_back(size(most_moves));
    for (std::size_t g = 0; g < gates; ++g) {
        GateFeature gate;
        gate.signature = in.get<Hash128>();
        gate.frequency = in.get<float>();
        demand(gate.frequency >= 0 && gate.frequency <= 1);
        net.gates.push_back(gate);
    }
}

}  // namespace

NetFile read_net(const std::string& file, const Hash128& rules) {
    game::CheckpointReader in(file, {kind, rules});
    const auto demand = [&](bool fact) {
        if (!fact) in.refuse(inconsistent);
    };
    in.section(section);
    if (in.get<std::uint32_t>() != version) in.refuse("it was written by another version");
    NetFile net;
    const auto opposed = in.get<std::uint8_t>();
    const auto trusted = in.get<std::uint8_t>();
    demand(opposed <= 1 && trusted <= 1);
    net.trusted = trusted == 1;
    net.opposed = opposed == 1;
    net.games = in.get<std::uint64_t>();
    read_shape(in, net);
    QuantisedWeights& w = net.weights;
    for (float* scale : {&w.row_scale, &w.second_scale, &w.policy_scale}) {
        *scale = in.get<float>();
        demand(std::isfinite(*scale) && *scale > 0);
    }
    demand(w.row_scale >= 1 && w.row_scale <= 32767);
    in.append(w.rows, w.shape.inputs * w.shape.hidden);
    in.append(w.bias1, w.shape.hidden);
    in.append(w.second, w.shape.second * w.shape.hidden);
    in.append(w.bias2, w.shape.second);
    in.append(w.values, w.shape.seats * w.shape.second);
    in.append(w.value_bias, w.shape.seats);
    in.append(w.policy, w.shape.all_moves() * w.shape.hidden);
    in.append(w.policy_bias, w.shape.all_moves());
    for (const auto* floats : {&w.bias2, &w.values, &w.value_bias, &w.policy_bias}) {
        for (const float x : *floats) demand(std::isfinite(x));
    }
    in.finish();
    return net;
}

namespace {

void require_fit(const NetFile& net, const gdl::Machine& machine) {
    const auto& network = machine.network();
    const Shape& shape = net.weights.shape;
    bool fits = shape.inputs == network.fluents.size() + net.gates.size() &&
                shape.moves.size() == network.moves.size() && shape.seats <= network.moves.size();
    for (std::size_t r = 0; fits && r < shape.moves.size(); ++r)
        fits = shape.moves[r] == 0 || shape.moves[r] == network.moves[r].size();
    if (!fits) throw Error("the network is of another game", "train one for this game");
}

// The policy's rows, each put where `place` says.
template <class Place>
void place_moves(const QuantisedWeights& from, QuantisedWeights& to, Place place) {
    const std::size_t hidden = from.shape.hidden;
    to.policy.resize(from.policy.size());
    to.policy_bias.resize(from.policy_bias.size());
    std::size_t first = 0;
    for (std::size_t r = 0; r < from.shape.moves.size(); ++r) {
        for (std::size_t m = 0; m < from.shape.moves[r]; ++m) {
            const std::size_t at = first + place(r, m);
            std::copy_n(from.policy.begin() + static_cast<std::ptrdiff_t>((first + m) * hidden), hidden,
                        to.policy.begin() + static_cast<std::ptrdiff_t>(at * hidden));
            to.policy_bias[at] = from.policy_bias[first + m];
        }
        first += from.shape.moves[r];
    }
}

void copy_row(const std::vector<std::int16_t>& from, std::size_t row, std::vector<std::int16_t>& to,
              std::size_t place, std::size_t hidden) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * hidden), hidden,
                to.begin() + static_cast<std::ptrdiff_t>(place * hidden));
}

}  // namespace

std::shared_ptr<const Judgement> judgement_of(const NetFile& net, const gdl::Machine& machine,
                                              const symmetry::RulesForm& form, const Limits& limits) {
    require_fit(net, machine);
    Features features(machine, form, net.gates, limits);
    QuantisedWeights local = net.weights;
    const std::size_t hidden = local.shape.hidden;
    const std::size_t fluents = form.fluents.size();
    local.shape.inputs = features.size();
    local.rows.assign(local.shape.inputs * hidden, 0);
    for (std::size_t i = 0; i < fluents; ++i)
        copy_row(net.weights.rows, i, local.rows, form.fluents[i], hidden);
    for (std::size_t g = 0; g < net.gates.size(); ++g) {
        if (!features.missing()[g]) {
            copy_row(net.weights.rows, fluents + g, local.rows, features.first_gate() + g, hidden);
            continue;
        }
        // This network was factored without the gate: it counts with its mean.
        for (std::size_t h = 0; h < hidden; ++h) {
            const float share = net.gates[g].frequency * net.weights.rows[(fluents + g) * hidden + h];
            local.bias1[h] = static_cast<std::int16_t>(local.bias1[h] + std::lround(share));
        }
    }
    place_moves(net.weights, local, [&](std::size_t r, std::size_t m) { return form.moves[r][m]; });
    return std::make_shared<const Judgement>(std::move(features), std::move(local), net.opposed, net.trusted);
}

NetFile net_of(const Judgement& judgement, const symmetry::RulesForm& form, std::uint64_t games) {
    const QuantisedWeights& local = judgement.network().weights();
    const Features& features = judgement.features();
    NetFile net;
    net.weights = local;
    net.gates = features.gates();
    net.opposed = judgement.opposed();
    net.trusted = judgement.trusted();
    net.games = games;
    const std::size_t hidden = local.shape.hidden;
    const std::size_t fluents = form.fluents.size();
    net.weights.shape.inputs = fluents + net.gates.size();
    net.weights.rows.assign(net.weights.shape.inputs * hidden, 0);
    for (std::size_t i = 0; i < fluents; ++i)
        copy_row(local.rows, form.fluents[i], net.weights.rows, i, hidden);
    for (std::size_t g = 0; g < net.gates.size(); ++g)
        copy_row(local.rows, features.first_gate() + g, net.weights.rows, fluents + g, hidden);
    place_moves(local, net.weights, [&](std::size_t r, std::size_t m) { return form.rank[r][m]; });
    return net;
}

namespace {

std::filesystem::path cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
        return std::filesystem::path(cache) / "zermelo";
    if (const std::string home = variable("HOME"); !home.empty())
        return std::filesystem::path(home) / ".cache" / "zermelo";
    return {};
}

}  // namespace

std::string cache_file(const Hash128& rules) {
    const auto folder = cache_folder();
    return folder.empty() ? "" : (folder / (hex(rules) + extension)).string();
}

bool cache_has_nets() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(cache_folder(), ignored)) {
        if (entry.path().extension() == extension) return true;
    }
    return false;
}

}  // namespace zermelo::learn
