// pool_fuzz SECONDS [SEED]: random words in pools of records.
#include "driver/driver.h"
#include "pool/pool_state.h"

int main(int argc, char** argv) { return mmt::fuzz::fuzz<mmt::fuzz::PoolState>(argc, argv, 400); }
