# make run      build the program, then solve the shipped examples, print a table, and play a match
# make build    the program alone: build/zermelo
# make extra    install what the program can do without (the page of zermelo serve, mpirun), then build
# make test     build everything, then run all tests
# make lint     what can be seen without running: format, clang-tidy, the include graph, shell scripts
# make asan     the tests of the rooms that read what others wrote, under the address and undefined sanitizers
# make format   format all C++ sources
# Set SETUP=true where the packages of packages/ come from elsewhere; CONFIGURE=… gives further options to CMake.

SETUP     ?= scripts/setup
PREFIX    ?= /usr/local
PRESET    ?= release
CONFIGURE ?=

BUILD   := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
SOURCES := git ls-files '*.cpp' '*.hpp'
# The rooms that read what others wrote; READING=net for some of them.
READING   ?= model strategy gdl net

.PHONY: run build extra test bench install lint asan format clean

run: build
	$(BUILD)/zermelo examples
	$(BUILD)/zermelo solve games/gdl/tic-tac-toe.kif
	$(BUILD)/zermelo solve games/graphs/subtraction-13.json
	$(BUILD)/zermelo match games/gdl/connect-four.kif uct:seconds=0.05 alpha-beta:seconds=0.05 --games 2

# Tests are configured when they are first asked for, and stay configured, so that nothing is built twice.
build:
	$(SETUP) build
	cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF) $(CONFIGURE)
	cmake --build --preset $(PRESET) --target program

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
	cmake --build --preset asan-ubsan --target $(READING:%=%_tests)
	printf '%s\n' $(READING:%=build-asan-ubsan/tests/%_tests) | xargs -P 2 -I PROGRAM sh -c PROGRAM

format:
	$(SOURCES) | xargs clang-format -i

clean:
	rm -rf build build-*
