// Pure literals: which literals stand in no clause any more that is still to be satisfied?
//
// As Gent, Giunchiglia, Narizzano, Rowley and Tacchella (2003) watch clauses: each literal has a witness, a clause that it stands
// in and that nothing satisfies yet. Only when a literal that satisfies the witness becomes true is another one looked for.
// Going back makes clauses open again, so witnesses need no repair.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace zermelo::quantified {

class PureLiterals {
public:
    using Lit = std::uint32_t;  // 2 × variable + (1 for negated)

    // `watched`: the literals of the clause whose occurrences matter.
    template <class Watched>
    void add(std::span<const Lit> clause, Watched watched) {
        const auto id = static_cast<std::uint32_t>(starts_.size());
        starts_.push_back(literals_.size());
        literals_.insert(literals_.end(), clause.begin(), clause.end());
        witnessed_.emplace_back();
        for (const Lit l : clause) {
            if (l >= clauses_of_.size()) clauses_of_.resize(l + 1);
            if (watched(l) && clauses_of_[l].empty()) witnessed_.back().push_back(l);
            clauses_of_[l].push_back(id);
        }
    }

    [[nodiscard]] bool occurs(Lit l) const { return l < clauses_of_.size() && !clauses_of_[l].empty(); }

    // `l` has become true. Calls `gone` for each open literal that stands in no open clause any more. All that became true
    // before has to be told first; `value` is 1 for true, -1 for false, 0 for open.
    template <class Value, class Gone>
    void satisfied(Lit l, Value value, Gone gone) {
        if (l >= clauses_of_.size()) return;
        for (const std::uint32_t c : clauses_of_[l]) {
            auto& waiting = witnessed_[c];
            std::size_t kept = 0;
            for (const Lit other : waiting) {
                // Of one that has a value the witness is open again before it is.
                if (value(other) == 0 && moved(other, value)) continue;
                waiting[kept++] = other;
                if (value(other) == 0) gone(other);
            }
            waiting.resize(kept);
        }
    }

private:
    [[nodiscard]] std::span<const Lit> clause(std::uint32_t c) const {
        const std::size_t end = c + 1 < starts_.size() ? starts_[c + 1] : literals_.size();
        return std::span(literals_).subspan(starts_[c], end - starts_[c]);
    }

    // To an open clause, if there is one.
    template <class Value>
    bool moved(Lit l, Value value) {
        for (const std::uint32_t c : clauses_of_[l]) {
            if (std::ranges::any_of(clause(c), [&](Lit other) { return value(other) > 0; })) continue;
            witnessed_[c].push_back(l);
            return true;
        }
        return false;
    }

    std::vector<Lit> literals_;
    std::vector<std::size_t> starts_;                     // by clause: its first literal
    std::vector<std::vector<std::uint32_t>> clauses_of_;  // by literal
    std::vector<std::vector<Lit>> witnessed_;             // by clause: the literals that it is a witness of
};

}  // namespace zermelo::quantified
