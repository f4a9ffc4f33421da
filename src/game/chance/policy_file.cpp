#include "game/chance/policy_file.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <sstream>
#include <unordered_map>

#include "core/format/json.hpp"
#include "core/format/json_text.hpp"
#include "game/strategy/file.hpp"
#include "game/strategy/walk-inl.hpp"
#include "game/views/belief_game.hpp"

namespace zermelo::game {

namespace {

using nlohmann::json;
using Claim = ChancePolicy::Claim;

constexpr int policy_file_version = 1;
constexpr std::string_view policy_magic("zpolicy\x1a", 8);
constexpr Claim all_claims[] = {Claim::guarantee, Claim::limit, Claim::equilibrium};

std::vector<bool> walk_owners(const ChancePolicy& policy) {
    if (policy.claim != Claim::equilibrium) return policy.owners;
    return std::vector<bool>(policy.owners.size(), false);
}

std::string halves_text(int twice) { return text(Rational(twice) / 2); }

// --- writing ---

template <Game G>
class NamingVisitor {
public:
    NamingVisitor(G& game, const ChancePolicy& policy) : game_(game), policy_(policy) {}

    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
        at_ = game_.state_name(state);
        if (!policy_.heads.empty()) {
            names_.push_back(at_);
            head_.push_back(false);
        }
        if (policy_.claim == Claim::equilibrium && game_.turn().kind == Turn::Kind::player) take();
        return true;
    }
    std::optional<std::size_t> choose(std::uint32_t) { return take(); }
    bool meet(std::uint32_t, std::size_t, std::uint32_t to, bool on_path) {
        if (!on_path || policy_.heads.empty() || head_[to]) return true;
        head_[to] = true;
        if (next_head_ == policy_.heads.size()) return false;
        circles_ += fmt::format("{}\n{{\"state\": {}, \"value\": \"{}\"}}", circles_.empty() ? "" : ",",
                                quoted_json(names_[to]), text(policy_.heads[next_head_++]));
        return true;
    }
    [[nodiscard]] const std::string& choices() const { return choices_; }
    [[nodiscard]] const std::string& circles() const { return circles_; }

private:
    std::optional<std::size_t> take() {
        if (next_ == policy_.choices.size() || policy_.choices[next_] >= game_.moves()) return std::nullopt;
        const std::size_t choice = policy_.choices[next_++];
        choices_ += fmt::format("{}\n{{\"state\": {}, \"move\": {}}}", choices_.empty() ? "" : ",",
                                quoted_json(at_), quoted_json(game_.move_name(choice)));
        return choice;
    }

    G& game_;
    const ChancePolicy& policy_;
    std::string at_;
    std::vector<std::string> names_;
    std::vector<bool> head_;
    std::size_t next_ = 0;
    std::size_t next_head_ = 0;
    std::string choices_;
    std::string circles_;
};

json header_json(const ChancePolicy& policy) {
    json values = json::array();
    for (const Rational& value : policy.values) values.push_back(text(value));
    return {{"claim", name(policy.claim)},
            {"values", std::move(values)},
            {"exact", policy.exact},
            {"endless", halves_text(policy.twice_endless)}};
}

// --- reading ---

class PolicyReader {
public:
    explicit PolicyReader(const std::string& file)
        : file_{.name = file,
                .what = "policy",
                .not_json = "write the policy again",
                .deepest = 8,
                .remedy = "write the policy again"} {}

    [[nodiscard]] const JsonFile& file() const { return file_; }

    static Rational number(const JsonCursor& cursor) {
        const auto found = read_rational(cursor.text());
        if (!found) throw cursor.wrong("this is not a number");
        return *found;
    }

    ChancePolicy header(const JsonCursor& entry) const {
        ChancePolicy policy;
        const JsonCursor claim = entry.member("claim");
        const std::string word = claim.text();
        const auto* found = std::ranges::find_if(all_claims, [&](Claim one) { return word == name(one); });
        if (found == std::end(all_claims)) throw claim.wrong("this claim is unknown");
        policy.claim = *found;
        const JsonCursor exact = entry.member("exact");
        if (!exact.value().is_boolean()) throw exact.wrong("this is neither true nor false");
        policy.exact = exact.value().get<bool>();
        for (const JsonCursor& value : entry.member("values").elements())
            policy.values.push_back(number(value));
        const JsonCursor endless = entry.member("endless");
        const Rational twice = number(endless) * 2;
        if (denominator(twice) != 1 || twice < 0 || twice > 2 * win)
            throw endless.wrong("endless play cannot pay this");
        policy.twice_endless = static_cast<int>(numerator(twice));
        return policy;
    }

private:
    JsonFile file_;
};

// Walks along what the file says of states, and numbers it.
template <Game G>
class NumberingVisitor {
public:
    NumberingVisitor(G& game, ChancePolicy& policy, std::unordered_map<std::string, std::string> moves,
                     std::unordered_map<std::string, Rational> circles)
        : game_(game), policy_(policy), moves_(std::move(moves)), circles_(std::move(circles)) {}

    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
        const bool equilibrium = policy_.claim == Claim::equilibrium;
        const Turn turn = game_.turn();
        const bool owned = turn.kind == Turn::Kind::player && policy_.owners[turn.player];
        if (owned || !circles_.empty()) at_ = game_.state_name(state);
        if (!circles_.empty()) {
            names_.push_back(at_);
            head_.push_back(false);
        }
        return !equilibrium || !owned || take().has_value();
    }
    std::optional<std::size_t> choose(std::uint32_t) { return take(); }
    bool meet(std::uint32_t, std::size_t, std::uint32_t to, bool on_path) {
        if (!on_path || circles_.empty() || head_[to]) return true;
        head_[to] = true;
        const auto found = circles_.find(names_[to]);
        if (found == circles_.end()) return false;
        policy_.heads.push_back(found->second);
        return true;
    }

private:
    std::optional<std::size_t> take() {
        const auto found = moves_.find(at_);
        if (found == moves_.end()) return std::nullopt;
        std::size_t choice = 0;
        while (choice < game_.moves() && game_.move_name(choice) != found->second) ++choice;
        policy_.choices.push_back(static_cast<std::uint32_t>(choice));
        if (choice == game_.moves()) return std::nullopt;
        return choice;
    }

