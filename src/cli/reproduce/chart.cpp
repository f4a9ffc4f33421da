#include "cli/reproduce/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::cli {

namespace {

using nlohmann::json;

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
};

constexpr double left_edge = 62;
constexpr double right_edge = 620;
constexpr double top = 30;
constexpr double bottom = 300;

std::vector<Curve> curves_of(const Reproduced& table) {
    std::vector<Curve> curves;
    for (const json& row : table.rows) {
        for (const auto& [name, value] : row["figures"].items()) {
            auto at = std::ranges::find(curves, name, &Curve::name);
            if (at == curves.end()) at = curves.insert(at, {name, {}});
            if (value.is_number() && value.get<double>() > 0)
                at->points.emplace_back(std::stod(row["title"].get<std::string>()), value.get<double>());
        }
    }
    return curves;
}

struct Scale {
    double low;
    double high;
    double from;
    double to;
    [[nodiscard]] double at(double value) const {
        return high > low ? from + (to - from) * (value - low) / (high - low) : (from + to) / 2;
    }
};

std::string axes(const Reproduced& table, const Scale& x, const Scale& y) {
    std::string result;
    for (double power = y.low; power <= y.high; ++power) {
        result += fmt::format(
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{y:.1f}\" y2=\"{y:.1f}\"/>"
            "<text class=\"soft\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">10<tspan dy=\"-5\" "
            "font-size=\"9\">{}</tspan></text>\n",
            left_edge, right_edge, left_edge - 4, y.at(power) + 4, static_cast<int>(power),
            fmt::arg("y", y.at(power)));
    }
    double free_from = 0;
    for (const json& row : table.rows) {
        const auto title = row["title"].get<std::string>();
        const double here = x.at(std::stod(title));
        result += fmt::format("<line class=\"grid\" x1=\"{x:.1f}\" x2=\"{x:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                              bottom, bottom + 4, fmt::arg("x", here));
        if (here < free_from) continue;
        free_from = here + 22;
        result += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                              here, bottom + 16, arena::escaped(title));
    }
    result += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                          (left_edge + right_edge) / 2, bottom + 32, arena::escaped(table.figure->x));
    result += fmt::format("<text x=\"4\" y=\"16\">{}</text>\n", arena::escaped(table.figure->y));
    return result;
}

std::string line(const Curve& curve, std::size_t number, const Scale& x, const Scale& y) {
    std::string path;
    std::string marks;
    for (const auto& [at, value] : curve.points) {
        const double across = x.at(at);
        const double up = y.at(std::log10(value));
        path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", across, up);
        marks += fmt::format(
            "<g><title>{}, {}: {}</title><circle class=\"spot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/></g>\n",
            arena::escaped(curve.name), at, arena::number(value), across, up);
    }
    const double legend = bottom + 52 + 18 * static_cast<double>(number);
    std::string result = fmt::format("<g class=\"series{}\">\n", number % arena::series_colours + 1);
    if (!path.empty()) result += fmt::format("<polyline class=\"curve\" points=\"{}\"/>\n", path);
    return result + marks +
           fmt::format(
               "<polyline class=\"curve\" points=\"{},{y} {},{y}\"/><text x=\"{}\" "
               "y=\"{}\">{}</text>\n</g>\n",
               left_edge, left_edge + 16, left_edge + 22, legend + 4, arena::escaped(curve.name),
               fmt::arg("y", legend));
}

}  // namespace

std::string chart(const Reproduced& table) {
    const std::vector<Curve> curves = curves_of(table);
    Scale x{1e300, -1e300, left_edge + 10, right_edge - 10};
    Scale y{1e300, -1e300, bottom, top};
    for (const Curve& curve : curves) {
        for (const auto& [at, value] : curve.points) {
            x = {std::min(x.low, at), std::max(x.high, at), x.from, x.to};
            y = {std::min(y.low, std::floor(std::log10(value))),
                 std::max(y.high, std::ceil(std::log10(value))), y.from, y.to};
        }
    }
    if (x.low > x.high) x.low = x.high = y.low = y.high = 0;  // nothing was solved
    const double height = bottom + 60 + 18 * static_cast<double>(curves.size());
    std::string result = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {}\" role=\"img\" aria-label=\"{}\">\n",
        height, arena::escaped(table.title));
    result += arena::picture_style();
    result += fmt::format("<rect class=\"paper\" width=\"640\" height=\"{}\"/>\n", height);
    result += axes(table, x, y);
    for (std::size_t c = 0; c < curves.size(); ++c) result += line(curves[c], c, x, y);
    return result + "</svg>\n";
}

}  // namespace zermelo::cli
