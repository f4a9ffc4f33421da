// Symmetries of quantified models: how many there are, what breaks them, and that the image of a play is
// worth what the play is worth, evaluated by brute force.

#include "symmetry/model_symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/random.hpp"
#include "model/builder.hpp"
#include "model/holds.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/shipped_model.hpp"

namespace zermelo::symmetry {
namespace {

constexpr std::size_t enough = 10'000;

std::vector<ModelSymmetry> all_symmetries(const model::Model& model, std::size_t most = enough,
                                          Exchange exchange = Exchange::sets) {
    return symmetries(model, analyse(model), most, {}, exchange);
}
std::size_t group_size(const model::Model& model) { return all_symmetries(model).size() + 1; }
std::size_t group_size(const model::ModelBuilder& game) { return group_size(game.build()); }

model::Model connect_four_model(int columns, int rows, bool half) {
    return shipped_model("quantified/connect-four",
                         {"columns=" + std::to_string(columns), "rows=" + std::to_string(rows),
                          std::string("half=") + (half ? "true" : "false")});
}

// The first `moves` moves of Tic-tac-toe: who has three in a line first has won. A play that ends without a
// line is lost for ∃. Everything is said about single values, so that the board can be turned.
model::ModelBuilder tic_tac_toe(int moves, const std::vector<int>& forbidden_openings = {}) {
    const std::vector<std::vector<int>> lines{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7},
                                              {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}};
    model::ModelBuilder game("tic-tac-toe");
    model::IntExprs played;
    const auto marked_by = [&](std::size_t player, int cell) {
        model::BoolExprs any;
        for (std::size_t t = player; t < played.size(); t += 2) any.push_back(played[t] == cell);
        return model::any_of(any);
    };
    const auto has_line = [&](std::size_t player) {
        model::BoolExprs any;
        for (const auto& line : lines) {
            any.push_back(model::all_of(
                {marked_by(player, line[0]), marked_by(player, line[1]), marked_by(player, line[2])}));
        }
        return model::any_of(any);
    };
    for (int t = 0; t < moves; ++t) {
        const bool ours = t % 2 == 0;
        model::BoolExprs legal;
        if (t > 0) legal.push_back(!has_line(ours ? 1 : 0));
        const model::IntExprs before = played;
        const std::string name = "move" + std::to_string(t + 1);
        played.push_back(ours ? game.exists(name, 1, 9) : game.forall(name, 1, 9));
        for (const model::IntExpr& earlier : before) {
            for (int cell = 1; cell <= 9; ++cell)
                legal.push_back(!(earlier == cell && played.back() == cell));
        }
        if (t == 0) {
            for (const int cell : forbidden_openings) legal.push_back(played.back() != cell);
        }
        game.rule(model::all_of(legal));
    }
    game.win(has_line(0));
    return game;
}

Play image(const ModelSymmetry& symmetry, const Play& play) {
    Play result(play.size());
    for (std::size_t v = 0; v < play.size(); ++v) {
        const auto variable = static_cast<model::VarId>(v);
        result[static_cast<std::size_t>(symmetry.image(variable))] = symmetry.image(variable, play[v]);
    }
    return result;
}

ModelSymmetry composed(const ModelSymmetry& first, const ModelSymmetry& then, const model::Model& model) {
    ModelSymmetry result;
    for (const model::VarId v : first.variable) result.variable.push_back(then.image(v));
    for (const int c : first.constraint)
        result.constraint.push_back(then.constraint[static_cast<std::size_t>(c)]);
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        const auto variable = static_cast<model::VarId>(v);
        if (!first.values.contains(variable) && !then.values.contains(first.image(variable))) continue;
        std::map<model::Value, model::Value> values;
        bool changed = false;
        model.domain(variable).each([&](model::Value value) {
            values[value] = then.image(first.image(variable), first.image(variable, value));
            changed = changed || values[value] != value;
        });
        if (changed) result.values[variable] = values;
    }
    return result;
}

// What a symmetry does to the variables that somebody chooses.
using Action = std::vector<std::pair<model::VarId, std::vector<model::Value>>>;

Action action_of(const ModelSymmetry& symmetry, const model::Model& model) {
    const model::Structure structure = analyse(model);
    Action result;
    const auto add = [&](model::VarId v) {
        result.push_back({symmetry.image(v), {}});
        model.domain(v).each(
            [&](model::Value value) { result.back().second.push_back(symmetry.image(v, value)); });
    };
    for (const model::Block& block : structure.prefix) {
        for (const model::VarId v : block.variables) add(v);
    }
    for (const model::VarId v : structure.state) add(v);
    return result;
}

Action identity_of(const model::Model& model) {
    ModelSymmetry identity;
    for (std::size_t v = 0; v < model.variables.size(); ++v)
        identity.variable.push_back(static_cast<model::VarId>(v));
    return action_of(identity, model);
}

