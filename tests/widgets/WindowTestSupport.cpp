// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/WindowTestSupport.h"

#include <QRegularExpression>
#include <QTest>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

void failOnQtWarnings() {
    QTest::failOnWarning(QRegularExpression(
        QStringLiteral("^(?!This plugin does not support|QStandardPaths: XDG_RUNTIME_DIR)")));
}

QString samplePath() {
    return QStringLiteral(KINETOSCOPE_SOURCE_DIR "/resources/sample.json.gz");
}

std::shared_ptr<const Trace> makeTrace(const std::vector<TestKernel>& kernels, bool complete) {
    TraceBuilder builder;
    const TrackId cpu = builder.track({.value = 4711}, {.value = 1});
    const TrackId gpu = builder.track({.value = 0}, {.value = 7});
    TimeNs end = 1;
    for (const TestKernel& kernel : kernels) {
        end = std::max(end, kernel.start + kernel.duration);
    }
    builder.addSlice({.start = 0,
                      .duration = end,
                      .name = builder.name("aten::linear"),
                      .track = cpu,
                      .category = static_cast<CategoryId>(Category::CpuOp)});
    for (const TestKernel& kernel : kernels) {
        GpuOperation operation;
        operation.slice = builder.addSlice({.start = kernel.start,
                                            .duration = kernel.duration,
                                            .name = builder.name(kernel.name),
                                            .track = gpu,
                                            .category = static_cast<CategoryId>(Category::Kernel)});
        operation.stream = 7;
        operation.grid = {4, 1, 1};
        operation.block = {128, 1, 1};
        builder.addGpuOperation(operation);
    }
    return complete ? builder.finish() : builder.snapshot();
}

}  // namespace kinetoscope
