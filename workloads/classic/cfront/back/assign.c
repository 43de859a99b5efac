// This is linear scan. Each virtual register is alive in one interval of the code. The intervals
// are met in the order of their beginnings. The one that ends last lives in the frame when there
// are more intervals than registers.
#include <string.h>

#include "classic/cfront/back/code.h"
#include "classic/cfront/obstacks.h"

struct Interval {
  int virtual_register;
  int begin;
  int end;
};

// Where a virtual register is: a real register, or, below 0, the frame at -1 - home.
struct Assignment {
  int* homes;
  int in_frame;
};

static void widen(struct Interval* interval, int at) {
  if (interval->begin < 0 || at < interval->begin) interval->begin = at;
  if (at > interval->end) interval->end = at;
}

// Those of all registers in a set.
static void widen_all(struct Interval* intervals, const uint64_t* set, int words, int at) {
  for (int i = 0; i < words; ++i) {
    for (uint64_t left = set[i]; left != 0; left &= left - 1) {
      widen(&intervals[64 * i + __builtin_ctzll(left)], at);
    }
  }
}

static void find_intervals(const struct Code* code, struct Interval* intervals) {
  struct Flow flow;
  flow_find(code, &flow);
  for (int i = 0; i < code->registers; ++i) {
    const struct Interval nowhere = {i, -1, -1};
    intervals[i] = nowhere;
  }
  for (int i = 0; i < flow.count; ++i) {
    const struct Block* block = &flow.blocks[i];
    for (int j = block->first; j < block->end; ++j) {
      const struct Instruction* instruction = &code->instructions[j];
      if (instruction->to != 0) widen(&intervals[instruction->to], j);
      if (instruction->a != 0) widen(&intervals[instruction->a], j);
      if (instruction->b != 0) widen(&intervals[instruction->b], j);
    }
    widen_all(intervals, block->in, flow.words, block->first);
    widen_all(intervals, block->out, flow.words, block->end);
  }
}

// Intervals in the order of their beginnings, without those of registers that do not occur.
static int sort_intervals(const struct Code* code, const struct Interval* intervals,
                          struct Interval* sorted) {
  int* starts = NEW_ARRAY_IN(&flow_obstack, int, code->count + 2);
  memset(starts, 0, (size_t)(code->count + 2) * sizeof *starts);
  for (int i = 1; i < code->registers; ++i) ++starts[intervals[i].begin + 2];
  const int left_out = starts[1];
  starts[1] = 0;
  for (int i = 2; i < code->count + 2; ++i) starts[i] += starts[i - 1];
  int count = code->registers - 1 - left_out;
  for (int i = 1; i < code->registers; ++i) {
    if (intervals[i].begin >= 0) sorted[starts[intervals[i].begin + 1]++] = intervals[i];
  }
  obstack_free(&flow_obstack, starts);
  return count;
}

static void to_frame(struct Assignment* assignment, struct Code* code, int virtual_register) {
  code->frame = (code->frame + 7) / 8 * 8;
  assignment->homes[virtual_register] = -1 - code->frame;
  code->frame += 8;
  ++assignment->in_frame;
}

static void scan(struct Assignment* assignment, struct Code* code, const struct Interval* sorted,
                 int count) {
  struct Interval active[kRegisters];
  bool taken[kRegisters + 1] = {false};
  int active_count = 0;
  for (int i = 0; i < count; ++i) {
    int last = -1;
    for (int j = 0; j < active_count; ++j) {
      if (active[j].end <= sorted[i].begin) {
        taken[assignment->homes[active[j].virtual_register]] = false;
        active[j--] = active[--active_count];
      }
    }
    for (int j = 0; j < active_count; ++j) {
      if (last < 0 || active[j].end > active[last].end) last = j;
    }
    if (active_count < kRegisters) {
      int home = 1;
      while (taken[home]) ++home;
      taken[home] = true;
      assignment->homes[sorted[i].virtual_register] = home;
      active[active_count++] = sorted[i];
    } else if (active[last].end > sorted[i].end) {
      const int spilled = active[last].virtual_register;
      assignment->homes[sorted[i].virtual_register] = assignment->homes[spilled];
      to_frame(assignment, code, spilled);
      active[last] = sorted[i];
    } else {
      to_frame(assignment, code, sorted[i].virtual_register);
    }
  }
}

static void put_frame(enum Opcode opcode, int to, int b, int home) {
  const struct Instruction instruction = {(uint8_t)opcode, 0, 8, false, to, 0, b, -1 - home};
  code_append(&instruction);
}

// The real register for an operand, loaded from the frame if it must be.
static int operand(const int* homes, int virtual_register, int scratch) {
  if (virtual_register == 0) return 0;
  const int home = homes[virtual_register];
  if (home > 0) return home;
  put_frame(kCodeLoadFrame, scratch, 0, home);
  return scratch;
}

static void rewrite(struct Code* code, const int* homes) {
  int* places = NEW_ARRAY_IN(&flow_obstack, int, code->labels);
  code_begin();
  for (int i = 0; i < code->count; ++i) {
    struct Instruction instruction = code->instructions[i];
    if (instruction.opcode == kCodeLabel) {
      places[instruction.number] = code_length();
      continue;
    }
    instruction.a = operand(homes, instruction.a, kRegisters + 1);
    instruction.b = operand(homes, instruction.b, kRegisters + 2);
    const int home = instruction.to == 0 ? 0 : homes[instruction.to];
    instruction.to = home < 0 ? kRegisters + 1 : home;
    if (instruction.opcode == kCodeMove && instruction.to == instruction.a && home > 0) continue;
    code_append(&instruction);
    if (home < 0) put_frame(kCodeStoreFrame, 0, kRegisters + 1, home);
  }
  code_finish(code);
  for (int i = 0; i < code->count; ++i) {
    struct Instruction* instruction = &code->instructions[i];
    if (is_jump(instruction)) instruction->number = places[instruction->number];
  }
}

int assign_registers(struct Code* code) {
  struct Interval* intervals = NEW_ARRAY_IN(&flow_obstack, struct Interval, code->registers);
  struct Interval* sorted = NEW_ARRAY_IN(&flow_obstack, struct Interval, code->registers);
  struct Assignment assignment = {NEW_ARRAY_IN(&flow_obstack, int, code->registers), 0};
  find_intervals(code, intervals);
  const int count = sort_intervals(code, intervals, sorted);
  // Scratch for what is never alive.
  for (int i = 0; i < code->registers; ++i) assignment.homes[i] = kRegisters + 1;
  scan(&assignment, code, sorted, count);
  rewrite(code, assignment.homes);
  obstack_free(&flow_obstack, intervals);
  return assignment.in_frame;
}
