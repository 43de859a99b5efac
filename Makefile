# The front door: installs what is missing, then lets CMake do the work (presets in CMakePresets.json).
#   make               build/release/bin/mmt and its libraries, build/release/lib/libmmt.so first
#   make workloads     the programs that `mmt bench` and `mmt study` run, too
#   make demo          the main job on real programs, against glibc and the installed peers
#   make test          everything CI runs; STAGES="format folders" for some of it, STAGES=quick for a
#                      first look in minutes
#   make docs          the site of the documents, in build/site
#   make soak          the tests that are too long for CI
#   make install       PREFIX=/usr/local DESTDIR=; stripped. make install-debug: their debug symbols
#   make uninstall     what was installed with the same PREFIX and DESTDIR, their debug symbols too
#   make check-format  is each file laid out as CI wants it? make format: lay them out
#   make clean         removes what was built
#   make help          this list
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
STAGES ?=
LONG :=
BUILD := build/release
# A folder as the shell would have it, also within quotes.
at_home = $(patsubst ~%,$(HOME)%,$(1))

# From such a folder the dynamic linker preloads nothing.
awkward := $(filter-out 1,$(words $(CURDIR)))$(findstring :,$(CURDIR))$(findstring $$,$(CURDIR))
ifneq ($(awkward),)
$(error the path of this folder, $(CURDIR), has a space, a colon or a $$: the dynamic linker preloads nothing from there)
endif

# What is built and tested is the same whatever the user compiles with.
unexport CFLAGS CXXFLAGS LDFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH
unexport CMAKE_TOOLCHAIN_FILE CMAKE_PREFIX_PATH PKG_CONFIG_PATH VIRTUAL_ENV CONDA_PREFIX

.PHONY: all build workloads demo test docs soak install install-debug uninstall check-format \
	format clean help
.DEFAULT_GOAL := all

all: build

# What a goal builds: a demonstration less than the product, what is installed also the workloads.
build: TARGETS := product
demo: TARGETS := mmt_cli mmt_preload demo_programs
workloads install install-debug: TARGETS := product workloads
define build_targets
	@tools/install_packages.sh build
	@tools/as_owner.sh cmake --preset release --log-level=WARNING
	@tools/as_owner.sh cmake --build --preset release --target $(TARGETS) -j $(JOBS)
endef

build workloads:
	$(build_targets)
	@echo "For a program of yours: $(BUILD)/bin/mmt check -- PROGRAM"

demo:
	$(build_targets)
	@tools/install_packages.sh build demo
	@tools/demo.sh

# A first look needs little; CI, with STRICT=1, has all that tests can ask of a machine.
ifeq ($(strip $(STAGES)),quick)
define install_for_tests
	@tools/install_packages.sh build quick
endef
else
define install_for_tests
	@tools/install_packages.sh build test demo bench docs $(LONG)
	@tools/install_pypi.sh
	@tools/install_npm.sh
endef
endif
test:
	$(install_for_tests)
	@/usr/bin/python3 -E -s -B tools/run_tests.py --jobs $(JOBS) $(if $(filter 1,$(STRICT)),--strict) $(STAGES)

docs:
	@tools/install_packages.sh build docs
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target mmt_cli -j $(JOBS)
	@mkdocs build --quiet --strict
	@echo "build/site/index.html"

soak: LONG := soak
soak:
	$(install_for_tests)
	@/usr/bin/python3 -E -s -B tools/run_tests.py --jobs $(JOBS) soak

install:
	$(build_targets)
	@DESTDIR='$(call at_home,$(DESTDIR))' tools/install.sh $(BUILD) '$(call at_home,$(PREFIX))'
	@echo "Try: mmt check -- PROGRAM"
	@echo "Manual: man mmt (a minimal Debian lacks the package man-db)"
	@echo "Completion: in a new shell; bash needs the package bash-completion"

install-debug:
	$(build_targets)
	@DESTDIR='$(call at_home,$(DESTDIR))' tools/install.sh $(BUILD) '$(call at_home,$(PREFIX))' debug

uninstall:
	@DESTDIR='$(call at_home,$(DESTDIR))' tools/uninstall.sh '$(call at_home,$(PREFIX))'

check-format:
	@tools/install_packages.sh build test
	@tools/check_format.sh

format:
	@tools/install_packages.sh build test
	@tools/check_format.sh --fix

help:
	@sed -n 's/^#   //p; /^PREFIX/q' Makefile

clean:
	@rm -rf build
