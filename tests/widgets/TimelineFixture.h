// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>
#include <memory>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

/// Sent straight to the widget: QTest::mouseMove() moves the real pointer, which ends at the edge
/// of the screen and tells every window that appears below it.
inline void movePointer(QWidget& widget, QPointF at, Qt::MouseButtons buttons = Qt::NoButton,
                        Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons,
                      modifiers);
    QApplication::sendEvent(&widget, &event);
}

/// A run of 10 µs on one GPU with two streams and one thread, and every other kind of row.
/// Times in nanoseconds; the whole trace is 0 to 10,000.
struct TimelineFixture {
    std::shared_ptr<const trace::Trace> trace;
    trace::TrackId stream7 = 0;
    trace::TrackId stream13 = 0;
    trace::TrackId thread = 0;
    trace::SliceId op = 0;       ///< thread, 0 to 10,000
    trace::SliceId mm = 0;       ///< in op, 1,000 to 3,000
    trace::SliceId call = 0;     ///< in mm, 1,500 to 2,000
    trace::SliceId next = 0;     ///< after mm on its lane, 6,000 to 7,000
    trace::SliceId gemm = 0;     ///< stream 7, 4,000 to 6,000, launched by call
    trace::SliceId overlap = 0;  ///< stream 7, 5,000 to 8,000, on a second lane
    trace::SliceId copy = 0;     ///< stream 13, 8,000 to 9,000
    std::uint32_t gpu = 0;       ///< process rows
    std::uint32_t python = 0;

    TimelineFixture() {
        trace::TraceBuilder builder;
        const trace::RowId device{false, 0};
        const trace::RowId pid{false, 477};
        announceEmptyGpu(builder);
        thread = builder.track(pid, {false, 478});
        stream13 = builder.track(device, {false, 13});
        stream7 = builder.track(device, {false, 7});
        gpu = builder.process(device);
        python = builder.process(pid);
        builder.trackRow(builder.track(device, {false, 99})).name = builder.name("announced only");
        builder.processRow(python).name = builder.name("python");
        builder.processRow(python).sortIndex = 477;
        builder.processRow(gpu).labels = builder.name("GPU 0");
        builder.processRow(gpu).sortIndex = 5'000'000;
        builder.trackRow(stream7).name = builder.name("stream 7 ");
        trace::DeviceProperties properties;
        properties.name = "NVIDIA H200";
        builder.info().devices.push_back(properties);

        op = add(builder, thread, 0, 10'000, "ProfilerStep#1", trace::Category::UserAnnotation);
        mm = add(builder, thread, 1'000, 3'000, "aten::mm", trace::Category::CpuOp);
        call = add(builder, thread, 1'500, 2'000, "cudaLaunchKernel", trace::Category::Runtime, 5);
        next = add(builder, thread, 6'000, 7'000, "aten::add", trace::Category::CpuOp);
        gemm = add(builder, stream7, 4'000, 6'000, "void cutlass::Kernel2<float>(Params)",
                   trace::Category::Kernel, 5);
        addOperation(builder, gemm, 7);
        overlap = add(builder, stream7, 5'000, 8'000, "reduce", trace::Category::Kernel, 6);
        addOperation(builder, overlap, 7);
        copy = add(builder, stream13, 8'000, 9'000, "Memcpy HtoD (Pageable -> Device)",
                   trace::Category::GpuMemcpy, 7);
        addOperation(builder, copy, 13);
        addMarks(builder);
        trace = builder.finish();
    }

    static constexpr double kCounterMost = 40.0;

private:
    static trace::SliceId add(trace::TraceBuilder& builder, trace::TrackId track, TimeNs start,
                              TimeNs end, const char* name, trace::Category category,
                              std::int64_t correlation = trace::kNoId) {
        return builder.addSlice({.start = start,
                                 .duration = end - start,
                                 .correlation = correlation,
                                 .name = builder.name(name),
                                 .track = track,
                                 .category = static_cast<trace::CategoryId>(category)});
    }
    static void addOperation(trace::TraceBuilder& builder, trace::SliceId slice,
                             std::int64_t stream) {
        trace::GpuOperation operation;
        operation.slice = slice;
        operation.stream = stream;
        operation.grid = {132, 2, 1};
        operation.block = {256, 1, 1};
        operation.registers = 96;
        builder.addGpuOperation(operation);
    }
    static void announceEmptyGpu(trace::TraceBuilder& builder) {
        builder.processRow(builder.process({false, 3})).labels = builder.name("GPU 3");
    }
    void addMarks(trace::TraceBuilder& builder) const {
        trace::Instant instant;
        instant.track = thread;
        instant.name = builder.name("[memory]");
        for (const TimeNs time : {9'000, 500, 501}) {
            instant.time = time;
            builder.addInstant(instant);
        }
        trace::CounterSample sample;
        sample.track =
            builder.track({false, 477}, {true, builder.name("queue")}, trace::TrackKind::Counter);
        for (const auto& [time, value] :
             {std::pair{2'000, 10.0}, {0, 0.0}, {5'000, kCounterMost}, {7'000, 20.0}}) {
            sample.time = time;
            sample.value = value;
            builder.addCounter(sample);
        }
    }
};

}  // namespace kinetoscope
