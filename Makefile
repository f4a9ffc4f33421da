# make run      build the program, then solve the shipped examples, print a table, and play a match
# make build    the program, build/zermelo, and where Python and pybind11 are there its module, build/python
# make extra    install what the program can do without (the page of zermelo serve, mpirun, Python), then build
# make test     build everything, then run all tests
# make lint     what can be seen without running: format, clang-tidy, the include graph, shell scripts
# make asan     the tests of the rooms that read what others wrote, under the address and undefined sanitizers
# make tsan     the tests of the rooms with threads that share what they find, under the thread sanitizer
#               ROOMS=all: those of all rooms; ROOMS="gdl net": of these
# make campaign   random games before engines that share no code, for SECONDS=600; what disagrees is kept in campaign-kept/
# make fuzz       libFuzzer on each reader of what others wrote, SECONDS=600 in all; what breaks one is kept in build-fuzz/finds/
# make format   format all C++ sources
# Set SETUP=true where the packages of packages/ come from elsewhere; CONFIGURE=… gives further options to CMake.

SETUP     ?= scripts/setup
PREFIX    ?= /usr/local
PRESET    ?= release
CONFIGURE ?=

# What make build builds: all that make install installs.
WHAT    := installed
BUILD   := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
SOURCES := git ls-files '*.cpp' '*.hpp'
# The rooms whose tests run under sanitizers, and those where nobody names them.
ROOMS     ?=
READING   := model strategy gdl net
SHARING   := kernel quantified
ALL_ROOMS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/*/*_test.cpp)))))
rooms      = $(if $(filter all,$(ROOMS)),$(ALL_ROOMS),$(or $(ROOMS),$(1)))
# How long a campaign takes, and fuzzing with all targets together.
SECONDS   ?= 600
# The readers that are fuzzed; TARGETS="gdl http" for some of them.
TARGETS   ?= gdl flatzinc annotations qbf graph certificate checkpoint record hints net journal message http api

.PHONY: run build extra test bench install lint asan tsan campaign fuzz format clean

run: WHAT := program
run: build
	$(BUILD)/zermelo examples
	$(BUILD)/zermelo solve games/gdl/tic-tac-toe.kif
	$(BUILD)/zermelo solve games/graphs/subtraction-13.json
	$(BUILD)/zermelo match games/gdl/connect-four.kif uct:seconds=0.05 alpha-beta:seconds=0.05 --games 2

# Tests are configured when they are first asked for, and stay configured, so that nothing is built twice.
build:
	$(SETUP) build
	cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF) $(CONFIGURE)
	cmake --build --preset $(PRESET) --target $(WHAT)

extra:
	$(SETUP) extra
	$(MAKE) build

test:
	$(SETUP) build extra test
	cmake --preset $(PRESET) -DBUILD_TESTING=ON $(CONFIGURE)
	cmake --build --preset $(PRESET)
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j 2

bench: build
	$(BUILD)/zermelo bench quantified

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

lint:
	$(SETUP) build test
	$(SOURCES) | xargs clang-format --dry-run --Werror
	scripts/include-graph --check
	git ls-files -s | awk '$$1 == 100755 { print $$4 }' | xargs grep -lE '^#!.*sh$$' | xargs -n 1 bash -n
	scripts/tidy

asan:
	$(SETUP) build test
	cmake --preset asan-ubsan -DBUILD_TESTING=ON $(CONFIGURE)
	cmake --build --preset asan-ubsan --target $(patsubst %,%_tests,$(call rooms,$(READING)))
	printf '%s\n' $(patsubst %,build-asan-ubsan/tests/%_tests,$(call rooms,$(READING))) | xargs -P 2 -I PROGRAM sh -c PROGRAM

tsan:
	$(SETUP) build test
	cmake --preset tsan -DBUILD_TESTING=ON $(CONFIGURE)
	cmake --build --preset tsan --target $(patsubst %,%_tests,$(call rooms,$(SHARING)))
	printf '%s\n' $(patsubst %,build-tsan/tests/%_tests,$(call rooms,$(SHARING))) | xargs -P 2 -I PROGRAM sh -c PROGRAM

campaign:
	$(SETUP) build test
	cmake --preset $(PRESET) -DBUILD_TESTING=ON $(CONFIGURE)
	cmake --build --preset $(PRESET) --target campaign
	$(BUILD)/tests/campaign --seconds $(SECONDS)

fuzz:
	$(SETUP) build test
	cmake --preset fuzz $(CONFIGURE)
	cmake --build --preset fuzz --target fuzzers
	fuzz/run $(SECONDS) $(TARGETS)

format:
	$(SOURCES) | xargs clang-format -i

clean:
	rm -rf build build-*
