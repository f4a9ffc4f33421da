// Checkpoints: what was written comes back, and nothing else is ever believed.

#include "game/explore/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "support/run.hpp"

namespace zermelo::game {
namespace {

const CheckpointSubject subject = {"test", {1, 2}};

std::string checkpoint_complaint(const std::string& file, const CheckpointSubject& asked = subject) {
    try {
        CheckpointReader reader(file, asked);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

void write_bytes(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

void write_numbers(const std::string& file, std::uint64_t count) {
    CheckpointWriter writer(file, subject);
    writer.section("numbers");
    writer.put(count);
    Random random(count);
    for (std::uint64_t i = 0; i < count; ++i) writer.put(random.next());
    writer.commit();
}

TEST(Checkpoint, GivesBackWhatWasWrittenHoweverItIsCut) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("c");
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        std::vector<std::byte> data(random.below(2'000'000));
        const bool noise = random.chance(0.5);
        for (auto& each : data) each = static_cast<std::byte>(noise ? random.next() : 7);
        CheckpointWriter writer(file, subject);
        writer.section("one");
        for (std::span<const std::byte> left = data; !left.empty();) {
            const auto piece = std::min<std::size_t>(left.size(), 1 + random.below(500'000));
            writer.write(left.first(piece));
            left = left.subspan(piece);
        }
        writer.section("two");
        writer.put(42);
        writer.commit();

        CheckpointReader reader(file, subject);
        reader.section("one");
        std::vector<std::byte> back(data.size());
        for (std::span<std::byte> left = back; !left.empty();) {
            const auto piece = std::min<std::size_t>(left.size(), 1 + random.below(500'000));
            reader.read(left.first(piece));
            left = left.subspan(piece);
        }
        ASSERT_EQ(back, data) << "seed " << seed;
        reader.section("two");
        ASSERT_EQ(reader.get<int>(), 42) << "seed " << seed;
        reader.finish();
    }
}

TEST(Checkpoint, AlteredOrCutAnywhereIsRefused) {
    const TemporaryDirectory folder;
    write_numbers(folder.path("good"), 30);
    const std::string good = read_file(folder.path("good"));
    const std::string file = folder.path("bad");
    for (std::size_t i = 0; i < good.size(); ++i) {
        write_bytes(file, good.substr(0, i));
        EXPECT_NE(checkpoint_complaint(file), "") << "cut after " << i << " bytes";
        std::string altered = good;
        altered[i] = static_cast<char>(altered[i] ^ 16);
        write_bytes(file, altered);
        EXPECT_NE(checkpoint_complaint(file), "") << "byte " << i << " altered";
    }
    write_bytes(file, good + "x");
    EXPECT_NE(checkpoint_complaint(file), "");
    write_bytes(file, good);
    EXPECT_EQ(checkpoint_complaint(file), "");
}

TEST(Checkpoint, SaysInOneLineWhyItIsRefused) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("c");
    EXPECT_NE(checkpoint_complaint(file).find("cannot be read: No such file"), std::string::npos)
        << checkpoint_complaint(file);
    folder.write("c", "(role white)\n(role black)\n");
    EXPECT_EQ(checkpoint_complaint(file),
              file + ": this is not a checkpoint; take another file, or remove this one to start anew");
    write_numbers(file, 1000);
    EXPECT_NE(
        checkpoint_complaint(file, {"other", {1, 2}}).find("it holds the work of `test`, not of `other`"),
        std::string::npos);
    EXPECT_NE(checkpoint_complaint(file, {"test", {1, 3}}).find("it belongs to another game"),
              std::string::npos);
    std::string bytes = read_file(file);
    write_bytes(file, bytes.substr(0, bytes.size() / 2));
    EXPECT_NE(checkpoint_complaint(file).find("it was cut short or altered; "), std::string::npos)
        << checkpoint_complaint(file);
    bytes[8] = 9;
    write_bytes(file, bytes);
    EXPECT_NE(checkpoint_complaint(file).find("it has version 9"), std::string::npos)
        << checkpoint_complaint(file);
    EXPECT_EQ(checkpoint_complaint(file).find('\n'), std::string::npos);
    EXPECT_NE(checkpoint_complaint(folder.path("")), "");  // a folder
}

TEST(Checkpoint, AForgedSizeTakesNoMemory) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("c");
    {
        CheckpointWriter writer(file, subject);
        writer.section("numbers");
        writer.put(std::uint64_t{1} << 50);
        writer.put(std::uint64_t{7});
        writer.commit();
    }
    const std::size_t before = peak_bytes();
    CheckpointReader reader(file, subject);
    reader.section("numbers");
    std::vector<std::uint64_t> numbers;
    const auto count = reader.get<std::uint64_t>();
    EXPECT_THROW(reader.append(numbers, count), Error);
    EXPECT_LT(numbers.size(), 1'000'000U);
    EXPECT_LT(peak_bytes() - before, 64'000'000U);
}

TEST(Checkpoint, MustBeReadInItsOrderAndToItsEnd) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("c");
    write_numbers(file, 3);
    {
        CheckpointReader reader(file, subject);
        EXPECT_THROW(reader.section("letters"), Error);
    }
    CheckpointReader reader(file, subject);
    reader.section("numbers");
    std::vector<std::uint64_t> numbers;
    reader.append(numbers, reader.get<std::uint64_t>() - 1);
    EXPECT_THROW(reader.finish(), Error);
}

TEST(Checkpoint, TheOldOneStaysUntilTheNewOneIsComplete) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("c");
    write_numbers(file, 5);
    const std::string old = read_file(file);
    {
        CheckpointWriter abandoned(file, subject);
        abandoned.section("numbers");
    }
    EXPECT_EQ(read_file(file), old);
    write_numbers(file, 6);
    EXPECT_NE(read_file(file), old);
    const auto here = std::filesystem::directory_iterator(std::filesystem::path(file).parent_path());
    EXPECT_EQ(std::distance(begin(here), end(here)), 1);  // nothing is left beside it
    EXPECT_THROW(write_numbers(folder.path("missing/c"), 1), Error);
}

}  // namespace
}  // namespace zermelo::game
