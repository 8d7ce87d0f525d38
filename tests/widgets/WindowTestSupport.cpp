// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/WindowTestSupport.h"

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>
#include <QTimer>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

void failOnQtWarnings() {
    QTest::failOnWarning(QRegularExpression(
        QStringLiteral("^(?!This plugin does not support|QStandardPaths: XDG_RUNTIME_DIR)")));
}

QString samplePath() {
    return QStringLiteral(KINETOSCOPE_SOURCE_DIR "/resources/sample.json.gz");
}

void answerFileDialog(const QString& path) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog != nullptr) {
            timer->deleteLater();
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, path.isEmpty() ? "reject" : "accept");
        }
    });
    timer->start(20);
}

std::shared_ptr<const trace::Trace> makeTrace(const std::vector<TestKernel>& kernels, bool complete,
                                              std::uint64_t drops) {
    trace::TraceBuilder builder;
    builder.counts().drops = drops;
    const trace::TrackId cpu = builder.track({.value = 4711}, {.value = 1});
    const trace::TrackId gpu = builder.track({.value = 0}, {.value = 7});
    TimeNs end = 1;
    for (const TestKernel& kernel : kernels) {
        end = std::max(end, kernel.start + kernel.duration);
    }
    builder.addSlice({.start = 0,
                      .duration = end,
                      .name = builder.name("aten::linear"),
                      .track = cpu,
                      .category = static_cast<trace::CategoryId>(trace::Category::CpuOp)});
    for (const TestKernel& kernel : kernels) {
        trace::GpuOperation operation;
        operation.slice =
            builder.addSlice({.start = kernel.start,
                              .duration = kernel.duration,
                              .name = builder.name(kernel.name),
                              .track = gpu,
                              .category = static_cast<trace::CategoryId>(trace::Category::Kernel)});
        operation.stream = 7;
        operation.grid = {4, 1, 1};
        operation.block = {128, 1, 1};
        builder.addGpuOperation(operation);
    }
    return complete ? builder.finish() : builder.snapshot();
}

}  // namespace kinetoscope
