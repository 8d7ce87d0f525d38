// SPDX-License-Identifier: Apache-2.0
#include "core/compare/InputShapes.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/base/Threads.h"

namespace kinetoscope::compare {

namespace {

// The arguments of that name of the slices at `offsets`, without blanks.
Result<void> readShapes(const trace::EventText& text, const std::vector<trace::SliceId>& slices,
                        const std::vector<std::uint64_t>& offsets, std::string_view key,
                        const std::stop_token& stop, InputShapes& shapes) {
    return text.argument(offsets, key, [&](std::size_t index, std::string_view json) {
        throwIfStopped(stop);
        std::string dimensions(trace::unquoted(json));
        std::erase_if(dimensions,
                      [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
        if (!dimensions.empty()) {
            shapes.emplace(slices[index], std::move(dimensions));
        }
    });
}

}  // namespace

Result<InputShapes> readInputShapes(const trace::Trace& trace, std::vector<trace::SliceId> slices,
                                    const std::stop_token& stop) {
    InputShapes shapes;
    if (slices.empty() || trace.eventText() == nullptr) {
        return shapes;
    }
    const auto offset = [&](trace::SliceId slice) { return trace.offset(slice); };
    std::ranges::sort(slices, {}, offset);
    std::vector<std::uint64_t> offsets;
    std::ranges::transform(slices, std::back_inserter(offsets), offset);
    return guarded([&]() -> Result<InputShapes> {
        const trace::EventText& text = *trace.eventText();
        auto read = readShapes(text, slices, offsets, "Input Dims", stop, shapes);
        if (read && shapes.empty()) {  // as the first versions of the profiler spelled it
            read = readShapes(text, slices, offsets, "Input dims", stop, shapes);
        }
        return read.map([&] { return std::move(shapes); });
    });
}

std::vector<std::uint64_t> elementCounts(std::string_view shapes) {
    std::vector<std::uint64_t> counts;
    std::uint64_t product = 1;
    bool hasNumber = false;
    for (std::size_t at = 0; at < shapes.size(); ++at) {
        const char c = shapes[at];
        if (c >= '0' && c <= '9') {
            std::uint64_t size = 0;
            const char* end = shapes.data() + shapes.size();
            const auto parsed = std::from_chars(shapes.data() + at, end, size);
            at = static_cast<std::size_t>(parsed.ptr - shapes.data()) - 1;
            product *= size;
            hasNumber = true;
        } else if (c == '[' || c == ']') {
            if (hasNumber && product > 1) {
                counts.push_back(product);
            }
            product = 1;
            hasNumber = false;
        }
    }
    std::ranges::sort(counts);
    const auto repeated = std::ranges::unique(counts);
    counts.erase(repeated.begin(), repeated.end());
    return counts;
}

}  // namespace kinetoscope::compare