// On random values of all variables, auxiliary ones too, a constraint says what its image says of the image.
void expect_constraints_follow(const model::Model& model, const ModelSymmetry& symmetry, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
        Play play;
        for (const model::Variable& variable : model.variables) {
            const auto values = variable.domain.values();
            play.push_back(values[random.below(values.size())]);
        }
        const Play mirrored = image(symmetry, play);
        for (std::size_t c = 0; c < model.constraints.size(); ++c) {
            const auto to = static_cast<std::size_t>(symmetry.constraint[c]);
            ASSERT_EQ(std::visit(Holds{play}, model.constraints[c].body),
                      std::visit(Holds{mirrored}, model.constraints[to].body))
                << "constraint " << c << ", seed " << seed;
        }
    }
}

// The verdict after the first moves of `play`, by brute force.
bool won_after(model::Source source, const Play& play, std::size_t blocks) {
    for (std::size_t b = 0; b < blocks; ++b) {
        for (const model::VarId v : source.blocks[b].variables) {
            const auto i = static_cast<std::size_t>(v);
            source.variables[i].domain = model::Domain{play[i]};
        }
    }
    return oracle::won(source);
}

// Random plays and their images have the same verdict after every block.
void expect_verdicts_follow(const model::Source& source, const ModelSymmetry& symmetry, std::uint64_t seed,
                            int plays = 12) {
    Random random(seed);
    for (int i = 0; i < plays; ++i) {
        Play play(symmetry.variable.size(), 0);
        for (std::size_t v = 0; v < source.variables.size(); ++v) {
            const auto values = source.variables[v].domain.values();
            play[v] = values[random.below(values.size())];
        }
        const Play mirrored = image(symmetry, play);
        for (std::size_t b = 0; b <= source.blocks.size(); ++b) {
            ASSERT_EQ(won_after(source, play, b), won_after(source, mirrored, b))
                << "after " << b << " blocks, seed " << seed;
        }
    }
}

void expect_group(const model::Model& model, const std::vector<ModelSymmetry>& all) {
    std::set<Action> actions{identity_of(model)};
    for (const ModelSymmetry& s : all) EXPECT_TRUE(actions.insert(action_of(s, model)).second);
    for (const ModelSymmetry& a : all) {
        for (const ModelSymmetry& b : all) {
            ASSERT_TRUE(actions.contains(action_of(composed(a, b, model), model)));
        }
    }
}

TEST(ModelSymmetries, ConnectFourHasItsMirror) {
    for (const auto& [columns, rows] : {std::pair{4, 4}, std::pair{5, 4}}) {
        const model::Model model = connect_four_model(columns, rows, false);
        const auto found = all_symmetries(model);
        ASSERT_EQ(found.size(), 1U);
        for (const model::Block& block : model.prefix) {
            const model::VarId move = block.variables.front();
            EXPECT_EQ(found[0].image(move), move);
            for (model::Value c = 1; c <= columns; ++c) EXPECT_EQ(found[0].image(move, c), columns + 1 - c);
        }
        expect_constraints_follow(model, found[0], 1);
    }
}

TEST(ModelSymmetries, ConnectFourWithTheFirstDiscOnTheRightHasNone) {
    EXPECT_EQ(group_size(connect_four_model(4, 4, true)), 1U);
}

TEST(ModelSymmetries, TicTacToeHasTheEightOfTheSquare) {
    const model::ModelBuilder game = tic_tac_toe(5);
    const model::Model model = game.build();
    const auto found = all_symmetries(model);
    ASSERT_EQ(found.size(), 7U);
    expect_group(model, found);
    for (const ModelSymmetry& s : found) {
        EXPECT_EQ(s.image(0, 5), 5);  // the centre stays
        expect_constraints_follow(model, s, 1);
    }
}

TEST(ModelSymmetries, ARuleAboutTheFirstMoveLeavesWhatItLeaves) {
    EXPECT_EQ(group_size(tic_tac_toe(4, {1})), 2U);  // the mirror in a diagonal
    EXPECT_EQ(group_size(tic_tac_toe(4, {1, 2})), 1U);
    EXPECT_EQ(group_size(tic_tac_toe(4, {2, 8})), 4U);
    EXPECT_EQ(group_size(tic_tac_toe(4, {5})), 8U);
}

TEST(ModelSymmetries, TokensAndTheirPlacesAreExchanged) {
    // Three tokens on different places of four, then the opponent hits one place: 3! renamings of the tokens,
    // and 4! of the places.
    model::ModelBuilder game("tokens");
    const model::IntExprs token = game.exists("token", 3, 1, 4);
    const model::IntExpr hit = game.forall("hit", 1, 4);
    game.require(model::all_different(token));
    model::BoolExprs hits;
    for (const model::IntExpr& t : token) {
        for (int place = 1; place <= 4; ++place) hits.push_back(t == place && hit == place);
    }
    game.win(!model::any_of(hits));
    const model::Model model = game.build();
    const auto found = all_symmetries(model);
    EXPECT_EQ(found.size() + 1, 6U * 24U);
    expect_group(model, found);
    for (std::size_t i = 0; i < found.size(); i += 17) {
        expect_constraints_follow(model, found[i], i + 1);
        expect_verdicts_follow(game.source(), found[i], i + 1, 3);
    }
}

