# The front door: installs what is missing, then lets CMake do the work (presets in CMakePresets.json).
#   make               build/release/bin/mmt, build/release/lib/libmmt.so, and what `mmt bench` runs
#   make demo          the main job on real programs, against glibc and the installed peers
#   make test          everything CI runs; STAGES="format layers" for some of it
#   make docs          the site of the documents, in build/site
#   make soak          the tests that are too long for CI
#   make install       PREFIX=/usr/local DESTDIR=
#   make check-format  make format  make clean
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
STAGES ?=
BUILD := build/release

.PHONY: all build demo test docs soak install check-format format clean
.DEFAULT_GOAL := all

all: build

build:
	@tools/install_packages.sh build
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target product workloads -j $(JOBS)

demo: build
	@tools/install_packages.sh build bench
	@tools/demo.sh

test:
	@tools/install_packages.sh build test bench docs
	@tools/run_tests.py --jobs $(JOBS) $(STAGES)

docs:
	@tools/install_packages.sh build docs
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target mmt_cli -j $(JOBS)
	@mkdocs build --quiet --strict
	@echo "build/site/index.html"

soak:
	@tools/install_packages.sh build test bench docs soak
	@tools/run_tests.py --jobs $(JOBS) soak

install: build
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

check-format:
	@tools/install_packages.sh build test
	@tools/check_format.sh

format:
	@tools/install_packages.sh build test
	@tools/check_format.sh --fix

clean:
	@rm -rf build
