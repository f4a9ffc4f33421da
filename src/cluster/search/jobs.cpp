#include "cluster/search/jobs.hpp"

namespace zermelo::cluster {

using nlohmann::json;

namespace {

json to_json(const Hash128& hash) { return {hash.low, hash.high}; }
Hash128 hash_from(const json& pair) {
    return {pair.at(0).get<std::uint64_t>(), pair.at(1).get<std::uint64_t>()};
}

json to_json(const Bytes& bytes) {
    const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary({start, start + bytes.size()});
}
Bytes bytes_from(const json& binary) {
    const auto raw = std::as_bytes(std::span(binary.get_binary()));
    return {raw.begin(), raw.end()};
}

}  // namespace

json to_json(const Order& order) {
    return {{"job", order.job}, {"seconds", order.seconds}, {"line", order.line}};
}
Order order_from(const json& object) {
    return {object.at("job").get<SplitTree::Node>(), object.at("seconds").get<double>(),
            object.at("line").get<Line>()};
}

json to_json(const Split& split) {
    json open = json::array();
    for (const Split::Branch& branch : split.open) open.push_back({branch.moves, to_json(branch.key)});
    return {{"ours", split.ours}, {"all", split.all}, {"enough", split.enough}, {"open", std::move(open)}};
}
Split split_from(const json& object) {
    Split split;
    split.ours = object.at("ours").get<bool>();
    split.all = object.at("all").get<bool>();
    split.enough = object.at("enough").get<bool>();
    for (const json& branch : object.at("open"))
        split.open.push_back({branch.at(0).get<Line>(), hash_from(branch.at(1))});
    return split;
}

json to_json(const Report& report) {
    json object = {{"job", report.job}, {"stop", report.stop}, {"failure", report.failure}};
    if (report.answer) {
        object["won"] = report.answer->won;
        object["certificate"] = to_json(report.answer->certificate);
    }
    if (report.split) object["split"] = to_json(*report.split);
    return object;
}
Report report_from(const json& object) {
    Report report;
    report.job = object.at("job").get<SplitTree::Node>();
    report.stop = object.at("stop").get<Stop>();
    report.failure = object.at("failure").get<std::string>();
    if (object.contains("won")) {
        report.answer = Solved{object.at("won").get<bool>(), bytes_from(object.at("certificate"))};
    }
    if (object.contains("split")) report.split = split_from(object.at("split"));
    return report;
}

json to_json(const Ending& ending) {
    return {{"won", ending.won}, {"stop", ending.stop}, {"failure", ending.failure}};
}
Ending ending_from(const json& object) {
    return {object.at("won").get<bool>(), object.at("stop").get<Stop>(),
            object.at("failure").get<std::string>()};
}

}  // namespace zermelo::cluster
