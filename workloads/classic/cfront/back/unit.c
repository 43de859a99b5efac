#include "classic/cfront/back/unit.h"

#include <string.h>
#include <time.h>

#include "classic/cfront/front/data.h"
#include "classic/cfront/front/fold.h"
#include "classic/cfront/front/lexer.h"
#include "classic/cfront/front/macro.h"
#include "classic/cfront/obstacks.h"

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t mixed(uint64_t hash, const struct Code* code) {
  for (int i = 0; i < code->count; ++i) {
    const struct Instruction* at = &code->instructions[i];
    const uint64_t head = (uint64_t)at->opcode << 48 | (uint64_t)at->operation << 40 |
                          (uint64_t)at->size << 32 | (uint64_t)at->is_unsigned << 24 |
                          (uint64_t)(at->to << 16 | at->a << 8 | at->b);
    hash = (hash ^ head) * 0x100000001b3u;
    hash = (hash ^ (uint64_t)at->number) * 0x100000001b3u;
  }
  return hash ^ (uint64_t)code->frame;
}

// The rest of the compilation of a function.
static void compile(struct Function* function, const struct UnitTaker* taker,
                    struct UnitResult* result) {
  void* first_of_code = obstack_alloc(&code_obstack, 0);
  struct Code code;
  fold_statement(function->body);
  generate(function, &code);
  flow_clean(&code);
  result->in_frame += assign_registers(&code);
  result->instructions += code.count;
  result->checksum = mixed(result->checksum, &code);
  ++result->functions;
  if (taker != NULL) taker->take(taker->to, function->symbol, &code);
  obstack_free(&code_obstack, first_of_code);
}

void unit_compile(const char* text, const char* name, const struct UnitTaker* taker,
                  struct UnitResult* result) {
  memset(result, 0, sizeof *result);
  result->checksum = 14695981039346656037u;
  source_name(name);
  obstacks_open();
  names_open();
  scopes_open();
  data_open();
  lexer_open(text);
  macros_open();
  double begin = seconds();
  type_obstack = &permanent_obstack;
  parse_open();
  struct Function function;
  for (;;) {
    void* first_of_tree = obstack_alloc(&tree_obstack, 0);
    const bool is_there = parse_function(&function);
    const double end = seconds();
    result->parse_seconds += end - begin;
    if (!is_there) break;
    compile(&function, taker, result);
    obstack_free(&tree_obstack, first_of_tree);
    begin = seconds();
  }
  result->symbols = declared_symbols;
}

void unit_close(void) { obstacks_close(); }
