// Random circuits of games: a few fluents, two roles with a few moves each, random gates, and now and then a
// loop, before the moves are known and after. Nothing of it has to make sense as a game.

#pragma once

#include "core/random.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::scsp {

class RandomNetwork {
public:
    explicit RandomNetwork(std::uint64_t seed) : random_(seed) {}

    gdl::Network make() {
        const auto fluents = static_cast<std::uint32_t>(random_.between(2, 5));
        const auto roles = static_cast<std::uint32_t>(random_.between(1, 2));
        network_.fluents.resize(fluents);
        network_.roles.resize(roles);
        network_.initial.assign(fluents, false);
        network_.moves.resize(roles);
        network_.goals.resize(roles);
        network_.sees.resize(roles);
        std::uint32_t node = 1 + fluents;
        network_.first_move = node;
        for (auto& moves : network_.moves) {
            const auto count = random_.between(1, 3);
            for (std::int64_t m = 0; m < count; ++m) moves.push_back({0, gdl::Network::always, node++});
        }
        network_.first_gate = network_.nodes = node;
        network_.start.push_back(0);
        for (std::uint32_t n = 0; n < network_.first_move; ++n) readable_.push_back(n);
        add_gates();
        network_.first_late = network_.nodes;
        network_.early_stretches = network_.stretches.size();
        network_.terminal = signal();
        for (auto& moves : network_.moves) {
            for (auto& move : moves) {
                if (random_.chance(0.6)) move.legal = signal();
            }
        }
        for (auto& goals : network_.goals) {
            for (const int value : {100, 50, 0}) goals.push_back({value, signal()});
        }
        for (std::uint32_t n = network_.first_move; n < network_.first_gate; ++n) readable_.push_back(n);
        add_gates();
        for (std::uint32_t f = 0; f < fluents; ++f) network_.next.push_back(signal());
        return std::move(network_);
    }

private:
    gdl::Signal signal() { return {readable_[random_.below(readable_.size())], random_.chance(0.5)}; }

    std::vector<gdl::Signal> signals(std::int64_t count) {
        std::vector<gdl::Signal> result;
        for (std::int64_t i = 0; i < count; ++i) {
            const gdl::Signal s = signal();
            const bool known = std::any_of(result.begin(), result.end(),
                                           [&](gdl::Signal other) { return other.node() == s.node(); });
            if (!known && s.node() != 0) result.push_back(s);
        }
        return result;
    }

    void add_gate(const std::vector<gdl::Signal>& inputs) {
        network_.inputs.insert(network_.inputs.end(), inputs.begin(), inputs.end());
        network_.start.push_back(static_cast<std::uint32_t>(network_.inputs.size()));
        ++network_.nodes;
    }

    void add_gates() {
        const auto stretches = random_.between(1, 3);
        for (std::int64_t s = 0; s < stretches; ++s) {
            if (random_.chance(0.4)) {
                add_loop();
                continue;
            }
            const std::uint32_t first = network_.nodes;
            const auto count = random_.between(1, 5);
            for (std::int64_t g = 0; g < count; ++g) {
                add_gate(signals(random_.between(1, 4)));
                readable_.push_back(network_.nodes - 1);
            }
            network_.stretches.push_back({first, network_.nodes, false, first});
        }
    }

    // Atoms first, each the conjunction of its negated rules; then the rules, which read atoms and what is
    // outside. A rule may also be one atom, or one signal from outside.
    void add_loop() {
        const std::uint32_t first = network_.nodes;
        const auto atoms = static_cast<std::uint32_t>(random_.between(1, 4));
        const auto rules = static_cast<std::uint32_t>(random_.between(1, 6));
        std::vector<std::vector<gdl::Signal>> heads(atoms);
        for (std::uint32_t r = 0; r < rules; ++r)
            heads[random_.below(atoms)].emplace_back(first + atoms + r, true);
        for (auto& head : heads) {
            if (random_.chance(0.3)) head.emplace_back(first + random_.below(atoms), false);
            if (random_.chance(0.3)) head.push_back(signal());
            add_gate(head);
        }
        for (std::uint32_t r = 0; r < rules; ++r) {
            auto body = signals(random_.between(0, 2));
            const auto own = random_.below(atoms);
            body.emplace_back(first + own, true);
            if (atoms > 1 && random_.chance(0.3)) body.emplace_back(first + (own + 1) % atoms, true);
            add_gate(body);
        }
        network_.stretches.push_back({first, network_.nodes, true, first + atoms});
        for (std::uint32_t a = 0; a < atoms; ++a) readable_.push_back(first + a);
    }

    Random random_;
    gdl::Network network_;
    std::vector<std::uint32_t> readable_;
};

}  // namespace zermelo::scsp
