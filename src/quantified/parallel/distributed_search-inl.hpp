// Definitions of distributed_search.hpp.

#pragma once

#include "quantified/parallel/distributed_search.hpp"

#include <limits>

#include "core/deep_stack.hpp"
#include "quantified/parallel/parallel_search.hpp"
#include "strategy/format/binary.hpp"

namespace zermelo::quantified {

template <kernel::Kernel K>
class DividedModel final : public DivisibleSearch {
public:
    DividedModel(const kernel::Program& program, const SolveOptions& options, SharedSearchState& shared)
        : program_(program), partners_(*options.partners), shared_(shared), whole_(options), part_(options) {
        whole_.progress = nullptr;
        whole_.pure_values = false;  // which are not the same wherever a search begins
        whole_.strategy_nodes = std::numeric_limits<std::size_t>::max();  // strategies of parts are needed
        part_.all_first_moves = false;
        part_.seconds_between_progress = 0.02;
        part_.progress = [this, tell = options.progress](const SearchStatistics& now) {
            partners_.exchange();
            if (!tell) return;
            SearchStatistics so_far = statistics_;
            tell(so_far += now);
        };
        for (unsigned i = 0; i < shared.members; ++i)
            orderings_.push_back(std::make_shared<Ordering>(program, part_));
        shared_.outbox.enable(true);
        // A failed position cannot be read: the search handles it by itself.
        for (unsigned i = 0; i < shared.members; ++i) {
            auto kernel = std::make_unique<K>(program, kernel::KernelOptions{options.recompute});
            if (!kernel->propagate()) break;
            kernels_.push_back(std::move(kernel));
        }
        if (!kernels_.empty()) name_ = name_of(*kernels_.front());
    }
    ~DividedModel() override { shared_.outbox.enable(false); }

    [[nodiscard]] Hash128 name() const override { return name_; }

    std::optional<Solved> solve(const Line& line) override {
        if (whole_.all_first_moves && line.empty()) return std::nullopt;  // each of them is a part
        std::vector<Part<K>> parts;
        for (std::size_t i = 0; i < orderings_.size(); ++i)
            parts.push_back({line, nullptr, kernel_of(i), orderings_[i]});
        const Answer answer = solve_in_parallel(program_, part_, shared_, parts);
        statistics_ += answer.statistics;
        if (answer.verdict == Verdict::unknown) return std::nullopt;
        return certified(answer);
    }

    Split split(const Line& line) override {
        Frontier frontier;
        frontier.one_move = true;
        const Answer answer = search(line, frontier);
        if (answer.verdict != Verdict::unknown) return {certified(answer), true, false, false, {}};
        return {{},
                frontier.ours,
                whole_.all_first_moves && line.empty(),
                frontier.enough,
                std::move(frontier.open)};
    }

    Bytes news() override { return shared_.news(); }
    void learn(std::span<const std::byte> news) override { shared_.learn(news); }

    // The answer to the whole, from those to its parts.
    [[nodiscard]] Answer assemble(const Division& division) {
        Frontier frontier;
        frontier.inner.insert(division.inner.begin(), division.inner.end());
        for (const auto& [key, solved] : division.leaves) {
            std::span<const std::byte> rest = solved.certificate;
            Goods::Entry entry;
            entry.key = key;
            entry.known = solved.won ? Goods::Known::won : Goods::Known::lost;
            if (part_.strategy) entry.node = shared_.adopt(strategy::take_strategy(rest));
            frontier.known.insert_or_assign(key, entry);
        }
        Answer answer;
        const auto all = frontier.known.find(name_);
        if (all != frontier.known.end() && !whole_.all_first_moves) {  // nothing was divided
            const bool won = all->second.known == Goods::Known::won;
            answer.verdict = won ? Verdict::won : Verdict::lost;
            answer.strategy = shared_.extract(all->second.node,
                                              won ? model::Quantifier::exists : model::Quantifier::forall);
        } else {
            answer = search({}, frontier);
        }
        if (answer.verdict != (division.won ? Verdict::won : Verdict::lost))
            throw std::logic_error("the parts of a distributed search do not fit together");
        return answer;
    }

    [[nodiscard]] const SearchStatistics& statistics() const { return statistics_; }

private:
    [[nodiscard]] K* kernel_of(std::size_t thread) const {
        return kernels_.empty() ? nullptr : kernels_[thread].get();
    }

    // A hash of the residue before the first move, of the winning condition, and of how parts are named.
    [[nodiscard]] Hash128 name_of(const K& root) const {
        kernel::ResidueReader<K> reader(program_);
        const Hash128 rest = reader.read(root, 0).key;
        Hasher hasher;
        hasher.add(rest);
        const auto add = [&](model::Literal literal) {
            hasher.add(static_cast<std::uint64_t>(literal.variable) << 1 | (literal.positive ? 1U : 0U));
        };
        for (const model::Literal literal : program_.model.win) add(literal);
        for (const model::Block& block : program_.structure.prefix) {
            hasher.add(block.quantifier == model::Quantifier::exists ? 1 : 2);
            if (block.rule) add(*block.rule);
            for (const model::VarId v : block.variables) hasher.add(static_cast<std::uint64_t>(v));
        }
        hasher.add(whole_.goods ? 1 : 0);
        hasher.add(whole_.strategy ? 1 : 0);
        hasher.add(shared_.renamings.size());
        return hasher.value();
    }

    [[nodiscard]] Answer search(const Line& line, Frontier& frontier) {
        frontier.question = name_;
        shared_.prepare();
        Search<K> search(program_, whole_, shared_, {line, &frontier, kernel_of(0), orderings_.front()});
        search.set_peers({&search});
        Answer answer;
        with_deep_stack(program_.moves.size(), [&] { answer = search.run(); });
        statistics_ += answer.statistics;
        if (answer.stop != Stop::none)
            throw LimitReached(answer.stop, "while solving the model", "raise the time or memory limit");
        return answer;
    }

    [[nodiscard]] Solved certified(const Answer& answer) const {
        Solved solved{answer.verdict == Verdict::won, {}};
        if (part_.strategy) put(solved.certificate, answer.strategy);
        return solved;
    }

    const kernel::Program& program_;
    DistributedSearch& partners_;
    SharedSearchState& shared_;
    SolveOptions whole_;
    SolveOptions part_;
    Hash128 name_;
    std::vector<std::unique_ptr<K>> kernels_;           // by thread; none where the start has failed
    std::vector<std::shared_ptr<Ordering>> orderings_;  // by thread
    SearchStatistics statistics_;
};

template <kernel::Kernel K>
Answer solve_distributed(const kernel::Program& program, const SolveOptions& options,
                         SharedSearchState& shared) {
    DividedModel<K> question(program, options, shared);
    Answer answer;
    try {
        const Division division = options.partners->decide(question, options.limits);
        if (options.partners->first()) {
            answer = question.assemble(division);
        } else {
            answer.verdict = division.won ? Verdict::won : Verdict::lost;
        }
    } catch (const LimitReached& limit) {
        answer.stop = limit.stop();
    }
    answer.statistics = question.statistics();
    return answer;
}

}  // namespace zermelo::quantified