TEST(ModelSymmetries, BlocksAreNotMixed) {
    const auto game = [](bool one_block) {
        model::ModelBuilder made;
        const model::IntExpr x = made.exists("x", 0, 2);
        const model::IntExpr y = one_block ? made.also("y", 0, 2) : made.exists("y", 0, 2);
        made.win(x * y == 2);
        return made;
    };
    EXPECT_EQ(group_size(game(true)), 2U);
    EXPECT_EQ(group_size(game(false)), 1U);
}

// Two moves of one block that are alike unless something is said of one alone.
template <class Say>
std::size_t pair_with(Say say) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 4);
    const model::IntExpr y = game.also("y", 1, 4);
    const model::IntExpr z = game.forall("z", 1, 3);
    game.win(x + y >= z || x * y == z);
    say(game, x, y, z);
    return group_size(game);
}

TEST(ModelSymmetries, WhatIsSaidOfOneVariableAloneBreaksThem) {
    using B = model::ModelBuilder;
    using E = model::IntExpr;
    EXPECT_EQ(pair_with([](B&, const E&, const E&, const E&) {}), 2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.win(x + y != 3); }), 2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.win(x + 2 * y != 3); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E&, const E&) { g.win(x != 3); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.win(x != 3 && y != 3); }), 2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.win(x != 3 && y != 2); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.win(x != 3 || !(y != 3)); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E&, const E&) {
                  g.win(member(x, model::Domain{1, 3}));
              }),
              1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) { g.win(min(x, y) <= z); }), 2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) { g.win(x / y <= z); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) {
                  g.win(element({z, x, y}, z) > 0);
              }),
              1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) {
                  g.win(model::count({x, y, z}, 2) <= 2);
              }),
              2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) {
                  g.win(model::table({x, y}, {{1, 2}, {3, 4}}));
              }),
              1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.maximise(x + y); }), 2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E&) { g.maximise(x - y); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) { g.cut({x + y > 2}, z <= x + y); }),
              2U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E&, const E& z) { g.cut({z > 1}, x > z); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E&, const E& z) { g.cut({x > z}, z > 1); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E&, const E& z) { g.rule(x + z > 2); }), 1U);
    EXPECT_EQ(pair_with([](B& g, const E& x, const E& y, const E& z) { g.rule(x + z > 2 && y + z > 2); }),
              2U);
}

// Two integers x and y and two Booleans p and q of one block; x belongs to p as y belongs to q. u and w are
// chosen before them. Without more, x and p change places with y and q.
struct Twins {
    model::Model model;
    model::VarId x = model.add_variable("x", model::Domain(1, 4));
    model::VarId y = model.add_variable("y", model::Domain(1, 4));
    model::VarId p = model.add_variable("p", model::Domain(0, 1), true);
    model::VarId q = model.add_variable("q", model::Domain(0, 1), true);
    model::VarId u = model.add_variable("u", model::Domain(0, 9));
    model::VarId w = model.add_variable("w", model::Domain(0, 1), true);

    Twins() {
        model.prefix = {{model::Quantifier::forall, {u}, std::nullopt},
                        {model::Quantifier::forall, {w}, std::nullopt},
                        {model::Quantifier::exists, {x, y, p, q}, std::nullopt}};
        add(model::Linear{{{1, x}, {3, p}}, model::Relation::at_most, 5, std::nullopt});
        add(model::Linear{{{1, y}, {3, q}}, model::Relation::at_most, 5, std::nullopt});
    }
    void add(decltype(model::Constraint::body) body) { model.constraints.push_back({std::move(body)}); }
};

// How many symmetries the twins have when `body` says something of the first and of the second.
template <class Body>
std::size_t twins_with(Body body) {
    Twins twins;
    twins.add(body(twins, twins.x, model::Literal{twins.p}, true));
    twins.add(body(twins, twins.y, model::Literal{twins.q}, false));
    return group_size(twins.model);
}