    G& game_;
    ChancePolicy& policy_;
    std::unordered_map<std::string, std::string> moves_;
    std::unordered_map<std::string, Rational> circles_;
    std::string at_;
    std::vector<std::string> names_;
    std::vector<bool> head_;
};

template <Game G>
ChancePolicy read_policy(const PolicyReader& reader, const JsonCursor& entry, G& game, const Limits& limits) {
    ChancePolicy policy = reader.header(entry);
    std::unordered_map<std::string, Player> players;
    for (std::size_t p = 0; p < game.players(); ++p)
        players.emplace(game.player_name(static_cast<Player>(p)), static_cast<Player>(p));
    const auto player = [&](const JsonCursor& cursor) {
        const auto found = players.find(cursor.text());
        if (found == players.end()) throw cursor.wrong("the game has no such player");
        return found->second;
    };
    policy.player = player(entry.member("player"));
    policy.owners.assign(game.players(), false);
    for (const JsonCursor& owner : entry.member("owners").elements()) policy.owners[player(owner)] = true;
    std::unordered_map<std::string, std::string> moves;
    for (const JsonCursor& choice : entry.member("choices").elements()) {
        if (!moves.emplace(choice.member("state").text(), choice.member("move").text()).second)
            throw choice.wrong("there are two moves for this state");
    }
    std::unordered_map<std::string, Rational> circles;
    for (const JsonCursor& circle : entry.member("circles").elements())
        circles.emplace(circle.member("state").text(), PolicyReader::number(circle.member("value")));
    NumberingVisitor<G> visitor(game, policy, std::move(moves), std::move(circles));
    PlanWalk<G> walk(game, walk_owners(policy), limits);
    if (walk.run(visitor) == PlanWalk<G>::End::limit)
        throw LimitReached(walk.stop(), "while a policy was read", "raise the limit");
    return policy;
}

// --- the compact form ---

std::string compressed_policy(const std::string& bytes) {
    std::string result(ZSTD_compressBound(bytes.size()), '\0');
    constexpr int level = 12;
    const std::size_t size = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size) != 0) throw Error("a policy cannot be compressed", "free some memory");
    result.resize(size);
    return result;
}

// The sizes that a file claims are not trusted: memory grows with what has been read.
std::vector<std::uint8_t> decompressed_policy(std::string_view from, const Error& damaged,
                                              const Limits& limits) {
    const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                            ZSTD_freeDStream);
    std::array<std::uint8_t, 1 << 16> buffer;
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    std::vector<std::uint8_t> result;
    for (bool more = true; more;) {
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while a policy was read", "raise the limit");
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        const std::size_t state = ZSTD_decompressStream(stream.get(), &out, &in);
        if (ZSTD_isError(state) != 0) throw damaged;
        result.insert(result.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(out.pos));
        more = state != 0;
        if (more && out.pos == 0 && in.pos == in.size) throw damaged;
    }
    return result;
}

