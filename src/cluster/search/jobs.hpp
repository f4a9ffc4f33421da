// Messages of the distributed search: jobs, reports and the end of a question, as JSON.

#pragma once

#include <nlohmann/json.hpp>

#include "cluster/comm/comm.hpp"
#include "cluster/search/split_tree.hpp"
#include "core/clock.hpp"

namespace zermelo::cluster {

struct Order {
    SplitTree::Node job = 0;
    double seconds = 0;
    Line line;
};

struct Report {
    SplitTree::Node job = 0;
    std::optional<Solved> answer;
    std::optional<Split> split;  // where there was no time for an answer
    Stop stop = Stop::none;      // neither, because a limit was reached
    std::string failure;         // nor can there be one
};

// How a question ended, for all.
struct Ending {
    bool won = false;
    Stop stop = Stop::none;
    std::string failure;
};

[[nodiscard]] nlohmann::json to_json(const Order& order);
[[nodiscard]] Order order_from(const nlohmann::json& object);
[[nodiscard]] nlohmann::json to_json(const Split& split);
[[nodiscard]] Split split_from(const nlohmann::json& object);
[[nodiscard]] nlohmann::json to_json(const Report& report);
[[nodiscard]] Report report_from(const nlohmann::json& object);
[[nodiscard]] nlohmann::json to_json(const Ending& ending);
[[nodiscard]] Ending ending_from(const nlohmann::json& object);

}  // namespace zermelo::cluster
