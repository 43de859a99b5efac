#include "sys/linux/cgroup_text.h"

#include <cstddef>
#include <cstring>

#include "sys/linux/cgroup.h"

namespace mmt::sys::cgroup {
namespace {

// Whether `list`, separated by commas, holds `name`.
bool holds(const char* list, size_t size, const char* name) {
  const size_t wanted = strlen(name);
  for (const char* end = list + size;;) {
    const auto* comma =
        static_cast<const char*>(memchr(list, ',', static_cast<size_t>(end - list)));
    const char* stop = comma == nullptr ? end : comma;
    if (static_cast<size_t>(stop - list) == wanted && memcmp(list, name, wanted) == 0) return true;
    if (comma == nullptr) return false;
    list = comma + 1;
  }
}

// Cuts the field at *rest off, and moves *rest behind it. "" when there is none left.
char* next_field(char** rest) {
  char* field = *rest;
  char* end = field + strcspn(field, " ");
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return field;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Blanks and backslashes stand in mountinfo as \040 and the like.
void decode(char* text) {
  char* to = text;
  for (const char* from = text; *from != '\0'; ++to) {
    if (from[0] == '\\' && is_octal(from[1]) && is_octal(from[2]) && is_octal(from[3])) {
      *to = static_cast<char>((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
      from += 4;
    } else {
      *to = *from++;
    }
  }
  *to = '\0';
}

// False when there is no number, or one that no quota has.
bool parse_number(const char** text, unsigned long* value) {
  constexpr unsigned long kMost = 1ul << 50;
  *value = 0;
  if (**text < '0' || **text > '9') return false;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    *value = *value * 10 + static_cast<unsigned>(**text - '0');
    if (*value > kMost) return false;
  }
  return true;
}

// The number in a line "name number"; 0 where there is none, or it is cut off.
unsigned long number_of(const char* text, const char* name) {
  const size_t size = strlen(name);
  for (const char* line = text; line != nullptr && *line != '\0';) {
    if (strncmp(line, name, size) == 0 && line[size] == ' ') {
      const char* number = line + size + 1;
      unsigned long value;
      return parse_number(&number, &value) && *number == '\n' ? value : 0;
    }
    line = strchr(line, '\n');
    if (line != nullptr) ++line;
  }
  return 0;
}

// The controller's name in version 1.
const char* controller(Hierarchy hierarchy) {
  if (hierarchy == Hierarchy::kMemory) return "memory";
  return hierarchy == Hierarchy::kPids ? "pids" : "cpu";
}

unsigned percent(unsigned long quota, unsigned long period) {
  if (quota == 0 || period == 0) return 0;
  const unsigned long result = quota * 100 / period;
  return result == 0 ? 1 : result > ~0u ? ~0u : static_cast<unsigned>(result);
}

}  // namespace

const char* path_in(Hierarchy hierarchy, const char* line) {
  const char* names = strchr(line, ':');
  if (names == nullptr) return nullptr;
  const char* path = strchr(++names, ':');
  if (path == nullptr) return nullptr;
  const auto size = static_cast<size_t>(path - names);
  const bool wanted =
      hierarchy == Hierarchy::kUnified ? size == 0 : holds(names, size, controller(hierarchy));
  return wanted ? path + 1 : nullptr;
}

bool parse_mount(Hierarchy hierarchy, char* line, Mount* mount) {
  for (int i = 0; i < 3; ++i) next_field(&line);  // mount, its parent, device
  char* root = next_field(&line);
  char* point = next_field(&line);
  next_field(&line);  // options
  while (strcmp(next_field(&line), "-") != 0)
    if (*line == '\0') return false;
  const char* type = next_field(&line);
  next_field(&line);  // source
  const char* options = next_field(&line);
  const bool wanted =
      hierarchy == Hierarchy::kUnified
          ? strcmp(type, "cgroup2") == 0
          : strcmp(type, "cgroup") == 0 && holds(options, strlen(options), controller(hierarchy));
  if (!wanted) return false;
  decode(root);
  decode(point);
  *mount = {root, point};
  return true;
}

const char* part_below(const char* root, const char* path) {
  if (strcmp(path, "/") == 0) path = "";
  const size_t size = strcmp(root, "/") == 0 ? 0 : strlen(root);
  if (strncmp(path, root, size) != 0) return nullptr;
  const char* part = path + size;
  if (*part != '\0' && *part != '/') return nullptr;
  // Outside of what the namespace shows, where ".." has no name.
  return strncmp(part, "/..", 3) == 0 && (part[3] == '\0' || part[3] == '/') ? nullptr : part;
}

unsigned parse_cpu_max(const char* text) {
  unsigned long quota;
  unsigned long period;
  if (!parse_number(&text, &quota) || *text++ != ' ' || !parse_number(&text, &period)) return 0;
  return percent(quota, period);
}

unsigned parse_cfs(const char* quota, const char* period) {
  unsigned long numerator;
  unsigned long denominator;
  if (!parse_number(&quota, &numerator) || !parse_number(&period, &denominator)) return 0;
  return percent(numerator, denominator);
}

unsigned parse_pids(const char* most, const char* current) {
  unsigned long limit;
  unsigned long tasks;
  if (!parse_number(&most, &limit) || !parse_number(&current, &tasks)) return kNoTaskLimit;
  const unsigned long left = limit > tasks ? limit - tasks : 0;
  return left < kNoTaskLimit ? static_cast<unsigned>(left) : kNoTaskLimit;
}

uint64_t parse_memory(const char* most, const char* current, const char* stat) {
  unsigned long limit;
  unsigned long taken;
  if (!parse_number(&most, &limit) || !parse_number(&current, &taken)) return kNoMemoryLimit;
  const unsigned long files = number_of(stat, "file") + number_of(stat, "cache");
  const unsigned long shared = number_of(stat, "shmem");
  if (files > shared) taken -= files - shared < taken ? files - shared : taken;
  return limit > taken ? limit - taken : 0;
}

}  // namespace mmt::sys::cgroup
