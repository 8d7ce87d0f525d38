// SPDX-License-Identifier: Apache-2.0
// isal_inflate FILE.gz: the yardstick for compressed files. ISA-L decompresses all members into one
// small buffer, and nothing looks at the text.
#include <fcntl.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr std::size_t kBuffer = 256 * 1024;

// Bytes of text; -1 when the data is damaged.
std::int64_t inflateAll(int file) {
    const auto state = std::make_unique<inflate_state>();
    std::vector<std::uint8_t> in(kBuffer);
    std::vector<std::uint8_t> out(kBuffer);
    isal_inflate_init(state.get());
    state->crc_flag = ISAL_GZIP;
    std::int64_t bytes = 0;
    for (;;) {
        if (state->avail_in == 0) {
            const ssize_t count = ::read(file, in.data(), in.size());
            if (count <= 0) {
                return bytes;
            }
            state->next_in = in.data();
            state->avail_in = static_cast<std::uint32_t>(count);
        }
        if (state->block_state == ISAL_BLOCK_FINISH) {
            isal_inflate_reset(state.get());
            state->crc_flag = ISAL_GZIP;
        }
        do {
            state->next_out = out.data();
            state->avail_out = static_cast<std::uint32_t>(out.size());
            if (isal_inflate(state.get()) < 0) {
                return -1;
            }
            bytes += static_cast<std::int64_t>(out.size()) - state->avail_out;
        } while (state->avail_out == 0);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int file = argc == 2 ? ::open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        fmt::print(stderr, "isal_inflate FILE.gz\n");
        return 2;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t bytes = inflateAll(file);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    fmt::print("{:.3f} s  {} bytes of text\n", seconds.count(), bytes);
    return bytes > 0 ? 0 : 2;
}