TEST(ModelSymmetries, TwoConstraintsThatDifferInOneThingAreNotExchanged) {
    using T = const Twins;
    const auto linear = [](model::Value factor, model::Relation relation, model::Value constant) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return first ? model::Linear{{{2, v}, {1, t.u}}, model::Relation::equal, 7, std::nullopt}
                         : model::Linear{{{factor, v}, {1, t.u}}, relation, constant, std::nullopt};
        };
    };
    const auto reified = [](bool same) {
        return [=](T& t, model::VarId v, model::Literal l, bool first) {
            return model::Linear{{{2, v}, {1, t.u}}, model::Relation::equal, 7, same || first ? l : !l};
        };
    };
    EXPECT_EQ(twins_with(linear(2, model::Relation::equal, 7)), 2U);
    EXPECT_EQ(twins_with(linear(3, model::Relation::equal, 7)), 1U);
    EXPECT_EQ(twins_with(linear(2, model::Relation::different, 7)), 1U);
    EXPECT_EQ(twins_with(linear(2, model::Relation::at_most, 7)), 1U);
    EXPECT_EQ(twins_with(linear(2, model::Relation::equal, 8)), 1U);
    EXPECT_EQ(twins_with(reified(true)), 2U);
    EXPECT_EQ(twins_with(reified(false)), 1U);

    const auto clause = [](bool same) {
        return [=](T& t, model::VarId, model::Literal l, bool first) {
            return model::Clause{{same || first ? l : !l, model::Literal{t.w}}, std::nullopt};
        };
    };
    const auto parity = [](bool same) {
        return [=](T& t, model::VarId, model::Literal l, bool first) {
            return model::Parity{{l, model::Literal{t.w, same || first}, model::Literal{t.u}}};
        };
    };
    const auto member = [](const model::Domain& other) {
        return [=](T&, model::VarId v, model::Literal, bool first) {
            return model::Member{v, first ? model::Domain{1, 3} : other, std::nullopt};
        };
    };
    const auto element = [](bool same) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return model::Element{t.u, same || first ? std::vector{t.w, v} : std::vector{v, t.w}, t.u};
        };
    };
    const auto arithmetic = [](model::Operation other) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return model::Arithmetic{first ? model::Operation::divide : other, t.u, v, t.u};
        };
    };
    const auto extremum = [](bool same) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return model::Extremum{same || first, {v, t.u}, t.u};
        };
    };
    const auto table = [](const std::vector<model::Value>& other) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return model::Table{
                {v, t.u}, first ? std::vector<model::Value>{1, 2, 3, 4} : other, std::nullopt};
        };
    };
    const auto count = [](bool same) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return same || first ? zermelo::model::Count{{v, t.u}, t.u, t.w}
                                 : zermelo::model::Count{{v, v, t.u}, t.u, t.w};
        };
    };
    const auto global = [](const std::string& other) {
        return [=](T& t, model::VarId v, model::Literal, bool first) {
            return model::Global{first ? "zermelo_lex_less" : other, {{v}, {t.u}}};
        };
    };
    EXPECT_EQ(twins_with(clause(true)), 2U);
    EXPECT_EQ(twins_with(clause(false)), 1U);
    EXPECT_EQ(twins_with(parity(true)), 2U);
    EXPECT_EQ(twins_with(parity(false)), 1U);
    EXPECT_EQ(twins_with(member(model::Domain{1, 3})), 2U);
    EXPECT_EQ(twins_with(member(model::Domain{1, 2})), 1U);
    EXPECT_EQ(twins_with(element(true)), 2U);
    EXPECT_EQ(twins_with(element(false)), 1U);
    EXPECT_EQ(twins_with(arithmetic(model::Operation::divide)), 2U);
    EXPECT_EQ(twins_with(arithmetic(model::Operation::modulo)), 1U);
    EXPECT_EQ(twins_with(extremum(true)), 2U);
    EXPECT_EQ(twins_with(extremum(false)), 1U);
    EXPECT_EQ(twins_with(table({3, 4, 1, 2})), 2U);
    EXPECT_EQ(twins_with(table({1, 2, 3, 5})), 1U);
    EXPECT_EQ(twins_with(count(true)), 2U);
    EXPECT_EQ(twins_with(count(false)), 1U);
    EXPECT_EQ(twins_with(global("zermelo_lex_less")), 2U);
    EXPECT_EQ(twins_with(global("zermelo_lex_lesseq")), 1U);
}

TEST(ModelSymmetries, WhatDecidesThePlayIsKept) {
    const auto with = [](auto say) {
        Twins twins;
        say(twins.model, twins, model::Literal{twins.p}, model::Literal{twins.q});
        return group_size(twins.model);
    };
    EXPECT_EQ(with([](model::Model&, Twins&, model::Literal, model::Literal) {}), 2U);
    EXPECT_EQ(with([](model::Model& m, Twins&, model::Literal p, model::Literal q) { m.win = {p, q}; }), 2U);
    EXPECT_EQ(with([](model::Model& m, Twins&, model::Literal p, model::Literal q) { m.win = {p, !q}; }), 1U);
    EXPECT_EQ(with([](model::Model& m, Twins&, model::Literal p, model::Literal) { m.win = {p}; }), 1U);
    EXPECT_EQ(with([](model::Model& m, Twins&, model::Literal p, model::Literal) { m.prefix[2].rule = p; }),
              1U);
    EXPECT_EQ(with([](model::Model& m, Twins& t, model::Literal, model::Literal) { m.objective = t.x; }), 1U);
    EXPECT_EQ(with([](model::Model& m, Twins& t, model::Literal p, model::Literal q) {
                  m.cuts = {{{p, q}, {t.w}}};
              }),
              2U);
    EXPECT_EQ(with([](model::Model& m, Twins& t, model::Literal p, model::Literal) {
                  m.cuts = {{{p}, {t.w}}};
              }),
              1U);
    EXPECT_EQ(with([](model::Model& m, Twins& t, model::Literal p, model::Literal q) {
                  m.cuts = {{{{t.w}}, p}, {{{t.w}}, q}};
              }),
              2U);
    EXPECT_EQ(with([](model::Model& m, Twins& t, model::Literal p, model::Literal) {
                  m.cuts = {{{{t.w}}, p}};
              }),
              1U);
    EXPECT_EQ(with([](model::Model& m, Twins&, model::Literal p, model::Literal q) {
                  m.cuts = {{{p}, q}};
              }),
              1U);
}

