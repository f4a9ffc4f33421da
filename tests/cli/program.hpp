// Runs the program itself, as a person or a script would, on models written to a directory of their own.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/run.hpp"

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

namespace zermelo {

class Program : public testing::Test {
protected:
    static inline const std::string binary = ZERMELO_BINARY;
    static inline const std::string build = std::filesystem::path(binary).parent_path().string();
    static inline const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/quantified/";
    static inline const std::string nim = games + "nim-fibonacci.mzn";
    static inline const std::string four_variables = games + "four-variables.mzn";

    [[nodiscard]] static Ran zermelo(const std::string& arguments) { return run(binary + " " + arguments); }
    [[nodiscard]] static Ran minizinc(const std::string& arguments) {
        return run("MZN_SOLVER_PATH=" + build + "/share/minizinc/solvers minizinc --solver zermelo " +
                   arguments);
    }
    // The object that --json prints; the test fails when stdout is anything else.
    [[nodiscard]] static nlohmann::json json_of(const Ran& ran) {
        auto object = nlohmann::json::parse(ran.out, nullptr, false);
        EXPECT_TRUE(object.is_object()) << ran.out << ran.err;
        return object.is_object() ? object : nlohmann::json::object();
    }

    // The beginning of a command that several processes run. MPI keeps memory to its end, which is no leak of
    // ours.
    [[nodiscard]] static std::string mpirun(int processes) {
        return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 "
               "mpirun --oversubscribe -n " +
               std::to_string(processes) + " ";
    }
    // Why no such command can be run here; empty where it can.
    [[nodiscard]] static std::string no_mpi() {
        if (run("command -v mpirun").code != 0) return "there is no mpirun here";
        if (!std::filesystem::exists(build + "/libzermelo_mpi.so"))
            return "this program was built without MPI";
        return "";
    }

    // Bad usage or input: one line that says this, and nothing else.
    static void expect_one_line_about(const Ran& ran, const std::string& complaint) {
        EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
        EXPECT_EQ(ran.out, "");
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_SAYS(ran.err, complaint);
    }

    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        return scratch_.write(name, text);
    }
    [[nodiscard]] std::string path(const std::string& name) const { return scratch_.path(name); }
    [[nodiscard]] std::string model(const std::string& items) const {
        return write("model.mzn", "include \"zermelo.mzn\";\n" + items);
    }
    [[nodiscard]] std::string connect_four(int columns, int rows) const {
        const std::string file = path("connect-four.kif");
        EXPECT_EQ(zermelo("generate connect-four --columns " + std::to_string(columns) + " --rows " +
                          std::to_string(rows) + " -o " + file)
                      .code,
                  0);
        return file;
    }

    TemporaryDirectory scratch_;
};

}  // namespace zermelo
