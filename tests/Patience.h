// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>
#include <utility>

// How long tests wait for what has to come: QTest's own 5 s are too short beside other work.
namespace kinetoscope {

inline constexpr int kPatienceMs = 60'000;

/// Runs the event loop until the predicate is true; false: it did not become so.
template <class Predicate>
[[nodiscard]] bool waitFor(Predicate&& predicate, int milliseconds = kPatienceMs) {
    return QTest::qWaitFor(std::forward<Predicate>(predicate), milliseconds);
}

}  // namespace kinetoscope

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT((expr), kinetoscope::kPatienceMs)
#define QTRY_VERIFY2(expr, text) QTRY_VERIFY2_WITH_TIMEOUT((expr), (text), kinetoscope::kPatienceMs)
#define QTRY_COMPARE(expr, expected) \
    QTRY_COMPARE_WITH_TIMEOUT((expr), (expected), kinetoscope::kPatienceMs)
