// The tests of this room run in one process, and as a whole under mpirun in several: then every process runs
// every test, in the same order, and the first one speaks.

#include <gtest/gtest.h>

#include "cluster/processes.hpp"

namespace zermelo::cluster {

Comm& processes() {
    static const std::unique_ptr<Comm> comm = connect();
    return *comm;
}

namespace {

// Of the others, only what fails is of interest.
class Failures : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::cerr << "process " << processes().rank() << ": " << result.file_name() << ":"
                  << result.line_number() << ": " << result.message() << '\n';
    }
};

}  // namespace

}  // namespace zermelo::cluster

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    if (!zermelo::cluster::processes().first()) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new zermelo::cluster::Failures);
    }
    return RUN_ALL_TESTS();
}
