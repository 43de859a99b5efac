#!/bin/sh
# Builds the hardened allocators that Debian does not have, below build/peers: mimalloc's secure build
# and snmalloc's checked build, from the sources in their Rust crates. Debian's LLVM has scudo. At the
# end it prints the libraries, for `mmt bench --allocators`.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/peers/src
cd build/peers
cat >Cargo.toml <<'CARGO'
[package]
name = "peers"
version = "0.0.0"
edition = "2021"
[dependencies]
libmimalloc-sys = "=0.1.49"
snmalloc-sys = "=0.3.8"
CARGO
: >src/lib.rs
[ -d vendor ] || cargo vendor --quiet vendor >/dev/null
mimalloc=vendor/libmimalloc-sys/c_src/mimalloc/v2
[ -f libmimalloc-secure.so ] ||
    cc -O3 -DNDEBUG -DMI_SECURE=4 -DMI_MALLOC_OVERRIDE=1 -DMI_SHARED_LIB=1 -DMI_SHARED_LIB_EXPORT=1 \
        -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec -I"$mimalloc/include" \
        "$mimalloc/src/static.c" -o libmimalloc-secure.so -lpthread
if [ ! -f snmalloc/libsnmallocshim-checks.so ]; then
    cmake -S vendor/snmalloc-sys/snmalloc -B snmalloc -DCMAKE_BUILD_TYPE=Release \
        -DSNMALLOC_BUILD_TESTING=OFF >/dev/null
    cmake --build snmalloc --target snmallocshim-checks >/dev/null
fi
scudo=$(ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.scudo_standalone-x86_64.so 2>/dev/null | tail -n 1)
printf '%s\n' "$PWD/libmimalloc-secure.so" "$PWD/snmalloc/libsnmallocshim-checks.so" $scudo
