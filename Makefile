# make run    build, then solve the shipped examples, print a table, and play a match
# make test   build, then run all tests
# Set SETUP=true where the packages of packages.txt come from elsewhere.

SETUP  ?= scripts/setup
PREFIX ?= /usr/local
PRESET ?= release

.PHONY: run test bench lint format build setup install clean

run: build
	build/zermelo examples
	build/zermelo solve games/gdl/tic-tac-toe.kif
	build/zermelo solve games/graphs/subtraction-13.json
	build/zermelo match games/gdl/connect-four.kif uct:seconds=0.05 alpha-beta:seconds=0.05 --games 2

test: build
	ctest --test-dir build --output-on-failure --no-tests=error -j 2

bench: build
	build/zermelo bench quantified

build: setup
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)

setup:
	$(SETUP)

install: build
	cmake --install build --prefix $(PREFIX)

lint: setup
	git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build build-*