TEST(ModelSymmetries, AGameOfRisingNumbersHasNone) {
    model::ModelBuilder game("nim");
    const model::IntExpr x = game.exists("x", 1, 4);
    const model::IntExpr y = game.forall("y", 1, 4);
    game.rule(y <= 2 * x && x + y <= 5);
    game.win(false);
    EXPECT_EQ(group_size(game), 1U);
}

TEST(ModelSymmetries, SmallAndGreatChangePlacesWhereOnlyBoundsAreAsked) {
    // ∃ x ∀ y: not both small, and not both great.
    model::Model model;
    const model::VarId x = model.add_variable("x", model::Domain(1, 4));
    const model::VarId y = model.add_variable("y", model::Domain(1, 4));
    model.prefix = {{model::Quantifier::exists, {x}, std::nullopt},
                    {model::Quantifier::forall, {y}, std::nullopt}};
    const auto reified = [&](model::VarId v, model::Value coefficient, model::Value constant) {
        const model::VarId b = model.add_variable("b", model::Domain(0, 1), true);
        model.constraints.push_back(
            {model::Linear{{{coefficient, v}}, model::Relation::at_most, constant, model::Literal{b}},
             {},
             b});
        return model::Literal{b};
    };
    for (const auto& [coefficient, constant] : {std::pair{1, 1}, std::pair{-1, -4}}) {
        const model::Literal of_x = reified(x, coefficient, constant);
        const model::Literal of_y = reified(y, coefficient, constant);
        model.constraints.push_back({model::Clause{{!of_x, !of_y}, std::nullopt}});
    }
    const auto found = all_symmetries(model);
    ASSERT_EQ(found.size(), 1U);  // 1 with 4 in both; nothing tells 2 from 3
    expect_group(model, found);
    for (const ModelSymmetry& s : found) {
        EXPECT_EQ(s.image(x, 1), s.image(y, 1));
        EXPECT_EQ(s.image(x, 1) + s.image(x, 4), 5);
        expect_constraints_follow(model, s, 1);
    }
}

TEST(ModelSymmetries, AnArrayOfConstantsIsReadThroughItsIndex) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 5);
    const model::IntExpr y = game.forall("y", 0, 3);
    game.win(element(std::vector<model::Value>{0, 2, 0, 2, 1}, x) + y <= 3);
    const model::Model model = game.build();
    const auto found = all_symmetries(model);
    EXPECT_EQ(found.size() + 1, 4U);  // 1 and 3 select the same, and so do 2 and 4
    for (const ModelSymmetry& s : found) {
        EXPECT_EQ(s.image(0, 5), 5);
        expect_constraints_follow(model, s, 1);
        expect_verdicts_follow(game.source(), s, 1);
    }
}

// Two moves, x of 1..3 and y of 2..4, each value of which is asked for by name. `tie` says what they have to
// do with each other.
template <class Tie>
std::vector<ModelSymmetry> tied(Tie tie, Exchange exchange) {
    model::Model model;
    const model::VarId x = model.add_variable("x", model::Domain(1, 3));
    const model::VarId y = model.add_variable("y", model::Domain(2, 4));
    model.prefix = {{model::Quantifier::exists, {x}, std::nullopt},
                    {model::Quantifier::forall, {y}, std::nullopt}};
    for (const model::VarId v : {x, y}) {
        model::Clause any;
        model.domain(v).each([&](model::Value value) {
            const model::VarId b = model.add_variable("b", model::Domain(0, 1), true);
            model.constraints.push_back(
                {model::Linear{{{1, v}}, model::Relation::equal, value, model::Literal{b}}, {}, b});
            any.literals.push_back({b});
        });
        model.constraints.push_back({any});
    }
    model.constraints.push_back({tie(model, x, y)});
    const auto found = all_symmetries(model, enough, exchange);
    expect_group(model, found);
    for (const ModelSymmetry& s : found) expect_constraints_follow(model, s, 1);
    return found;
}

TEST(ModelSymmetries, DifferentVariablesExchangeTheirCommonValuesTogether) {
    const auto different = [](model::Model&, model::VarId x, model::VarId y) {
        return model::AllDifferent{{x, y}};
    };
    const auto found = tied(different, Exchange::sets);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].values, (std::map<model::VarId, std::map<model::Value, model::Value>>{
                                   {0, {{1, 1}, {2, 3}, {3, 2}}}, {1, {{2, 3}, {3, 2}, {4, 4}}}}));
}

TEST(ModelSymmetries, SumsOfTwoExchangeTheValuesThatBelongTogether) {
    const auto follows = [](model::Model&, model::VarId x, model::VarId y) {
        return model::Linear{{{1, x}, {-1, y}}, model::Relation::equal, -1, std::nullopt};
    };
    const auto differs = [](model::Model&, model::VarId x, model::VarId y) {
        return model::Linear{{{1, x}, {-1, y}}, model::Relation::different, 0, std::nullopt};
    };
    EXPECT_TRUE(tied(follows, Exchange::sets).empty());
    EXPECT_EQ(tied(follows, Exchange::pairs).size(), 5U);  // 1, 2, 3 in all orders, and 2, 3, 4 with them
    EXPECT_TRUE(tied(differs, Exchange::sets).empty());
    EXPECT_EQ(tied(differs, Exchange::pairs).size(), 1U);
}

