// Players by name: what is read, and what is refused with the list of what there is.

#include "play/player_registry.hpp"

#include <gtest/gtest.h>

namespace zermelo::play {
namespace {

// The complaint about a spec that is wrong.
std::string complaint(const std::string& text) {
    try {
        (void)read_spec(text);
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << text << " was read";
    return {};
}

TEST(PlayerRegistry, PonderingIsSaidOrLeftOpen) {
    EXPECT_EQ(read_spec("uct:ponder=1,threads=2").ponder, true);
    EXPECT_EQ(read_spec("uct:ponder=0").ponder, false);
    EXPECT_EQ(read_spec("uct").ponder, std::nullopt);
    EXPECT_THROW((void)read_spec("uct:ponder=2"), Error);
}

TEST(PlayerRegistry, ReadsANameAlone) {
    const Spec spec = read_spec("alpha-beta");
    EXPECT_EQ(spec.name, "alpha-beta");
    EXPECT_EQ(spec.label, "alpha-beta");
    EXPECT_FALSE(spec.seconds || spec.playouts || spec.threads || spec.memory);
    EXPECT_TRUE(spec.options.empty());
}

TEST(PlayerRegistry, ReadsCommonKeysAndTheOwnOnes) {
    const Spec spec = read_spec("cfr:exploration=0.6,seconds=0.005,playouts=1000,threads=2,memory=64M");
    EXPECT_EQ(spec.name, "cfr");
    EXPECT_EQ(spec.label, spec.text);
    EXPECT_EQ(spec.seconds, 0.005);
    EXPECT_EQ(spec.playouts, 1000U);
    EXPECT_EQ(spec.threads, 2U);
    EXPECT_EQ(spec.memory, std::size_t{64} << 20);
    EXPECT_EQ(spec.options, (std::map<std::string, std::string>{{"exploration", "0.6"}}));
}

TEST(PlayerRegistry, ReadsLabelsFilesAndBytes) {
    const Spec spec = read_spec("perfect:strategy=plans/a=b.bin,label=master,memory=1000");
    EXPECT_EQ(spec.label, "master");
    EXPECT_EQ(spec.options.at("strategy"), "plans/a=b.bin");
    EXPECT_EQ(spec.memory, 1000U);
    EXPECT_EQ(read_spec("random:memory=3K").memory, 3072U);
    EXPECT_EQ(read_spec("random:memory=2G").memory, std::size_t{2} << 30);
}

TEST(PlayerRegistry, ReadsAddresses) {
    const Spec spec = read_spec("http://example.org:9147/");
    EXPECT_TRUE(spec.remote());
    EXPECT_EQ(spec.text, "http://example.org:9147/");
    EXPECT_EQ(spec.label, "example.org:9147");
    EXPECT_TRUE(spec.options.empty());
    EXPECT_FALSE(read_spec("uct").remote());
    EXPECT_NE(complaint("http:///").find("has no address"), std::string::npos);
    EXPECT_NE(complaint("http").find("there is no player http"), std::string::npos);

    const gdl::Game game(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/tic-tac-toe-2x2.kif");
    const GameContext rules(game);
    Shared shared;
    EXPECT_THROW((void)make_player(spec, rules, {}, shared), Error);
}

TEST(PlayerRegistry, RefusesUnknownNamesWithAllThereAre) {
    for (const std::string text : {"fritz", "", ":seconds=1", "Random", "random "}) {
        const std::string said = complaint(text);
        for (const PlayerDescription& player : describe_players())
            EXPECT_NE(said.find(player.name), std::string::npos) << said;
    }
}

TEST(PlayerRegistry, RefusesUnknownKeysWithAllThereAre) {
    for (const std::string text : {"cfr:speed=1", "cfr:exploration", "cfr:", "cfr:seconds=1,", "cfr:=3"}) {
        const std::string said = complaint(text);
        EXPECT_NE(said.find("exploration"), std::string::npos) << said;
        for (const KeyDescription& key : describe_common_keys())
            EXPECT_NE(said.find(key.name), std::string::npos) << said;
    }
    EXPECT_NE(complaint("random:exploration=1").find("playouts"), std::string::npos);
}

TEST(PlayerRegistry, RefusesBadValues) {
    for (const std::string text : {"random:seconds=soon",
                                   "random:seconds=-1",
                                   "random:seconds=nan",
                                   "random:seconds=",
                                   "random:seconds=1s",
                                   "random:playouts=0",
                                   "random:playouts=1.5",
                                   "random:playouts=-3",
                                   "random:threads=0",
                                   "random:threads=99999",
                                   "random:memory=64Q",
                                   "random:memory=M",
                                   "random:memory=99999999999999G",
                                   "random:label=",
                                   "cfr:exploration=2",
                                   "cfr:exploration=0",
                                   "alpha-beta:worlds=0",
                                   "perfect:fallback=fritz",
                                   "perfect:fallback=perfect",
                                   "perfect:strategy="}) {
        EXPECT_NE(complaint(text).find(text), std::string::npos);
    }
}

TEST(PlayerRegistry, MakesEveryPlayer) {
    const gdl::Game game(ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif");
    const GameContext rules(game);
    Shared shared;
    for (const PlayerDescription& each : describe_players()) {
        const auto player = make_player(read_spec(each.name), rules, {}, shared);
        InfoState info(rules);
        info.load(rules.machine().initial());
        const MoveId move = player->choose({.deadline = {}, .playouts = 10});
        EXPECT_NE(std::ranges::find(info.legal(0), move), info.legal(0).end()) << each.name;
    }
}

}  // namespace
}  // namespace zermelo::play
