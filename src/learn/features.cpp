#include "learn/features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/random.hpp"
#include "learn/gate_cone.hpp"

namespace zermelo::learn {

using gdl::Machine;
using gdl::Runner;
using gdl::Signal;

struct Features::Cone {
    GateCone gates;
    std::vector<std::uint32_t> number;  // of the feature, by output of the cone
};

namespace {

constexpr std::size_t samples = 2048;
constexpr std::size_t most_plays = 4000;
constexpr std::size_t longest_play = 1000;
constexpr std::size_t states_of_a_play = 8;
constexpr double rare =
    0.01;  // gates that hold less often tell little, and so do those that nearly always hold
constexpr std::size_t most_gates_tried = 400'000;

// States of random plays, with what the roles got in the end. The same for the same rules, whatever the names.
struct Sample {
    std::vector<State> states;
    std::vector<std::vector<int>> goals;  // by role and state
};

class Plays {
public:
    Plays(const Machine& machine, const symmetry::RulesForm& form, const Limits& limits)
        : machine_(machine), form_(form), limits_(limits), runner_(machine) {
        sample_.goals.resize(machine.roles());
    }

    Sample run() {
        for (std::size_t play = 0; play < most_plays && sample_.states.size() < samples; ++play) {
            if (limits_.reached() != Stop::none)
                throw LimitReached(limits_.reached(), "while features were chosen", "allow more time");
            one();
        }
        return std::move(sample_);
    }

private:
    void one() {
        std::vector<State> visited{machine_.initial()};
        for (std::size_t moves = 0;; ++moves) {
            runner_.load(visited.back());
            if (runner_.terminal()) break;
            if (moves == longest_play || !draw()) return;
            runner_.play(joint_);
            State next = visited.back();
            runner_.next(next);
            visited.push_back(std::move(next));
        }
        visited.pop_back();
        for (std::size_t n = 0; n < states_of_a_play && !visited.empty(); ++n) {
            sample_.states.push_back(visited[random_.below(visited.size())]);
            for (std::size_t r = 0; r < machine_.roles(); ++r)
                sample_.goals[r].push_back(std::max(0, runner_.goal(r)));
        }
    }

    bool draw() {
        joint_.resize(machine_.roles());
        for (std::size_t r = 0; r < machine_.roles(); ++r) {
            runner_.legal(r, legal_);
            if (legal_.empty()) return false;
            const auto& rank = form_.rank[r];
            const auto nth = static_cast<std::ptrdiff_t>(random_.below(legal_.size()));
            std::nth_element(legal_.begin(), legal_.begin() + nth, legal_.end(),
                             [&](MoveId a, MoveId b) { return rank[a] < rank[b]; });
            joint_[r] = legal_[static_cast<std::size_t>(nth)];
        }
        return true;
    }

    const Machine& machine_;
    const symmetry::RulesForm& form_;
    const Limits& limits_;
    Runner runner_;
    Random random_{1};
    Sample sample_;
    std::vector<MoveId> legal_;
    gdl::JointMove joint_;
};

using Bits = std::vector<std::uint64_t>;  // by state of the sample

// By output of the cone.
std::vector<Bits> bits_of(const GateCone& cone, std::size_t outputs, const std::vector<State>& states) {
    std::vector<Bits> all(outputs);
    std::vector<const State*> some;
    std::vector<std::uint64_t> values;
    for (std::size_t first = 0; first < states.size(); first += 64) {
        some.clear();
        for (std::size_t i = first; i < std::min(states.size(), first + 64); ++i) some.push_back(&states[i]);
        cone.evaluate(some, values);
        const std::uint64_t mask =
            some.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << some.size()) - 1;
        for (std::size_t o = 0; o < outputs; ++o) all[o].push_back(values[o] & mask);
    }
    return all;
}

struct Candidate {
    Signal signal;  // negated where the gate holds in the first state
    Hash128 signature;
    double frequency;
    double worth;
};

Hash128 signature_of(const Bits& bits) {
    Hasher hasher;
    for (const std::uint64_t word : bits) hasher.add(word);
    return hasher.value();
}

// How much a gate goes with what a role gets, at best: the square of the correlation.
double worth_of(const Bits& bits, const Sample& sample) {
    const double n = static_cast<double>(sample.states.size());
    double best = 0;
    for (const auto& goals : sample.goals) {
        std::int64_t holds = 0;
        std::int64_t sum = 0;
        std::int64_t squares = 0;
        std::int64_t both = 0;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const std::int64_t g = goals[i];
            sum += g;
            squares += g * g;
            if ((bits[i / 64] >> (i % 64) & 1) == 0) continue;
            ++holds;
            both += g;
        }
        const double covariance =
            n * static_cast<double>(both) - static_cast<double>(holds) * static_cast<double>(sum);
        const double spread =
            (n * static_cast<double>(squares) - static_cast<double>(sum) * static_cast<double>(sum)) *
            static_cast<double>(holds) * (n - static_cast<double>(holds));
        if (spread > 0) best = std::max(best, covariance * covariance / spread);
    }
    return best;
}

