// The output items of a model in MiniZinc: what its author wants people to see of a solution.
//
// The compiler writes what is to be shown into an output model, and MiniZinc evaluates that for given values. Both are
// child processes, as in minizinc.hpp.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/flatzinc/minizinc.hpp"

namespace zermelo::model {

class OutputItem {
public:
    // Nothing where the model has no output item. Throws Error as read_minizinc() does.
    [[nodiscard]] static std::optional<OutputItem> compile(const std::string& path,
                                                           const MiniZincOptions& options);
    // The same of a text that is in no file.
    [[nodiscard]] static std::optional<OutputItem> compile_text(const std::string& text,
                                                                const MiniZincOptions& options);

    // The texts for the assignments, whose values are by variable; equal ones once, as MiniZinc tells them. Nothing
    // where MiniZinc cannot evaluate one of them, or needs a variable that the model does not name. MiniZinc may use as
    // much memory as it had for compiling.
    [[nodiscard]] std::optional<std::vector<std::string>> texts(
        const Model& model, const std::vector<std::vector<Value>>& assignments,
        const Limits& limits = {}) const;

private:
    OutputItem(std::string output_model, std::string compiler, std::size_t memory)
        : output_model_(std::move(output_model)), compiler_(std::move(compiler)), memory_(memory) {}
    [[nodiscard]] bool asks_for(const std::string& name) const;

    std::string output_model_;
    std::string compiler_;
    std::size_t memory_;
};

// Whether there is an output item in the text.
[[nodiscard]] bool has_output_item(const std::string& text);

}  // namespace zermelo::model