TEST(ModelSymmetries, WhatAnArraySelectsKeepsItsValues) {
    const auto select = [](model::Model& m, model::VarId x, model::VarId y) {
        return model::Element{x, {m.constant(2), m.constant(3), m.constant(3)}, y};
    };
    const auto select_variable = [](model::Model& m, model::VarId x, model::VarId y) {
        const model::VarId z = m.add_variable("z", model::Domain(2, 4));
        m.prefix.push_back({model::Quantifier::forall, {z}, std::nullopt});
        return model::Element{x, {m.constant(4), z, z}, y};
    };
    for (const Exchange exchange : {Exchange::sets, Exchange::pairs}) {
        const auto found = tied(select, exchange);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(
            found[0].values,
            (std::map<model::VarId, std::map<model::Value, model::Value>>{{0, {{1, 1}, {2, 3}, {3, 2}}}}));
    }
    EXPECT_TRUE(tied(select_variable, Exchange::sets).empty());
    EXPECT_EQ(tied(select_variable, Exchange::pairs).size(), 1U);
}

TEST(ModelSymmetries, TheStrategicGamesHaveThoseOfTheirBoards) {
    const auto size = [](const model::Model& model, Exchange exchange) {
        const auto found = all_symmetries(model, enough, exchange);
        for (const ModelSymmetry& s : found) expect_constraints_follow(model, s, 1);
        return found.size() + 1;
    };
    EXPECT_EQ(size(shipped_model("strategic/tic-tac-toe-1"), Exchange::pairs), 8U);
    EXPECT_EQ(size(shipped_model("strategic/tic-tac-toe-2"), Exchange::pairs), 8U);
    EXPECT_EQ(size(shipped_model("strategic/connect-four", {"size=4", "aligned=3"}), Exchange::pairs), 2U);
}

TEST(ModelSymmetries, ValuesThatNothingTellsApartAreNotExchanged) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 6);
    const model::IntExpr y = game.also("y", 1, 6);
    const model::IntExpr unused = game.forall("unused", 1, 6);
    const model::IntExpr unused_too = game.also("unused too", 1, 6);
    game.win(x == 1 || y == 1);
    const auto found = all_symmetries(game.build());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].image(0), 1);
    EXPECT_EQ(found[0].image(2), 2);
    EXPECT_TRUE(found[0].values.empty());
}

TEST(ModelSymmetries, ExchangingOnlyAuxiliaryVariablesIsNone) {
    model::Model model;
    const model::VarId x = model.add_variable("x", model::Domain(0, 5));
    const model::VarId a = model.add_variable("a", model::Domain(0, 5));
    const model::VarId b = model.add_variable("b", model::Domain(0, 5));
    model.prefix = {{model::Quantifier::exists, {x}, std::nullopt}};
    model.constraints.push_back(
        {model::Linear{{{1, x}, {-1, a}}, model::Relation::equal, 0, std::nullopt}, {}, a});
    model.constraints.push_back(
        {model::Linear{{{1, x}, {-1, b}}, model::Relation::equal, 0, std::nullopt}, {}, b});
    model.constraints.push_back({model::Linear{{{1, a}, {1, b}}, model::Relation::at_most, 5, std::nullopt}});
    EXPECT_EQ(group_size(model), 1U);
}

// A strategic model with two state variables that one move each pins down.
model::Model pinned_states(model::Value second_constant, bool declared_as_state = true) {
    model::Model model;
    model.strategic = true;
    const model::VarId x = model.add_variable("x", model::Domain(1, 3));
    const model::VarId s = model.add_variable("s", model::Domain(1, 3));
    const model::VarId t = model.add_variable("t", model::Domain(1, 3));
    model.prefix = {{model::Quantifier::forall, {x}, std::nullopt}};
    model.state = declared_as_state ? std::vector<model::VarId>{s, t} : std::vector<model::VarId>{s};
    model.constraints.push_back({model::Linear{{{1, x}, {1, s}}, model::Relation::at_most, 4, std::nullopt}});
    model.constraints.push_back(
        {model::Linear{{{1, x}, {1, t}}, model::Relation::at_most, second_constant, std::nullopt}});
    return model;
}

TEST(ModelSymmetries, StateVariablesAreExchangedWithEachOther) {
    const auto found = all_symmetries(pinned_states(4));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].variable, (std::vector<model::VarId>{0, 2, 1}));
    EXPECT_EQ(found[0].constraint, (std::vector<int>{1, 0}));
    EXPECT_EQ(group_size(pinned_states(4, false)), 2U);  // what is free is state as well
    EXPECT_EQ(group_size(pinned_states(5)), 1U);
}

