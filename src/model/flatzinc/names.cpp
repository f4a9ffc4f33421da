// Names in a FlatZinc program: which names the modeller gave, also to elements of arrays, and what the model
// prints under them.

#include <fmt/format.h>

#include "model/flatzinc/reader.hpp"

namespace zermelo::model::flatzinc {

namespace {

std::vector<Domain> index_sets(const Array& array) {
    std::uint64_t cells = array.index_sets.empty() ? 0 : 1;
    for (const Domain& indices : array.index_sets) {
        // More cells than elements is wrong already, and stopping there keeps the product small.
        if (cells <= array.list->atoms.size()) cells *= indices.size();
    }
    if (cells == array.list->atoms.size()) return array.index_sets;
    return {Domain(1, static_cast<Value>(array.list->atoms.size()))};
}

// The k-th position in row-major order, as the modeller writes it.
std::string position(const std::vector<Domain>& indices, std::size_t k) {
    std::string text;
    for (auto set = indices.rbegin(); set != indices.rend(); ++set) {
        const auto size = static_cast<std::size_t>(set->size());
        const std::string here = fmt::format("{}", set->low() + static_cast<Value>(k % size));
        text = text.empty() ? here : here + "," + text;
        k /= size;
    }
    return text;
}

}  // namespace

std::string Reader::name(std::size_t i) const {
    const auto found = names_.find(i);
    return found != names_.end() ? found->second : std::string(declared(i).name);
}

// The name of a variable before the elements of arrays have got theirs.
std::string Reader::shown(std::size_t i) const {
    for (const Array& array : program_.arrays) {
        if (array.introduced || !nameless(declared(i).name)) continue;
        const auto& atoms = array.list->atoms;
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            if (is(atoms[k], i)) return fmt::format("{}[{}]", array.name, position(index_sets(array), k));
        }
    }
    return std::string(declared(i).name);
}

void Reader::name_array_elements() {
    for (const Array& array : program_.arrays) {
        if (array.introduced) continue;
        const auto& atoms = array.list->atoms;
        const auto indices = index_sets(array);
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            if (atoms[k].kind != Atom::Kind::variable) continue;
            auto& named = model_.variables[static_cast<std::size_t>(
                variable_of_[static_cast<std::size_t>(atoms[k].value)])];
            if (nameless(named.name)) named.name = fmt::format("{}[{}]", array.name, position(indices, k));
        }
    }
}

void Reader::make_outputs() {
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
        if (declared(i).output)
            model_.outputs.push_back({std::string(declared(i).name), {variable_of_[i]}, false, {}});
    }
    for (const Array& array : program_.arrays) {
        if (!array.output) continue;
        Output output{std::string(array.name), {}, true, index_sets(array)};
        for (const Atom& atom : array.list->atoms) output.variables.push_back(calls_.variable(atom, {}));
        model_.outputs.push_back(std::move(output));
    }
}

}  // namespace zermelo::model::flatzinc
