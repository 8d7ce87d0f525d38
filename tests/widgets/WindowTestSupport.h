// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope {

/// Call in init(): a warning of Qt fails the test, but for two that any machine without a screen
/// gives.
void failOnQtWarnings();

/// The sample trace of resources.
[[nodiscard]] QString samplePath();

/// Answers the next file dialog with this path; cancels it without one.
void answerFileDialog(const QString& path);

/// A kernel as makeTrace() writes it.
struct TestKernel {
    const char* name;
    TimeNs start;
    TimeNs duration;
};

/// One GPU with these kernels on stream 7, and a CPU thread with one operator around them all.
/// `drops`: how often older ones were dropped.
[[nodiscard]] std::shared_ptr<const trace::Trace> makeTrace(const std::vector<TestKernel>& kernels,
                                                            bool complete = true,
                                                            std::uint64_t drops = 0);

}  // namespace kinetoscope
