// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <zlib.h>

#include "core/bench/operators/OperatorInputs.h"

namespace kinetoscope {

extern const std::string_view kSuiteTimm;
extern const std::string_view kSuiteHuggingface;
extern const std::string_view kSuiteTorchbench;
extern const std::string_view kNoInductorImpl;

}  // namespace kinetoscope

namespace kinetoscope::bench::operators {

namespace {

// The length of the content stands in the last four bytes of a gzip file.
std::size_t contentBytes(std::string_view gzip) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(gzip[gzip.size() - 4 + i]))
                  << (8 * i);
    }
    return length;
}

Result<std::string> inflated(std::string_view gzip) {
    std::string text(contentBytes(gzip), '\0');
    z_stream stream{};
    if (::inflateInit2(&stream, 15 + 16) != Z_OK) {
        return fail("no memory to unpack a resource", ErrorKind::Output);
    }
    std::string packed(gzip);  // zlib wants it writable
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    const int status = ::inflate(&stream, Z_FINISH);
    ::inflateEnd(&stream);
    if (status != Z_STREAM_END) {
        return fail("a resource in this program is damaged", ErrorKind::Output);
    }
    return text;
}

}  // namespace

Result<std::string> operatorSuite(std::string_view name) {
    if (name == "timm") {
        return inflated(kSuiteTimm);
    }
    if (name == "huggingface") {
        return inflated(kSuiteHuggingface);
    }
    if (name == "torchbench") {
        return inflated(kSuiteTorchbench);
    }
    return fail(fmt::format("unknown suite '{}'; the suites are {}", name,
                            fmt::join(kOperatorSuites, ", ")));
}

bool hasInductorImpl(std::string_view name) {
    static const std::string names = "\n" + inflated(kNoInductorImpl).value_or("");
    return names.find(fmt::format("\n{}\n", name)) == std::string::npos;
}

}  // namespace kinetoscope::bench::operators
