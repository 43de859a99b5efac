// The program that `mmt run` is to start: found as execvp(3) finds it, and looked into for whatever
// keeps a preloaded library out.
#pragma once

#include <optional>
#include <string>

namespace mmt::programs {

// Path of the file that execvp(name) would start. Throws a Failure naming the program: status 127
// when there is none, 126 when it is there but cannot be executed.
std::string find_program(const std::string& name);

// Whether find_program(name) finds one.
bool is_program(const std::string& name);

enum class ObstacleKind { kPrivilege, kMachine, kStatic, kLinker, kSanitizer, kOwnAllocator };

// "privilege", "machine", "static", "linker", "sanitizer", "own_allocator".
const char* kind_name(ObstacleKind kind);

// Why the memory thread cannot serve a program.
struct Obstacle {
  ObstacleKind kind;
  std::string reason;    // "it is statically linked, so no library can be loaded into it"
  bool harmful = false;  // preloading would not only be in vain but break the program
};

// nullopt when nothing is known to keep the library out, also when the file may not be read.
// Scripts are judged by what runs in the end.
std::optional<Obstacle> find_obstacle(const std::string& path);

// The same for what the program's libraries bring. A library of ours finds that itself, says it and
// steps aside (names/step_aside.cpp); asking beforehand takes a process.
std::optional<Obstacle> find_obstacle_in_libraries(const std::string& path);

// Whether the program itself defines malloc, for whatever is loaded into it.
bool brings_allocator(const std::string& path);

// The interpreter named by a script's first line, nullopt when the file is no such script.
std::optional<std::string> script_interpreter(const std::string& path);

// What runs a text that names no interpreter.
inline constexpr const char* kShell = "/bin/sh";

// The program that runs in the end: the file itself, the shell, or the program behind the first
// lines of scripts. A program that `env` starts is seen, too, where it can be.
std::string program_of_script(const std::string& path);

}  // namespace mmt::programs
