// SPDX-License-Identifier: Apache-2.0
// For fuzzers whose inputs have parts: half of libFuzzer's changes are of whole ones, as
// KINETOSCOPE_MUTATOR makes them, a class of tests/support.
#include <cstring>

#include "tests/fuzz/Require.h"
#include KINETOSCOPE_MUTATOR_HEADER

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);

namespace {

// The size, or 0 where it does not fit.
std::size_t put(const std::string& text, std::uint8_t* data, std::size_t limit) {
    if (text.size() > limit) {
        return 0;
    }
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
    if (seed % 2 == 0) {
        const std::string text(kinetoscope::test::textOf(data, size));
        const std::size_t changed =
            put(kinetoscope::test::KINETOSCOPE_MUTATOR(seed).change(text, text), data, limit);
        if (changed > 0) {
            return changed;
        }
    }
    return LLVMFuzzerMutate(data, size, limit);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t firstSize,
                                                 const std::uint8_t* second, std::size_t secondSize,
                                                 std::uint8_t* data, std::size_t limit,
                                                 unsigned seed) {
    const std::string text(kinetoscope::test::textOf(first, firstSize));
    const std::string_view other = kinetoscope::test::textOf(second, secondSize);
    return put(kinetoscope::test::KINETOSCOPE_MUTATOR(seed).change(text, other), data, limit);
}
