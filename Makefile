# The commands of the project. `make` alone lists them; CONTRIBUTING.md says when to use which.

# STRICT=1 makes warnings errors, as CI does.
SWIFT_FLAGS = $(if $(STRICT),-Xswiftc -warnings-as-errors -Xcc -Werror)
# How many operations the model test of collections does in `make test-release`.
OPERATIONS ?= 200000
# How long `make test-long` lets each model test draw new random runs.
TEST_SECONDS ?= 30
# The benchmark's number of objects and of rounds.
N ?= 200000
ROUNDS ?= 5
# How long `make fuzz` runs, and which target it feeds.
MINUTES ?= 1
TARGET ?= predicate
# How long each half of `make stress` runs.
SECONDS ?= 30
# Where it makes its file.
STRESS_FILE ?= .build/stress.firn
STRESS = swift run -c release firn-stress
# The sanitizers reserve address space of their own; databases under test then ask for 16 GiB instead of 1 TiB.
SANITIZER_ENVIRONMENT := FIRN_RESERVATION=17179869184
THREAD_ENVIRONMENT := TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/thread-sanitizer.supp
# The search for leaks takes the boxes of Swift's enums for lost; Swift's backtracer hangs in the address sanitizer.
ADDRESS_ENVIRONMENT := ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no

.PHONY: help setup build test demo bench stress kill fuzz lint docs check test-release test-thread test-thread-lmdb test-address test-long test-client test-programs test-refused

help: ## Lists these commands
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 22

setup: ## Installs what the build needs from Debian, if it is missing
	@.ci/setup

build: setup ## Builds the library, the tool and the tests (debug)
	swift build --build-tests $(SWIFT_FLAGS)

test: setup ## Runs the tests (debug)
	swift test $(SWIFT_FLAGS)

demo: setup ## Imports the cities of the world into a database (cities.firn), and finds and changes them
	swift run -c release --package-path Examples/Cities Cities

bench: setup ## Compares Firn with LMDB used directly, and SQLite: N= objects (200000), ROUNDS= (5), ONLY= rows with this in their names
	swift run -c release --package-path Benchmarks Benchmarks --count $(N) --rounds $(ROUNDS) $(if $(ONLY),--only "$(ONLY)")

stress: setup ## Kills writers, then lets threads write and read, each for SECONDS= (30); both look for damage
	$(STRESS) crash $(STRESS_FILE) --seconds $(SECONDS) --kills 1000000
	$(STRESS) run $(STRESS_FILE) --seconds $(SECONDS) --processes 2

kill: setup ## Kills a writer 50 times and checks each time that no commit is lost
	$(STRESS) crash $(STRESS_FILE) --kills 50

fuzz: setup ## Lets libFuzzer feed TARGET= (predicate) for MINUTES= (1); what fails is kept in .build/fuzz/findings
	.ci/fuzz $(TARGET) $(MINUTES)

lint: ## Checks format and style
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples

docs: setup ## Makes the documentation of the library, without warnings
	.ci/docs

test-release: setup ## Runs the tests as optimised code, with OPERATIONS= (200000) on collections
	FIRN_TEST_OPERATIONS=$(OPERATIONS) swift test -c release

test-thread: setup ## Runs the tests under the thread sanitizer, or those that FILTER= names
	$(SANITIZER_ENVIRONMENT) $(THREAD_ENVIRONMENT) swift test --sanitize thread --scratch-path .build/thread $(if $(FILTER),--filter "$(FILTER)")

test-thread-lmdb: setup ## Runs the suites in which threads act as test-thread does, with a liblmdb that the sanitizer sees into
	directory=$$(.ci/thread-lmdb) && LD_LIBRARY_PATH=$$directory $(MAKE) test-thread FILTER="$$(.ci/concurrent-suites)"

test-address: setup ## Runs the tests under the address sanitizer
	$(SANITIZER_ENVIRONMENT) $(ADDRESS_ENVIRONMENT) swift test --sanitize address --disable-xctest --scratch-path .build/address

test-long: setup ## Runs the tests, each model test for TEST_SECONDS= (30) of new random runs
	FIRN_TEST_SECONDS=$(TEST_SECONDS) swift test -c release

test-refused: build ## Type-checks the programs that the library must refuse: each must fail where it says
	.ci/compile-failures

test-programs: build ## Type-checks the benchmark and the examples
	.ci/programs

test-client: setup ## Builds and runs the README's program as a package that depends on this one
	.ci/client

check: STRICT = 1
check: lint build test test-refused test-programs test-release test-thread test-thread-lmdb test-address test-long test-client docs kill ## Runs every gate, one after the other
