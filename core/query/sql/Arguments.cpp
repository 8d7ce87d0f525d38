// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/Threads.h"

namespace kinetoscope::query::sql {

namespace {

// So many events are read one by one where reading can begin anywhere; one more reads all.
constexpr std::size_t kSingles = 128;
// Of a compressed file, where each means reading from its beginning.
constexpr std::size_t kDearSingles = 1;
constexpr std::size_t kMaxKeys = 64;

}  // namespace

Result<std::string_view> Arguments::find(trace::SliceId slice, const std::string& name,
                                         std::size_t maxBytes, const std::stop_token& stop) {
    const trace::EventText* const text = m_trace.eventText();
    if (text == nullptr) {
        return std::string_view();
    }
    if (m_keys.size() >= kMaxKeys && !m_keys.contains(name)) {
        m_keys.clear();
    }
    Key& key = m_keys[name];
    if (key.ofSlice.empty()) {
        if (key.requests < (text->startsAnywhere() ? kSingles : kDearSingles)) {
            ++key.requests;
            const std::uint64_t offset = m_trace.offset(slice);
            m_single.clear();
            const auto read = text->argument(
                {&offset, 1}, name, [&](std::size_t, std::string_view json) { m_single = json; });
            return read.map([&] { return std::string_view(m_single); });
        }
        if (auto read = readAll(key, name, maxBytes, stop); !read) {
            key = Key();
            return tl::unexpected(read.error());
        }
    }
    return key.values.view(key.ofSlice[slice]);
}

Result<void> Arguments::readAll(Key& key, const std::string& name, std::size_t maxBytes,
                                const std::stop_token& stop) {
    std::vector<trace::SliceId> slices(m_trace.sliceCount());
    std::iota(slices.begin(), slices.end(), trace::SliceId{0});
    const auto offsetOf = [&](trace::SliceId slice) { return m_trace.offset(slice); };
    if (!std::ranges::is_sorted(slices, {}, offsetOf)) {
        std::ranges::sort(slices, {}, offsetOf);
    }
    std::vector<std::uint64_t> offsets(slices.size());
    std::ranges::transform(slices, offsets.begin(), offsetOf);
    key.ofSlice.resize(slices.size());
    struct TooMuch {};
    try {
        return m_trace.eventText()->argument(
            offsets, name, [&](std::size_t i, std::string_view json) {
                constexpr std::size_t kBetweenLooks = 4096;
                if (i % kBetweenLooks == 0) {
                    throwIfStopped(stop);
                    if (maxBytes > 0 && key.values.memoryBytes() > maxBytes) {
                        throw TooMuch();
                    }
                }
                key.ofSlice[slices[i]] = key.values.intern(json);
            });
    } catch (const TooMuch&) {
        return fail(fmt::format("the arguments '{}' of all events exceed the memory limit; select "
                                "fewer events, or raise the limit",
                                name),
                    ErrorKind::Output);
    }
}

}  // namespace kinetoscope::query::sql
