"""cmake configures a small project; make builds it with two jobs, the compiler below all of it."""

PACKAGES = ["cmake", "g++", "make"]

LISTS = """
cmake_minimum_required(VERSION 3.25)
project(small C CXX)
foreach(i RANGE 1 12)
  file(CONFIGURE OUTPUT part${i}.c CONTENT "int part@i@(int x) { return x * @i@ + 1; }\\n")
  list(APPEND parts ${CMAKE_CURRENT_BINARY_DIR}/part${i}.c)
endforeach()
add_library(parts STATIC ${parts})
add_executable(main main.cpp)
target_link_libraries(main PRIVATE parts)
set_property(TARGET main PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
enable_testing()
add_test(NAME runs COMMAND main)
string(REPEAT "abc;" 5000 long)
list(REMOVE_DUPLICATES long)
list(LENGTH long length)
message(STATUS "length ${length}")
"""

MAIN = """
#include <cstdio>
#include <string>
#include <vector>
extern "C" { int part1(int); int part12(int); }
int main() {
  std::vector<std::string> all;
  for (int i = 0; i < 2000; i++) all.push_back(std::string(part1(i) % 99, 'x'));
  std::printf("%zu %d\\n", all.size(), part12(3));
}
"""

MAKEFILE = """
numbers := $(shell seq 1 300)
double = $(foreach n,$(1),$(n)$(n))
all: $(addsuffix .out,$(wordlist 1,40,$(numbers)))
\t@cat $^ | sort -n | tail -1
%.out:
\t@echo $(words $(call double,$(numbers))) $* > $@
"""


def case(lab):
    lab.write("CMakeLists.txt", LISTS)
    lab.write("main.cpp", MAIN)
    compiler = lab.run(["g++", "-print-prog-name=cc1plus"]).stdout.decode().strip()
    words = ["-S", ".", "-B", "build", "-G", "Unix Makefiles"]
    lab.run(["cmake", *words], stderr=False, clean=without_times, loads=[compiler], label="cmake")
    lab.run(["make", "-C", "build", "-j2"], record=False, loads=[compiler, "ar", "ld"])
    lab.observe("main", lab.read("build/main"))
    lab.run(["ctest", "--test-dir", "build"], record=False)
    lab.run([lab.path("build/main")])
    lab.write("more/Makefile", MAKEFILE)
    lab.run(["make", "-s", "-j4"], cwd=lab.path("more"), loads=["sort", "seq"])
    lab.run(["make", "-s", "missing"], cwd=lab.path("more"), status=2)


def without_times(text):
    return b"\n".join(line for line in text.split(b"\n") if b"done (" not in line)
