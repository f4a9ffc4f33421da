// MiniZinc front end: runs the MiniZinc compiler with our library and reads the FlatZinc that it writes.
//
// A solver configuration in a private temporary directory points the compiler at share/minizinc/zermelo, so
// that nothing has to be installed for `zermelo solve game.mzn` to work. The compiler is a child process
// without a shell; it is killed when the limits are reached, and the directory is removed in every case.

#pragma once

#include <string>
#include <vector>

#include "core/limits.hpp"
#include "model/model.hpp"

namespace zermelo::model {

struct MiniZincOptions {
    std::vector<std::string> data;         // .dzn or .json files
    std::vector<std::string> definitions;  // name=value
    std::string extra;                     // further MiniZinc items, for example constraint zermelo_value(x);
    std::string library;                   // directory of zermelo.mzn; empty: beside the running program
    std::string include_folder;            // where a text that is in no file finds what it includes
    std::string compiler = "minizinc";
    const Limits* limits = nullptr;
    std::size_t memory = 0;  // bytes that the compiler may use; it may write a part of that. 0: no limit
};

// Throws Error with the place that MiniZinc names, and with "install the minizinc package" where it is
// missing.
[[nodiscard]] Model read_minizinc(const std::string& path, const MiniZincOptions& options = {});

// The same of a text that is in no file; it is called `name` where something is wrong with it.
[[nodiscard]] Model read_minizinc_text(const std::string& text, const std::string& name,
                                       const MiniZincOptions& options = {});

// Chooses the reader by the extension: .mzn, .fzn, .qdimacs, .cnf, .qcir.
[[nodiscard]] Model read_model(const std::string& path, const MiniZincOptions& options = {});

// Where zermelo.mzn lies for a program installed as PREFIX/bin/zermelo, or a level deeper where tests are
// built; empty when it is not there.
[[nodiscard]] std::string installed_minizinc_library();

}  // namespace zermelo::model
