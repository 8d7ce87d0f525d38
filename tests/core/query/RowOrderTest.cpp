// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <cmath>
#include <random>

#include "core/query/RowOrder.h"

using namespace kinetoscope;
using namespace kinetoscope::query;

class RowOrderTest final : public QObject {
    Q_OBJECT

private slots:
    void numbersSortBothWays();
    void equalKeysKeepTheirOrderBothWays();
    void notANumberIsLastBothWays();
    void textsSortWithoutRegardToCase();
    void wholeNumbersBeyondDoublesAreExact();
    void filterKeepsTheOrderGiven();
    void onlyTheGivenRowsAreSorted();
    void textIsFoundInAnyCase();
};

namespace {

using Rows = std::vector<std::uint32_t>;

Rows sorted(const ColumnKeys& keys, SortOrder order, std::uint32_t rows) {
    Rows result = allRows(rows);
    sortRows(result, keys, order);
    return result;
}

}  // namespace

void RowOrderTest::numbersSortBothWays() {
    const ColumnKeys keys = std::vector<double>{3.5, -1.0, 2.0};
    QCOMPARE(sorted(keys, SortOrder::Ascending, 3), (Rows{1, 2, 0}));
    QCOMPARE(sorted(keys, SortOrder::Descending, 3), (Rows{0, 2, 1}));
}

void RowOrderTest::equalKeysKeepTheirOrderBothWays() {
    const ColumnKeys keys = std::vector<std::int64_t>{1, 2, 1, 2, 1};
    QCOMPARE(sorted(keys, SortOrder::Ascending, 5), (Rows{0, 2, 4, 1, 3}));
    QCOMPARE(sorted(keys, SortOrder::Descending, 5), (Rows{1, 3, 0, 2, 4}));
}

void RowOrderTest::notANumberIsLastBothWays() {
    const ColumnKeys keys = std::vector<double>{std::nan(""), 1.0, std::nan(""), 2.0};
    QCOMPARE(sorted(keys, SortOrder::Ascending, 4), (Rows{1, 3, 0, 2}));
    QCOMPARE(sorted(keys, SortOrder::Descending, 4), (Rows{3, 1, 0, 2}));
}

void RowOrderTest::textsSortWithoutRegardToCase() {
    const ColumnKeys keys = std::vector<std::string_view>{"beta", "Alpha", "alpha", "BETA2", ""};
    QCOMPARE(sorted(keys, SortOrder::Ascending, 5), (Rows{4, 1, 2, 0, 3}));
}

void RowOrderTest::wholeNumbersBeyondDoublesAreExact() {
    const std::int64_t large = std::int64_t{1} << 60;
    const ColumnKeys keys = std::vector<std::int64_t>{large + 1, large, large + 2};
    QCOMPARE(sorted(keys, SortOrder::Ascending, 3), (Rows{1, 0, 2}));
}

void RowOrderTest::filterKeepsTheOrderGiven() {
    QCOMPARE(filterRows(Rows{5, 2, 8, 1}, [](std::uint32_t row) { return row != 8; }),
             (Rows{5, 2, 1}));
}

void RowOrderTest::onlyTheGivenRowsAreSorted() {
    Rows rows{3, 0};
    sortRows(rows, std::vector<double>{4.0, 0.0, 0.0, 1.0}, SortOrder::Descending);
    QCOMPARE(rows, (Rows{0, 3}));
}

void RowOrderTest::textIsFoundInAnyCase() {
    QVERIFY(containsText("void Gemm<float>", "GEMM"));
    QVERIFY(containsText("anything", ""));
    QVERIFY(containsText("", ""));
    QVERIFY(!containsText("gem", "gemm"));
}

QTEST_GUILESS_MAIN(RowOrderTest)
#include "RowOrderTest.moc"
