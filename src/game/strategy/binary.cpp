#include "game/strategy/binary.hpp"

#include <zstd.h>

#include <array>
#include <memory>
#include <string_view>

namespace zermelo::game {

namespace {

constexpr std::string_view magic("zplan\x1a\r\n", 8);
constexpr std::uint64_t plan_version = 1;
constexpr std::size_t hash_bytes = 16;
constexpr int compression_level = 12;

void put_number(std::string& out, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
    out += static_cast<char>(number);
}

void put_word(std::string& out, std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(word >> shift);
}

void put_hash(std::string& out, Hash128 hash) {
    put_word(out, hash.low);
    put_word(out, hash.high);
}

std::uint64_t word_at(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i)
        word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

Hash128 hash_at(std::string_view bytes) { return {word_at(bytes), word_at(bytes.substr(8))}; }

Hash128 checksum(std::string_view bytes) {
    Hasher hasher;
    hasher.add(bytes.size());
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) hasher.add(word_at(bytes));
    hasher.add(bytes);
    return hasher.value();
}

std::string compressed(const std::string& bytes) {
    std::string result(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), compression_level);
    if (ZSTD_isError(size) != 0) {
        throw Error(std::string("a plan cannot be compressed: ") + ZSTD_getErrorName(size),
                    "free some memory");
    }
    result.resize(size);
    return result;
}

class Decoder {
public:
    Decoder(std::string_view bytes, const std::string& name, const Limits& limits)
        : rest_(bytes), name_(name), limits_(limits) {}

    PlanFile run() {
        if (!rest_.starts_with(magic)) throw wrong("this is not a plan", "give a .zplan file");
        if (rest_.size() < magic.size() + hash_bytes) throw damaged();
        const std::string_view sum = rest_.substr(rest_.size() - hash_bytes);
        rest_.remove_suffix(hash_bytes);
        if (checksum(rest_) != hash_at(sum)) throw damaged();
        rest_.remove_prefix(magic.size());
        if (number() != plan_version)
            throw wrong("this version of the format is unknown", "version 1 can be read");
        PlanFile file;
        file.rules = hash_at(take(hash_bytes));
        file.game = take(number());
        for (std::uint64_t plans = number(); plans > 0; --plans) file.plans.push_back(plan());
        if (!rest_.empty()) throw damaged();
        return file;
    }

private:
    [[nodiscard]] Error wrong(const std::string& problem, const std::string& remedy) const {
        return Error({name_}, problem, remedy);
    }
    [[nodiscard]] Error damaged() const { return wrong("this plan is damaged", "write it again"); }

    std::string_view take(std::uint64_t size) {
        if (size > rest_.size()) throw damaged();
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::uint64_t number() {
        std::uint64_t result = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1).front());
            result |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return result;
        }
        throw damaged();
    }

    Plan plan() {
        Plan plan;
        const std::uint64_t owner = number();
        const std::uint64_t promise = number();
        const std::uint64_t count = number();
        if (owner > 255 || promise > static_cast<std::uint64_t>(win)) throw damaged();
        plan.owner = static_cast<Player>(owner);
        plan.promise = static_cast<int>(promise);
        read_choices(take(number()), count, plan.choices);
        return plan;
    }

    void read_choices(std::string_view from, std::uint64_t count, std::vector<std::uint32_t>& choices) const {
        const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                                ZSTD_freeDStream);
        std::array<char, 1 << 16> buffer;
        ZSTD_inBuffer in{from.data(), from.size(), 0};
        std::uint64_t choice = 0;
        int shift = 0;
        for (bool more = true; more;) {
            if (const Stop stop = limits_.reached(); stop != Stop::none) {
                throw LimitReached(stop, "while reading a plan", "raise the time or memory limit");
            }
            ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
            const std::size_t state = ZSTD_decompressStream(stream.get(), &out, &in);
            if (ZSTD_isError(state) != 0) throw damaged();
            for (std::size_t i = 0; i < out.pos; ++i) {
                const auto byte = static_cast<unsigned char>(buffer[i]);
                choice |= std::uint64_t{byte & 0x7FU} << shift;
                shift += 7;
                if (byte >= 0x80 && shift < 35) continue;
                if (byte >= 0x80 || choice > UINT32_MAX || choices.size() == count) throw damaged();
                choices.push_back(static_cast<std::uint32_t>(choice));
                choice = 0;
                shift = 0;
            }
            more = state != 0;
            if (more && out.pos == 0 && in.pos == in.size) throw damaged();
        }
        if (shift != 0 || in.pos != in.size || choices.size() != count) throw damaged();
    }

    std::string_view rest_;
    const std::string& name_;
    const Limits& limits_;
};

}  // namespace

std::string encode_plans(const PlanFile& file) {
    std::string out(magic);
    put_number(out, plan_version);
    put_hash(out, file.rules);
    put_number(out, file.game.size());
    out += file.game;
    put_number(out, file.plans.size());
    for (const Plan& plan : file.plans) {
        std::string choices;
        for (const std::uint32_t choice : plan.choices) put_number(choices, choice);
        const std::string small = compressed(choices);
        put_number(out, plan.owner);
        put_number(out, static_cast<std::uint64_t>(plan.promise));
        put_number(out, plan.choices.size());
        put_number(out, small.size());
        out += small;
    }
    put_hash(out, checksum(out));
    return out;
}

bool is_compact_plan(const std::string& bytes) {
    return magic.starts_with(std::string_view(bytes).substr(0, magic.size()));
}

PlanFile decode_plans(const std::string& bytes, const std::string& name, const Limits& limits) {
    return Decoder(bytes, name, limits).run();
}

}  // namespace zermelo::game
