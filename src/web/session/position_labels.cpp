#include "web/session/position_labels.hpp"

#include <cctype>

#include "web/api/terms.hpp"

namespace zermelo::web {

std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == '(' || c == ')' || std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank) {
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    if (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

namespace {

bool holds(Positions::Row row, std::size_t fluent) { return (row[fluent / 64] >> (fluent % 64) & 1) != 0; }

class GdlPositions : public Positions {
public:
    explicit GdlPositions(std::shared_ptr<const gdl::Game> game) : game_(std::move(game)) {}

    [[nodiscard]] json facts(Row row) const override {
        json all = json::array();
        for (std::size_t i = 0; i < fluents().size(); ++i) {
            if (holds(row, i)) all.push_back(term(*game_, fluents()[i]));
        }
        return all;
    }
    [[nodiscard]] std::function<bool(Row)> mention(const std::string& text) const override {
        std::vector<std::uint64_t> mask((fluents().size() + 63) / 64);
        for (std::size_t i = 0; i < fluents().size(); ++i) {
            if (plain(game_->text(fluents()[i])).find(text) != std::string::npos)
                mask[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return [mask = std::move(mask)](Row row) {
            for (std::size_t w = 0; w < mask.size(); ++w) {
                if ((mask[w] & row[w]) != 0) return true;
            }
            return false;
        };
    }

private:
    [[nodiscard]] const std::vector<gdl::TermId>& fluents() const {
        return game_->machine().network().fluents;
    }
    std::shared_ptr<const gdl::Game> game_;
};

class GraphPositions : public Positions {
public:
    explicit GraphPositions(std::shared_ptr<const game::Graph> graph) : graph_(std::move(graph)) {}

    [[nodiscard]] json facts(Row row) const override { return json::array({name(row)}); }
    [[nodiscard]] std::function<bool(Row)> mention(const std::string& text) const override {
        return [this, text](Row row) { return plain(name(row)).find(text) != std::string::npos; };
    }

private:
    [[nodiscard]] std::string name(Row row) const { return graph_->name(static_cast<game::StateId>(row[0])); }
    std::shared_ptr<const game::Graph> graph_;
};

}  // namespace

std::shared_ptr<const Positions> positions_of(std::shared_ptr<const gdl::Game> game) {
    return std::make_shared<GdlPositions>(std::move(game));
}

std::shared_ptr<const Positions> positions_of(std::shared_ptr<const game::Graph> graph) {
    return std::make_shared<GraphPositions>(std::move(graph));
}

}  // namespace zermelo::web
