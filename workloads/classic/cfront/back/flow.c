// Blocks of code, what is alive at their ends, and what of it is of no use.
#include <string.h>

#include "classic/cfront/back/code.h"
#include "classic/cfront/obstacks.h"

static void count_blocks(const struct Code* code, struct Flow* flow) {
  flow->count = 0;
  bool begins = true;
  for (int i = 0; i < code->count; ++i) {
    const struct Instruction* instruction = &code->instructions[i];
    if (begins || instruction->opcode == kCodeLabel) ++flow->count;
    begins = ends_block(instruction);
  }
}

static uint64_t* new_set(const struct Flow* flow) {
  uint64_t* set = NEW_ARRAY_IN(&flow_obstack, uint64_t, flow->words);
  memset(set, 0, (size_t)flow->words * sizeof *set);
  return set;
}

static void find_blocks(const struct Code* code, struct Flow* flow, int* block_of_label) {
  int index = -1;
  bool begins = true;
  for (int i = 0; i < code->count; ++i) {
    const struct Instruction* instruction = &code->instructions[i];
    if (begins || instruction->opcode == kCodeLabel) {
      struct Block* block = &flow->blocks[++index];
      block->first = i;
      block->is_reached = false;
      block->in = new_set(flow);
      block->out = new_set(flow);
    }
    if (instruction->opcode == kCodeLabel) block_of_label[instruction->number] = index;
    flow->blocks[index].end = i + 1;
    begins = ends_block(instruction);
  }
  for (int i = 0; i < flow->count; ++i) {
    struct Block* block = &flow->blocks[i];
    const struct Instruction* last = &code->instructions[block->end - 1];
    block->next[0] = goes_on(last) && i + 1 < flow->count ? i + 1 : -1;
    block->next[1] = is_jump(last) ? block_of_label[last->number] : -1;
  }
}

static void find_reached(struct Flow* flow) {
  int* stack = NEW_ARRAY_IN(&flow_obstack, int, flow->count);
  int depth = 0;
  flow->blocks[0].is_reached = true;
  stack[depth++] = 0;
  while (depth > 0) {
    const struct Block* block = &flow->blocks[stack[--depth]];
    for (int i = 0; i < 2; ++i) {
      const int next = block->next[i];
      if (next < 0 || flow->blocks[next].is_reached) continue;
      flow->blocks[next].is_reached = true;
      stack[depth++] = next;
    }
  }
  obstack_free(&flow_obstack, stack);
}

// What a block reads before it writes it, and what it writes.
static void find_effects(const struct Code* code, const struct Block* block, uint64_t* read,
                         uint64_t* written) {
  for (int i = block->end - 1; i >= block->first; --i) {
    const struct Instruction* instruction = &code->instructions[i];
    if (instruction->to != 0) {
      bit_set(written, instruction->to);
      bit_clear(read, instruction->to);
    }
    if (instruction->a != 0) bit_set(read, instruction->a);
    if (instruction->b != 0) bit_set(read, instruction->b);
  }
}

static void find_alive(const struct Code* code, struct Flow* flow) {
  uint64_t** read = NEW_ARRAY_IN(&flow_obstack, uint64_t*, 2 * flow->count);
  uint64_t** written = read + flow->count;
  for (int i = 0; i < flow->count; ++i) {
    read[i] = new_set(flow);
    written[i] = new_set(flow);
    find_effects(code, &flow->blocks[i], read[i], written[i]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = flow->count - 1; i >= 0; --i) {
      const struct Block* block = &flow->blocks[i];
      for (int j = 0; j < 2; ++j) {
        if (block->next[j] < 0) continue;
        const uint64_t* after = flow->blocks[block->next[j]].in;
        for (int k = 0; k < flow->words; ++k) block->out[k] |= after[k];
      }
      for (int k = 0; k < flow->words; ++k) {
        const uint64_t in = read[i][k] | (block->out[k] & ~written[i][k]);
        changed = changed || in != block->in[k];
        block->in[k] = in;
      }
    }
  }
  obstack_free(&flow_obstack, read);
}

void flow_find(const struct Code* code, struct Flow* flow) {
  flow->words = (code->registers + 63) / 64;
  count_blocks(code, flow);
  flow->blocks = NEW_ARRAY_IN(&flow_obstack, struct Block, flow->count);
  int* block_of_label = NEW_ARRAY_IN(&flow_obstack, int, code->labels);
  find_blocks(code, flow, block_of_label);
  find_reached(flow);
  find_alive(code, flow);
}

static bool has_effect(const struct Instruction* instruction) {
  switch (instruction->opcode) {
    case kCodeCompute:
    case kCodeConstant:
    case kCodeMove:
    case kCodeParameter:
    case kCodeFrameAddress:
    case kCodeLoad:
    case kCodeLoadFrame:
      return false;
    default:
      return true;
  }
}

// Marks what is not used; returns whether there was any.
static bool mark_unused(struct Code* code, const struct Block* block, bool* unused) {
  bool any = false;
  uint64_t* alive = block->out;
  for (int i = block->end - 1; i >= block->first; --i) {
    const struct Instruction* instruction = &code->instructions[i];
    const int to = instruction->to;
    if (to != 0 && !bit_is_set(alive, to) && !has_effect(instruction)) {
      unused[i] = any = true;
      continue;
    }
    if (to != 0) bit_clear(alive, to);
    if (instruction->a != 0) bit_set(alive, instruction->a);
    if (instruction->b != 0) bit_set(alive, instruction->b);
  }
  return any;
}

static bool clean_once(struct Code* code) {
  struct Flow flow;
  bool* unused = NEW_ARRAY_IN(&flow_obstack, bool, code->count);
  memset(unused, 0, (size_t)code->count);
  flow_find(code, &flow);
  bool any = false;
  for (int i = 0; i < flow.count; ++i) {
    const struct Block* block = &flow.blocks[i];
    if (block->is_reached) {
      any = mark_unused(code, block, unused) || any;
    } else {
      memset(unused + block->first, 1, (size_t)(block->end - block->first));
      any = true;
    }
  }
  int kept = 0;
  for (int i = 0; i < code->count; ++i) {
    if (!unused[i]) code->instructions[kept++] = code->instructions[i];
  }
  code->count = kept;
  obstack_free(&flow_obstack, unused);
  return any;
}

void flow_clean(struct Code* code) {
  // What is unused may be all that used something else, in another block.
  for (int round = 0; round < 3 && clean_once(code); ++round) {
  }
}