// All gates that vary and are no fluents, each once, in no particular order.
std::vector<Candidate> candidates(const Machine& machine, const symmetry::RulesForm& form,
                                  const Limits& limits) {
    const gdl::Network& network = machine.network();
    const Sample sample = Plays(machine, form, limits).run();
    if (sample.states.empty()) return {};
    const std::vector<bool> plain = GateCone::plain(network);
    std::vector<Signal> asked;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) asked.emplace_back(1 + f, false);
    for (std::uint32_t g = network.first_gate; g < network.first_late && asked.size() < most_gates_tried;
         ++g) {
        if (plain[g]) asked.emplace_back(g, false);
    }
    std::vector<Bits> bits = bits_of(GateCone(network, asked), asked.size(), sample.states);
    std::unordered_set<Hash128, LowBitsHash> known;
    std::vector<Candidate> found;
    const double n = static_cast<double>(sample.states.size());
    for (std::size_t o = 0; o < asked.size(); ++o) {
        const bool flip = (bits[o].front() & 1) != 0;
        std::size_t holds = 0;
        for (std::size_t word = 0; word < bits[o].size(); ++word) {
            if (flip) {
                const std::size_t left = sample.states.size() - 64 * word;
                bits[o][word] ^= left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
            }
            holds += static_cast<std::size_t>(std::popcount(bits[o][word]));
        }
        const Hash128 signature = signature_of(bits[o]);
        const double frequency = static_cast<double>(holds) / n;
        const bool fluent = o < network.fluents.size();
        if (!known.insert(signature).second || fluent || frequency < rare || frequency > 1 - rare) continue;
        found.push_back({flip ? !asked[o] : asked[o], signature, frequency, worth_of(bits[o], sample)});
    }
    return found;
}

}  // namespace

Features Features::choose(const Machine& machine, const symmetry::RulesForm& form, std::size_t most,
                          const Limits& limits) {
    std::vector<Candidate> all = most > 0 ? candidates(machine, form, limits) : std::vector<Candidate>();
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return a.worth != b.worth ? a.worth > b.worth : a.signature < b.signature;
    });
    if (all.size() > most) all.resize(most);
    std::vector<GateFeature> gates;
    for (const Candidate& one : all) gates.push_back({one.signature, static_cast<float>(one.frequency)});
    std::sort(gates.begin(), gates.end(),
              [](const GateFeature& a, const GateFeature& b) { return a.signature < b.signature; });
    return {machine, form, gates, limits};
}

Features::Features(const Machine& machine, const symmetry::RulesForm& form,
                   const std::vector<GateFeature>& gates, const Limits& limits)
    : state_words_(machine.initial().size()), gates_(gates), missing_(gates.size(), true) {
    if (gates.empty()) return;
    std::unordered_map<Hash128, std::uint32_t, LowBitsHash> wanted;
    for (std::uint32_t g = 0; g < gates.size(); ++g) wanted.emplace(gates[g].signature, g);
    std::vector<Signal> outputs;
    std::vector<std::uint32_t> number;
    for (const Candidate& one : candidates(machine, form, limits)) {
        const auto at = wanted.find(one.signature);
        if (at == wanted.end()) continue;
        outputs.push_back(one.signal);
        number.push_back(at->second);
        missing_[at->second] = false;
    }
    cone_ = std::make_shared<const Cone>(Cone{GateCone(machine.network(), outputs), std::move(number)});
}

void Features::extract(std::span<const State* const> states, std::vector<std::uint64_t>& rows) const {
    const std::size_t wide = words();
    rows.assign(states.size() * wide, 0);
    for (std::size_t i = 0; i < states.size(); ++i)
        std::copy(states[i]->begin(), states[i]->end(), rows.begin() + static_cast<std::ptrdiff_t>(i * wide));
    if (!cone_) return;
    thread_local std::vector<std::uint64_t> values;
    cone_->gates.evaluate(states, values);
    for (std::size_t o = 0; o < values.size(); ++o) {
        const std::size_t word = state_words_ + cone_->number[o] / 64;
        const std::uint64_t bit = std::uint64_t{1} << (cone_->number[o] % 64);
        std::uint64_t left = values[o];
        if (states.size() < 64) left &= (std::uint64_t{1} << states.size()) - 1;
        for (; left != 0; left &= left - 1)
            rows[static_cast<std::size_t>(std::countr_zero(left)) * wide + word] |= bit;
    }
}

void list_features(std::span<const std::uint64_t> row, std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::size_t word = 0; word < row.size(); ++word) {
        for (std::uint64_t left = row[word]; left != 0; left &= left - 1)
            out.push_back(
                static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
    }
}

}  // namespace zermelo::learn