TEST(ModelSymmetries, ConstraintsThatActAtDifferentTimesAreNotExchanged) {
    const auto model = [](bool same_time) {
        model::Model made;
        made.strategic = true;
        const model::VarId x = made.add_variable("x", model::Domain(1, 3));
        const model::VarId y = made.add_variable("y", model::Domain(1, 3));
        const model::VarId s = made.add_variable("s", model::Domain(1, 3));
        const model::VarId t = made.add_variable("t", model::Domain(1, 3));
        if (same_time) {
            made.prefix = {{model::Quantifier::forall, {x, y}, std::nullopt}};
        } else {
            made.prefix = {{model::Quantifier::forall, {x}, std::nullopt},
                           {model::Quantifier::forall, {y}, std::nullopt}};
        }
        made.state = {s, t};
        made.constraints.push_back(
            {model::Linear{{{1, x}, {1, s}}, model::Relation::at_most, 4, std::nullopt}});
        made.constraints.push_back(
            {model::Linear{{{1, y}, {1, t}}, model::Relation::at_most, 4, std::nullopt}});
        return made;
    };
    EXPECT_EQ(group_size(model(true)), 2U);
    EXPECT_EQ(group_size(model(false)), 1U);
}

TEST(ModelSymmetries, AreNoMoreThanAskedForAndTheSameEachTime) {
    const model::Model model = tic_tac_toe(3).build();
    const auto all = all_symmetries(model);
    ASSERT_EQ(all.size(), 7U);
    for (std::size_t most = 0; most <= 9; ++most) {
        const auto some = all_symmetries(model, most);
        ASSERT_EQ(some.size(), std::min<std::size_t>(most, 7));
        for (std::size_t i = 0; i < some.size(); ++i) {
            EXPECT_EQ(some[i].variable, all[i].variable);
            EXPECT_EQ(some[i].constraint, all[i].constraint);
            EXPECT_EQ(some[i].values, all[i].values);
        }
    }
}

TEST(ModelSymmetries, ThereAreNoneWhenTheTimeIsOver) {
    const Limits over(0.0, std::nullopt);
    while (over.reached() == Stop::none) {
    }
    const model::Model model = tic_tac_toe(3).build();
    EXPECT_TRUE(symmetries(model, analyse(model), enough, over).empty());
}

// A random game that a random symmetry leaves as it is: what it says about single values it says about their
// images, too.
class SymmetricGame {
public:
    SymmetricGame(std::uint64_t seed, bool compares) : compares_(compares), random_(seed) {
        const auto blocks = 2 + random_.below(2);
        for (std::uint64_t b = 0; b < blocks; ++b) add_block(b);
        if (random_.chance(0.5)) game.rule(clauses(1));
        game.win(roll_call() || clauses(2 + static_cast<int>(random_.below(3))));
    }

    model::ModelBuilder game{"symmetric"};
    Action planted;

private:
    struct Fact {
        std::size_t variable;
        model::Value value;
        bool positive;
        std::optional<std::size_t> other = std::nullopt;  // a variable instead of the value
    };

    // One variable whose values are mirrored, or two that change places, with values or without.
    void add_block(std::uint64_t b) {
        const auto size = random_.between(2, 4);
        const bool ours = b % 2 == 0;
        const bool pair = random_.chance(0.4);
        const std::string name = "v" + std::to_string(b);
        const auto number = static_cast<model::VarId>(variables_.size());
        variables_.push_back(ours ? game.exists(name, 1, size) : game.forall(name, 1, size));
        if (pair) variables_.push_back(game.also(name + "'", 1, size));
        std::vector<model::Value> values;
        for (model::Value v = 1; v <= size; ++v) values.push_back(v);
        if (random_.chance(0.7)) std::reverse(values.begin(), values.end());
        if (pair) {
            planted.push_back({number + 1, values});
            planted.push_back({number, values});
        } else {
            planted.push_back({number, values});
        }
    }

    Fact random_fact() {
        const auto variable = static_cast<std::size_t>(random_.below(variables_.size()));
        const auto value = random_.between(1, static_cast<model::Value>(planted[variable].second.size()));
        const auto other = static_cast<std::size_t>(random_.below(variables_.size()));
        const bool comparable = other != variable && planted[other].second == planted[variable].second;
        const bool compare = compares_ && comparable && random_.chance(0.5);
        return {variable, value, random_.chance(0.6), compare ? std::optional(other) : std::nullopt};
    }

    [[nodiscard]] model::BoolExpr text(const std::vector<Fact>& facts, bool turned) const {
        model::BoolExprs any;
        const auto image_of = [&](std::size_t v) {
            return turned ? static_cast<std::size_t>(planted[v].first) : v;
        };
        for (const auto& [variable, value, positive, other] : facts) {
            const model::Value c =
                turned ? planted[variable].second[static_cast<std::size_t>(value - 1)] : value;
            const model::IntExpr right = other ? variables_[image_of(*other)] : model::IntExpr(c);
            const model::IntExpr& left = variables_[image_of(variable)];
            any.push_back(positive ? left == right : left != right);
        }
        return model::any_of(any);
    }

    // Clauses, each with its image. The planted symmetry undoes itself, so that is all.
    model::BoolExpr clauses(int count) {
        model::BoolExprs all;
        for (int i = 0; i < count; ++i) {
            std::vector<Fact> facts;
            for (auto n = random_.between(2, 3); n > 0; --n) facts.push_back(random_fact());
            all.push_back(text(facts, false));
            all.push_back(text(facts, true));
        }
        return model::all_of(all);
    }

