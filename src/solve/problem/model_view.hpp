// A position of a quantified model as its author shows it: by the output item.
//
// The output item speaks of whole solutions, and in a position some moves are still to be made. So it is evaluated for
// several ways to make them; what does not depend on these moves is the same each time, and the rest is shown as dots.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/flatzinc/output_item.hpp"
#include "strategy/rules/partial_assignment.hpp"

namespace zermelo {

class ModelView {
public:
    // The model and the structure must outlive it. There is nothing to show where the model has no output item, or is
    // strategic.
    ModelView(std::optional<model::OutputItem> item, const model::Model& model,
              const model::Structure& structure)
        : model_(model), structure_(structure), item_(std::move(item)) {}

    // After these values of the first variables of the prefix; empty where nothing can be shown.
    [[nodiscard]] std::string draw(const std::vector<model::Value>& played, const Limits& limits) const;

private:
    [[nodiscard]] std::vector<model::Value> filled(const std::vector<model::Value>& played, int way) const;

    const model::Model& model_;
    const model::Structure& structure_;
    std::optional<model::OutputItem> item_;
};

// What texts have in common, line by line; where they differ, a dot.
[[nodiscard]] std::string common_text(const std::vector<std::string>& texts);

}  // namespace zermelo
