// A search tree as one line of text: x1(1:y1(1:f,2:t)) has a node x1 with one branch to y1, which has two
// leaves.

#pragma once

#include <string>
#include <vector>

#include "quantified/solve.hpp"

namespace zermelo {

class TreeText : public quantified::SearchObserver {
public:
    explicit TreeText(const model::Model& model) : model_(model) {}

    void open(model::VarId variable) override {
        text_ += model_.name_of(variable) + "(";
        first_.push_back(true);
        ++nodes_;
    }
    void branch(model::Value value) override {
        if (!first_.back()) text_ += ",";
        first_.back() = false;
        text_ += std::to_string(value) + ":";
    }
    void leaf(bool won, quantified::Reason) override {
        text_ += won ? "t" : "f";
        ++nodes_;
    }
    void close(bool) override {
        text_ += ")";
        first_.pop_back();
    }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }

private:
    const model::Model& model_;
    std::string text_;
    std::vector<bool> first_;
    std::size_t nodes_ = 0;
};

}  // namespace zermelo