std::vector<ChancePolicy> decode_policies(const std::string& bytes, const PolicyReader& reader,
                                          std::size_t players, Hash128 rules, const Limits& limits) {
    const std::string& file = reader.file().name;
    const Error damaged({file}, "this policy is damaged", "write it again");
    const auto packed =
        decompressed_policy(std::string_view(bytes).substr(policy_magic.size()), damaged, limits);
    const json document = [&] {
        try {
            return json_from_cbor(packed);
        } catch (const json::exception&) {
            throw damaged;
        }
    }();
    const JsonCursor root(reader.file(), document);
    if (root.member("version").integer() != policy_file_version)
        throw root.member("version").wrong("its version is unknown");
    const auto found = read_hex(root.member("rules").text());
    plan_file::require_rules(file, rules, found.value_or(Hash128{}), root.member("game").text());
    std::vector<ChancePolicy> policies;
    for (const JsonCursor& entry : root.member("policies").elements()) {
        ChancePolicy& policy = policies.emplace_back(reader.header(entry));
        const auto most_player = static_cast<std::int64_t>(players) - 1;
        policy.player = static_cast<Player>(entry.member("player").integer(0, most_player));
        policy.owners.assign(players, false);
        for (const JsonCursor& owner : entry.member("owners").elements())
            policy.owners[static_cast<std::size_t>(owner.integer(0, most_player))] = true;
        for (const JsonCursor& choice : entry.member("choices").elements())
            policy.choices.push_back(static_cast<std::uint32_t>(choice.integer(0, UINT32_MAX)));
        for (const JsonCursor& value : entry.member("circles").elements())
            policy.heads.push_back(PolicyReader::number(value));
    }
    return policies;
}

}  // namespace

bool is_compact_policy(const std::string& bytes) { return bytes.starts_with(policy_magic); }

std::string encode_policies(const PolicyFile& file) {
    json document = {{"version", policy_file_version},
                     {"game", file.game},
                     {"rules", hex(file.rules)},
                     {"policies", json::array()}};
    for (const ChancePolicy& policy : file.policies) {
        json entry = header_json(policy);
        entry["player"] = policy.player;
        entry["owners"] = json::array();
        for (std::size_t p = 0; p < policy.owners.size(); ++p) {
            if (policy.owners[p]) entry["owners"].push_back(p);
        }
        entry["choices"] = policy.choices;
        entry["circles"] = json::array();
        for (const Rational& value : policy.heads) entry["circles"].push_back(text(value));
        document["policies"].push_back(std::move(entry));
    }
    const auto packed = cbor_from_json(document);
    return std::string(policy_magic) + compressed_policy({packed.begin(), packed.end()});
}

template <Game G>
std::string policies_json(G& game, const PolicyFile& file, const Limits& limits) {
    std::string out = fmt::format(
        "{{\n\"format\": \"zermelo-strategy\",\n\"version\": {},\n\"kind\": \"policy\",\n\"game\": "
        "{},\n\"rules\": "
        "\"{}\",\n\"policies\": [",
        policy_file_version, quoted_json(file.game), hex(file.rules));
    for (std::size_t i = 0; i < file.policies.size(); ++i) {
        const ChancePolicy& policy = file.policies[i];
        NamingVisitor<G> visitor(game, policy);
        PlanWalk<G> walk(game, walk_owners(policy), limits);
        if (walk.run(visitor) == PlanWalk<G>::End::limit)
            throw LimitReached(walk.stop(), "while a policy was written", "raise the limit");
        json header = header_json(policy);
        header["player"] = game.player_name(policy.player);
        header["owners"] = json::array();
        for (std::size_t p = 0; p < policy.owners.size(); ++p) {
            if (policy.owners[p]) header["owners"].push_back(game.player_name(static_cast<Player>(p)));
        }
        std::string start = json_text(header);
        start.pop_back();
        out += fmt::format("{}\n{},\n\"choices\": [{}],\n\"circles\": [{}]}}", i == 0 ? "" : ",", start,
                           visitor.choices(), visitor.circles());
    }
    return out + "\n]\n}\n";
}

template <Game G>
std::vector<ChancePolicy> read_policies(const std::string& bytes, const std::string& file, G& game,
                                        Hash128 rules, const Limits& limits) {
    const PolicyReader reader(file);
    if (is_compact_policy(bytes)) return decode_policies(bytes, reader, game.players(), rules, limits);
    const json document = parse_json(bytes, reader.file());
    const JsonCursor root(reader.file(), document);
    if (root.member("version").integer() != policy_file_version)
        throw root.member("version").wrong(
            fmt::format("its version is unknown; version {} can be read", policy_file_version));
    const auto found = read_hex(root.member("rules").text());
    plan_file::require_rules(file, rules, found.value_or(Hash128{}), root.member("game").text());
    std::vector<ChancePolicy> policies;
    for (const JsonCursor& entry : root.member("policies").elements())
        policies.push_back(read_policy(reader, entry, game, limits));
    if (policies.empty()) throw root.wrong("there is no policy in this file");
    return policies;
}

template std::string policies_json(GraphGame&, const PolicyFile&, const Limits&);
template std::string policies_json(ChanceGame&, const PolicyFile&, const Limits&);
template std::string policies_json(ReasonerChanceGame&, const PolicyFile&, const Limits&);
template std::vector<ChancePolicy> read_policies(const std::string&, const std::string&, GraphGame&, Hash128,
                                                 const Limits&);
template std::vector<ChancePolicy> read_policies(const std::string&, const std::string&, ChanceGame&, Hash128,
                                                 const Limits&);
template std::vector<ChancePolicy> read_policies(const std::string&, const std::string&, ReasonerChanceGame&,
                                                 Hash128, const Limits&);

}  // namespace zermelo::game
