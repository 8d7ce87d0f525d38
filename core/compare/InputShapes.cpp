// SPDX-License-Identifier: Apache-2.0
#include "core/compare/InputShapes.h"

#include <algorithm>
#include <charconv>

#include "core/cut/EventWalk.h"
#include "core/import/chrome/StoredEvents.h"
#include "core/import/event/EventArguments.h"

namespace kinetoscope::compare {

namespace {

std::string dimensionsOf(const import::event::RawEvent& event) {
    std::string dimensions;
    const import::scan::JsonText arguments = event[import::event::EventField::Args];
    if (arguments.data == nullptr || arguments.view().empty() || arguments.view()[0] != '{') {
        return dimensions;
    }
    import::event::forEachMember(
        arguments, [&](const import::scan::JsonText& key, const import::scan::JsonText& value) {
            const std::string_view name = key.view();
            if (name == "Input Dims" || name == "Input dims") {
                dimensions.assign(value.view());
            }
        });
    std::erase_if(dimensions,
                  [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
    return dimensions;
}

}  // namespace

Result<InputShapes> readInputShapes(const trace::Trace& trace, std::vector<trace::SliceId> slices,
                                    const std::stop_token& stop) {
    InputShapes shapes;
    if (slices.empty() || trace.info().format.find("JSON") == std::string::npos) {
        return shapes;
    }
    auto source = import::chrome::openTextOf(trace);
    if (!source) {
        return tl::unexpected(source.error());
    }
    std::ranges::sort(slices, {}, [&](trace::SliceId slice) { return trace.offset(slice); });
    import::source::TextWindow window(**source, import::source::kTextChunk, stop);
    cut::EventWalk walk(window);
    import::event::RawEvent event;
    auto wanted = slices.begin();
    if (walk.enter()) {
        while (wanted != slices.end() && walk.next(event)) {
            while (wanted != slices.end() && trace.offset(*wanted) < event.offset) {
                ++wanted;
            }
            for (; wanted != slices.end() && trace.offset(*wanted) == event.offset; ++wanted) {
                if (std::string dimensions = dimensionsOf(event); !dimensions.empty()) {
                    shapes.emplace(*wanted, std::move(dimensions));
                }
            }
        }
    }
    if (window.stopped()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    if ((*source)->changed()) {
        return fail("'" + trace.info().path +
                    "' was written to while it was read; compare it again");
    }
    return shapes;
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
