#include "classic/cfront/back/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/cfront/front/data.h"

enum { kStack = 1 << 20, kMostCalls = 2000, kMostArguments = 64, kMostFunctions = 1 << 20 };

struct Compiled {
  const char* name;
  struct Instruction* instructions;  // null as long as there is no body
  int frame;
};

struct Machine {
  struct Compiled* functions;
  int64_t count;
  uint8_t* memory;
  int64_t memory_size;
  int64_t stack;  // its lowest address in use
  int calls;
};

static void* memory_of(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (memory == NULL) cfront_fail(kStatusWrong, "no memory to run the program");
  return memory;
}

struct Machine* machine_new(void) {
  struct Machine* machine = (struct Machine*)memory_of(sizeof *machine);
  machine->functions = (struct Compiled*)memory_of(sizeof(struct Compiled));
  return machine;
}

void machine_free(struct Machine* machine) {
  for (int64_t i = 0; i < machine->count; ++i) free(machine->functions[i].instructions);
  free(machine->functions);
  free(machine->memory);
  free(machine);
}

void machine_take(void* to, const struct Symbol* symbol, const struct Code* code) {
  struct Machine* machine = (struct Machine*)to;
  const int64_t number = symbol->number;
  if (number >= kMostFunctions) cfront_fail(kStatusBadInput, "too many functions to run");
  if (number >= machine->count) {
    const size_t count = (size_t)number + 1;
    struct Compiled* functions = (struct Compiled*)memory_of(count * sizeof *functions);
    memcpy(functions, machine->functions, (size_t)machine->count * sizeof *functions);
    free(machine->functions);
    machine->functions = functions;
    machine->count = number + 1;
  }
  struct Compiled* compiled = &machine->functions[number];
  const size_t bytes = (size_t)code->count * sizeof(struct Instruction);
  compiled->name = symbol->name->text;
  compiled->frame = (code->frame + 15) / 16 * 16;
  compiled->instructions = (struct Instruction*)memory_of(bytes);
  memcpy(compiled->instructions, code->instructions, bytes);
}

static uint8_t* at_address(struct Machine* machine, int64_t address, int size) {
  if (address < kDataBegins || address > machine->memory_size - size) {
    cfront_fail(kStatusWrong, "the program reaches for address %" PRId64, address);
  }
  return machine->memory + address;
}

static int64_t load_from(struct Machine* machine, int64_t address,
                         const struct Instruction* instruction) {
  int64_t number = 0;
  memcpy(&number, at_address(machine, address, instruction->size), instruction->size);
  return cut(number, instruction->size, instruction->is_unsigned);
}

static void store_to(struct Machine* machine, int64_t address,
                     const struct Instruction* instruction, int64_t number) {
  memcpy(at_address(machine, address, instruction->size), &number, instruction->size);
}

static int64_t call(struct Machine* machine, int64_t number, const int64_t* parameters);

static int64_t compute_one(const struct Instruction* at, int64_t a, int64_t b) {
  int64_t result = 0;
  if (!compute((enum Operation)at->operation, at->size, at->is_unsigned, a, b, &result)) {
    cfront_fail(kStatusWrong, "the program divides by zero");
  }
  return result;
}

static int64_t run(struct Machine* machine, const struct Compiled* function, int64_t frame,
                   const int64_t* parameters) {
  int64_t registers[kRegisters + kScratch + 1] = {0};
  int64_t arguments[kMostArguments];
  const struct Instruction* at = function->instructions;
  for (;; ++at) {
    const int64_t a = registers[at->a], b = registers[at->b];
    int64_t* to = &registers[at->to];
    switch ((enum Opcode)at->opcode) {
      case kCodeCompute:
        *to = compute_one(at, a, b);
        break;
      case kCodeConstant:
        *to = at->number;
        break;
      case kCodeMove:
        *to = a;
        break;
      case kCodeParameter:
        *to = parameters[at->number];
        break;
      case kCodeFrameAddress:
        *to = frame + at->number;
        break;
      case kCodeLoad:
        *to = load_from(machine, a + at->number, at);
        break;
      case kCodeStore:
        store_to(machine, a + at->number, at, b);
        break;
      case kCodeLoadFrame:
        *to = load_from(machine, frame + at->number, at);
        break;
      case kCodeStoreFrame:
        store_to(machine, frame + at->number, at, b);
        break;
      case kCodeLabel:
        break;
      case kCodeJump:
        at = function->instructions + at->number - 1;
        break;
      case kCodeJumpZero:
        if (a == 0) at = function->instructions + at->number - 1;
        break;
      case kCodeJumpNonzero:
        if (a != 0) at = function->instructions + at->number - 1;
        break;
      case kCodeArgument:
        if (at->number >= kMostArguments) cfront_fail(kStatusBadInput, "too many arguments to run");
        arguments[at->number] = a;
        break;
      case kCodeCall: {
        const int64_t result = call(machine, at->number, arguments);
        if (at->to != 0) *to = result;
        break;
      }
      case kCodeReturn:
        return a;
    }
  }
}

static int64_t call(struct Machine* machine, int64_t number, const int64_t* parameters) {
  const struct Compiled* function = number < machine->count ? &machine->functions[number] : NULL;
  if (function == NULL || function->instructions == NULL) {
    // Declared, and not here: print.
    printf("%" PRId64 "\n", parameters[0]);
    return 0;
  }
  if (++machine->calls > kMostCalls || machine->stack - function->frame < data_end()) {
    cfront_fail(kStatusWrong, "the program calls too deep");
  }
  machine->stack -= function->frame;
  memset(machine->memory + machine->stack, 0, (size_t)function->frame);
  const int64_t result = run(machine, function, machine->stack, parameters);
  machine->stack += function->frame;
  --machine->calls;
  return result;
}

static void fill_memory(struct Machine* machine) {
  machine->memory_size = (data_end() + 15) / 16 * 16 + kStack;
  machine->memory = (uint8_t*)memory_of((size_t)machine->memory_size);
  machine->stack = machine->memory_size;
  for (const struct DataItem* item = data_items(); item != NULL; item = item->next) {
    const void* from = item->bytes == NULL ? (const void*)&item->number : item->bytes;
    memcpy(machine->memory + item->address, from, (size_t)item->size);
  }
}

int64_t machine_run(struct Machine* machine) {
  fill_memory(machine);
  for (int64_t i = 0; i < machine->count; ++i) {
    const struct Compiled* function = &machine->functions[i];
    if (function->instructions != NULL && strcmp(function->name, "main") == 0) {
      return call(machine, i, NULL);
    }
  }
  cfront_fail(kStatusBadInput, "there is no main to run");
}