    // About every value of every variable, so that each is told apart from the others.
    model::BoolExpr roll_call() {
        model::BoolExprs all;
        for (std::size_t v = 0; v < variables_.size(); ++v) {
            for (model::Value c = 1; c <= static_cast<model::Value>(planted[v].second.size()); ++c) {
                const std::vector<Fact> facts{{v, c, false}, random_fact()};
                all.push_back(text(facts, false));
                all.push_back(text(facts, true));
            }
        }
        return model::all_of(all);
    }

    bool compares_;
    Random random_;
    model::IntExprs variables_;
};

void expect_planted_symmetry(std::uint64_t seed, Exchange exchange) {
    const SymmetricGame made(seed, exchange == Exchange::pairs);
    const model::Model model = made.game.build();
    const auto found = all_symmetries(model, 60, exchange);
    if (made.planted != identity_of(model) && found.size() < 60) {
        const bool is_there = std::any_of(found.begin(), found.end(), [&](const ModelSymmetry& s) {
            return action_of(s, model) == made.planted;
        });
        ASSERT_TRUE(is_there);
    }
    for (std::size_t i = 0; i < found.size(); i += 1 + found.size() / 8) {
        expect_constraints_follow(model, found[i], seed);
        expect_verdicts_follow(made.game.source(), found[i], seed, 4);
    }
    if (found.size() < 24) expect_group(model, found);
}

TEST(ModelSymmetries, APlantedOneIsFoundAndAllKeepEveryVerdict) {
    for (const Exchange exchange : {Exchange::sets, Exchange::pairs}) {
        for (const auto seed : seeds(250)) {
            expect_planted_symmetry(seed, exchange);
            if (HasFatalFailure()) FAIL() << "seed " << seed;
        }
    }
}

// A random game played on two boards at once, in the same turns: the boards change places.
class DoubledGame {
public:
    explicit DoubledGame(const model::ModelBuilder& single) : source_(single.source()) {
        for (const model::Source::Group& block : source_.blocks) {
            add(block);
            for (const model::BoolExpr& rule : block.rules) game.rule(on(0, rule) && on(1, rule));
        }
        model::BoolExprs first;
        model::BoolExprs second;
        for (const model::BoolExprs* part : {&source_.win, &source_.require}) {
            for (const model::BoolExpr& condition : *part) {
                first.push_back(on(0, condition));
                second.push_back(on(1, condition));
            }
        }
        game.win(model::all_of(first) || model::all_of(second));
        for (const auto& [when, claim] : source_.cuts) {
            for (const std::size_t board : {0, 1}) {
                model::BoolExprs all;
                for (const model::BoolExpr& each : when) all.push_back(on(board, each));
                game.cut(all, on(board, claim));
            }
        }
    }

    model::ModelBuilder game{"doubled"};

private:
    // The variables of a block, first of one board, then of the other.
    void add(const model::Source::Group& block) {
        bool opened = false;
        for (auto& board : boards_) {
            board.resize(source_.variables.size(), 0);
            for (const model::VarId v : block.variables) {
                const model::Variable& variable = source_.variables[static_cast<std::size_t>(v)];
                const std::string name = variable.name + (&board == boards_.data() ? "" : "'");
                const bool ours = block.quantifier == model::Quantifier::exists;
                const model::IntExpr made = opened ? game.also(name, variable.domain)
                                            : ours ? game.exists(name, variable.domain)
                                                   : game.forall(name, variable.domain);
                opened = true;
                board[static_cast<std::size_t>(v)] = made.tree()->variable;
            }
        }
    }

    [[nodiscard]] model::Expression on(std::size_t board, model::Expression e) const {
        if (e.kind == model::Expression::Kind::variable)
            e.variable = boards_[board][static_cast<std::size_t>(e.variable)];
        for (auto& part : e.parts) part = std::make_shared<const model::Expression>(on(board, *part));
        return e;
    }
    [[nodiscard]] model::BoolExpr on(std::size_t board, const model::BoolExpr& e) const {
        return model::BoolExpr(on(board, *e.tree()));
    }

    const model::Source& source_;
    std::array<std::vector<model::VarId>, 2> boards_;
};

TEST(ModelSymmetries, TwoBoardsChangePlacesAndKeepEveryVerdict) {
    std::size_t found_at_all = 0;
    std::size_t games = 0;
    for (const Shape& shape : {Shape{}, Shape::with_rules(), Shape::with_cuts()}) {
        for (const auto seed : seeds(150)) {
            Shape small = shape;
            small.blocks = 3;
            small.variables = 1;
            small.values = 3;
            small.depth = 3;
            const model::ModelBuilder single = random_model(seed, small);
            const DoubledGame doubled(single);
            const model::Model model = doubled.game.build();
            const auto found = all_symmetries(model, 8, seed % 2 == 0 ? Exchange::sets : Exchange::pairs);
            ++games;
            found_at_all += found.empty() ? 0 : 1;
            for (const ModelSymmetry& s : found) {
                expect_constraints_follow(model, s, seed);
                expect_verdicts_follow(doubled.game.source(), s, seed, 2);
            }
            if (HasFatalFailure()) FAIL() << "seed " << seed;
        }
    }
    EXPECT_GE(found_at_all, games * 9 / 10);
}

}  // namespace
}  // namespace zermelo::symmetry
