// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

using namespace trace;

/// A trace like that of a training run, without a file: kernels of 2 to 40 µs on the streams of two
/// GPUs (two of five slices), operators nested five to eight deep on four threads, the innermost of
/// which launch the kernels in turn. The same for the same numbers of slices and names.
class LargeTrace {
public:
    static constexpr int kGpus = 2;

    explicit LargeTrace(std::size_t slices, std::uint64_t names = 400)
        : m_slices(slices), m_gpuSlices(slices / 5 * 2), m_nameCount(names) {}

    std::shared_ptr<const Trace> make() {
        for (std::uint64_t i = 0; i < m_nameCount; ++i) {
            m_names.push_back(m_builder.name(fmt::format("void at::native::kernel_{}<float>", i)));
        }
        const TimeNs end = addStreams();
        addThreads(end);
        return m_builder.finish();
    }

private:
    static constexpr int kStreams = 4;
    static constexpr int kThreads = 4;

    TimeNs below(std::uint64_t most) { return static_cast<TimeNs>(m_random() % most); }

    void add(TrackId track, TimeSpan span, Category category, std::int64_t correlation) {
        SliceInput slice;
        slice.start = span.start;
        slice.duration = span.duration();
        slice.name = m_names[static_cast<std::size_t>(below(m_nameCount))];
        slice.track = track;
        slice.category = static_cast<CategoryId>(category);
        slice.correlation = correlation;
        const SliceId id = m_builder.addSlice(slice);
        if (category == Category::Kernel) {
            GpuOperation operation;
            operation.slice = id;
            operation.gpu = static_cast<std::int32_t>(m_gpu);
            operation.stream = m_stream;
            m_builder.addGpuOperation(operation);
        }
    }

    TimeNs addStreams() {
        TimeNs last = 0;
        std::int64_t correlation = 0;
        for (m_gpu = 0; m_gpu < kGpus; ++m_gpu) {
            for (int stream = 0; stream < kStreams; ++stream) {
                m_stream = 7 + stream;
                const TrackId track = m_builder.track({false, m_gpu}, {false, m_stream});
                TimeNs time = 0;
                for (std::size_t i = 0; i < m_gpuSlices / (kGpus * kStreams); ++i) {
                    const TimeNs length = 2'000 + below(38'000);
                    add(track, {time, time + length}, Category::Kernel, correlation++);
                    time += length + below(4) * below(20'000);
                }
                last = std::max(last, time);
            }
        }
        return last;
    }

    void addThreads(TimeNs end) {
        const std::size_t each = (m_slices - m_gpuSlices) / kThreads;
        std::int64_t correlation = 0;
        for (int thread = 0; thread < kThreads; ++thread) {
            const TrackId track = m_builder.track({false, 477}, {false, 477 + thread});
            const auto stacks = static_cast<TimeNs>(each * 2 / 13);  // of 6.5 slices on average
            std::size_t left = each;
            for (TimeNs time = 0; left > 0; time += end / stacks) {
                TimeSpan span{time, time + end / stacks - below(2'000)};
                for (TimeNs depth = 5 + below(4); depth > 0 && left > 0; --depth, --left) {
                    const bool launches = depth == 1;
                    add(track, span, launches ? Category::Runtime : Category::CpuOp,
                        launches ? correlation++ : kNoId);
                    span.start += 1 + below(300);
                    span.end = std::max(span.start, span.end - 1 - below(3'000));
                }
            }
        }
    }

    std::size_t m_slices;
    std::size_t m_gpuSlices;
    std::uint64_t m_nameCount;
    TraceBuilder m_builder;
    std::mt19937_64 m_random{1};
    std::vector<NameId> m_names;
    std::int64_t m_gpu = 0;
    std::int64_t m_stream = 0;
};

}  // namespace kinetoscope
