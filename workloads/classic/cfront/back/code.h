// Code of three addresses, in code_obstack. Registers are virtual, from 1 on, until they are
// assigned; 0 is none. A register holds 64 bits: a value of a smaller type is extended as that type
// says.
#pragma once

#include "classic/cfront/back/arithmetic.h"
#include "classic/cfront/front/parse.h"

enum Opcode {
  kCodeCompute,       // to = a operation b, b may be none
  kCodeConstant,      // to = number
  kCodeMove,          // to = a
  kCodeParameter,     // to = parameter `number`
  kCodeFrameAddress,  // to = frame + number
  kCodeLoad,          // to = [a + number]
  kCodeStore,         // [a + number] = b
  kCodeLoadFrame,     // to = [frame + number]
  kCodeStoreFrame,    // [frame + number] = b
  kCodeLabel,         // number
  kCodeJump,          // to label `number`
  kCodeJumpZero,      // if a is 0
  kCodeJumpNonzero,
  kCodeArgument,  // argument `number` is a
  kCodeCall,      // to = function `number`; to may be none
  kCodeReturn,    // a, or nothing
};

struct Instruction {
  uint8_t opcode;
  uint8_t operation;
  uint8_t size;  // of the operands, of what is loaded or stored
  bool is_unsigned;
  int to;
  int a;
  int b;
  int64_t number;
};

struct Code {
  struct Instruction* instructions;
  int count;
  int registers;  // virtual ones
  int labels;
  int frame;  // bytes
};

// Generates the code of a function.
CFRONT_API void generate(struct Function* function, struct Code* code);
// Removes what cannot be reached or is not used. What it finds out ends with it.
CFRONT_API void flow_clean(struct Code* code);

enum { kRegisters = 12, kScratch = 2 };
// Replaces virtual registers by kRegisters real ones, from 1 on, and places in the frame that are
// loaded into kScratch more when they are used. Returns how many live in the frame.
CFRONT_API int assign_registers(struct Code* code);

// --- code under way: begun, appended to, finished as one array; one at a time ---
CFRONT_API void code_begin(void);
CFRONT_API void code_append(const struct Instruction* instruction);
CFRONT_API int code_length(void);
CFRONT_API void code_finish(struct Code* code);

// --- for the parts of the generator ---
struct Generator {
  int registers;
  int labels;
  int frame;
  int break_label;
  int continue_label;
};
CFRONT_API struct Generator generator;

CFRONT_API int new_register(void);
CFRONT_API int new_label(void);
CFRONT_API void emit(enum Opcode opcode, int to, int a, int b, int64_t number);
CFRONT_API void emit_typed(enum Opcode opcode, const struct Type* type, int to, int a, int b,
                           int64_t number);
CFRONT_API void emit_compute(enum Operation operation, const struct Type* type, int to, int a,
                             int b);
// The register that holds the value of an expression; 0 where it has none.
CFRONT_API int generate_value(struct Node* node);
// Jumps to the label if the condition is as said.
CFRONT_API void generate_jump(struct Node* condition, bool if_true, int label);

// --- for the parts that work on code ---
static inline bool is_jump(const struct Instruction* instruction) {
  return instruction->opcode >= kCodeJump && instruction->opcode <= kCodeJumpNonzero;
}
static inline bool ends_block(const struct Instruction* instruction) {
  return is_jump(instruction) || instruction->opcode == kCodeReturn;
}
static inline bool goes_on(const struct Instruction* instruction) {
  return instruction->opcode != kCodeJump && instruction->opcode != kCodeReturn;
}

// Blocks of code, and which registers are alive at their ends.
struct Block {
  int first;
  int end;      // behind the last instruction
  int next[2];  // blocks that may follow, or -1
  bool is_reached;
  uint64_t* in;  // bit sets over virtual registers
  uint64_t* out;
};
struct Flow {
  struct Block* blocks;
  int count;
  int words;  // of a bit set
};
// In flow_obstack.
CFRONT_API void flow_find(const struct Code* code, struct Flow* flow);

static inline bool bit_is_set(const uint64_t* bits, int at) {
  return (bits[at / 64] >> (at % 64) & 1) != 0;
}
static inline void bit_set(uint64_t* bits, int at) { bits[at / 64] |= UINT64_C(1) << (at % 64); }
static inline void bit_clear(uint64_t* bits, int at) {
  bits[at / 64] &= ~(UINT64_C(1) << (at % 64));
}
