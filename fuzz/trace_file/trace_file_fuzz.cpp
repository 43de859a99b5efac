// trace_file_fuzz SECONDS [SEED]: trace files that are crafted, read and replayed.
#include "driver/driver.h"
#include "trace_file/trace_file_state.h"

int main(int argc, char** argv) {
  return mmt::fuzz::fuzz<mmt::fuzz::TraceFileState>(argc, argv, 60);
}
