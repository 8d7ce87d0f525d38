// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a compressed file. Both libraries for gzip give the same text, whatever
// the size of the pieces that are asked for, and what one of them refuses is said.
#include <memory>
#include <vector>

#include "core/import/source/Expansion.h"
#include "core/import/source/GzipSource.h"
#include "core/import/source/OpenTextSource.h"
#include "tests/fuzz/Require.h"
#include "tests/support/MemoryFiles.h"

using namespace kinetoscope;
using namespace kinetoscope::import::source;
using namespace kinetoscope::test;

namespace {

constexpr std::size_t kMaxText = 64U << 20U;

/// A file in memory, of the bytes.
std::string readAll(TextSource& source, std::size_t piece) {
    std::vector<char> buffer(piece);
    std::string text;
    while (const std::size_t got = source.read(buffer.data(), piece)) {
        require(got <= piece, "more than was asked for");
        text.append(buffer.data(), got);
        if (text.size() > kMaxText) {
            break;
        }
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    expansionLimit() = {300.0, 8U << 20U};
    const std::size_t piece = 1 + std::size_t{data[0]} * 16;
    const MemoryFile memory(textOf(data + 1, size - 1));
    const auto file = InputFile::open(memory.path());
    require(file.has_value(), "a file in memory does not open");
    const auto source = openTextSource(*file);
    if (!source) {
        requireLine(source.error().message);
        return 0;
    }
    const std::string text = readAll(**source, piece);
    require((*source)->compression().empty() || text.size() <= 300 * size + (9U << 20U),
            "more text than its file may have");
    const auto again = openTextSource(*file);
    require(again.has_value(), "it opens once only");
    const std::string other = readAll(**again, 1U << 20U);
    // How much of a damaged stream comes before it is refused is the library's affair.
    require((*source)->issue() ? text.starts_with(other) || other.starts_with(text)
                               : other == text && !(*again)->issue(),
            "other pieces, another text");
    if ((*source)->compression() == "gzip" && !(*source)->issue()) {
        GzipSource zlib(*file, GzipLibrary::Zlib);
        require(readAll(zlib, piece) == text && !zlib.issue(), "another library, another text");
    }
    return 0;
}
