// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "core/query/Search.h"
#include "tests/core/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class SearchTest final : public QObject {
    Q_OBJECT

private slots:
    void textMatchesInAnyCaseByTime();
    void expressionsMatchBetweenSlashes();
    void loneSlashesAreText();
    void brokenExpressionIsExplained();
    void emptyPatternFindsNothing();
};

namespace {

struct Named {
    std::shared_ptr<const Trace> trace;
    SliceId late = 0;
    SliceId early = 0;
    SliceId other = 0;
};

Named sample() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    Named named;
    named.late = fixture.slice(track, 50, 60, "sm90_GEMM_fast");
    named.early = fixture.slice(track, 10, 20, "gemm");
    named.other = fixture.slice(track, 30, 40, "a/b");
    named.trace = fixture.finish();
    return named;
}

}  // namespace

void SearchTest::textMatchesInAnyCaseByTime() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "GeMm"), (std::vector{named.early, named.late}));
    QCOMPARE(findSlices(*named.trace, "gemm_x")->size(), std::size_t{0});
}

void SearchTest::expressionsMatchBetweenSlashes() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "/^sm\\d+_gemm/"), (std::vector{named.late}));
    QCOMPARE(*findSlices(*named.trace, "/^(gemm|a.b)$/"), (std::vector{named.early, named.other}));
}

void SearchTest::loneSlashesAreText() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "/"), (std::vector{named.other}));
    QCOMPARE(findSlices(*named.trace, "//")->size(), std::size_t{0});
}

void SearchTest::brokenExpressionIsExplained() {
    const Named named = sample();
    const auto found = findSlices(*named.trace, "/a(b/");
    QVERIFY(!found.has_value());
    QVERIFY(QString::fromStdString(found.error().message).contains("/a(b/"));
}

void SearchTest::emptyPatternFindsNothing() {
    QCOMPARE(findSlices(*sample().trace, "")->size(), std::size_t{0});
}

QTEST_GUILESS_MAIN(SearchTest)
#include "SearchTest.moc"
