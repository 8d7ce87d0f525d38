// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "core/query/IdGroups.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class IdGroupsTest final : public QObject {
    Q_OBJECT

private slots:
    void idsAreNumberedFromTheLowest_data();
    void idsAreNumberedFromTheLowest();
    void noIdsAtAll();
    void slicesOfAnIdAreInFileOrder();
};

void IdGroupsTest::idsAreNumberedFromTheLowest_data() {
    QTest::addColumn<qlonglong>("first");
    QTest::addColumn<qlonglong>("widest");
    for (const qlonglong widest : {1, 2, 16, 40, 63, 64, 65, 300, 100'000}) {
        QTest::addRow("from 0, steps up to %lld", widest) << 0LL << widest;
        QTest::addRow("negative, steps up to %lld", widest) << -700LL << widest;
    }
    QTest::newRow("the largest") << std::numeric_limits<qlonglong>::max() - 3 << 1LL;
    QTest::newRow("over the whole range")
        << std::numeric_limits<qlonglong>::min() + 1 << std::numeric_limits<qlonglong>::max() / 4;
}

void IdGroupsTest::idsAreNumberedFromTheLowest() {
    QFETCH(const qlonglong, first);
    QFETCH(const qlonglong, widest);
    std::mt19937_64 random(7);
    std::set<std::int64_t> known{first};
    std::vector<std::int64_t> ids{kNoId, first, first};
    for (std::int64_t id = first; ids.size() < 5000;) {
        const auto step = static_cast<std::int64_t>(1 + random() % static_cast<quint64>(widest));
        if (id > std::numeric_limits<std::int64_t>::max() - step) {
            break;
        }
        id += step;
        known.insert(id);
        ids.push_back(id);
    }
    std::ranges::shuffle(ids, random);

    const IdIndex index(ids);

    QCOMPARE(std::size_t{index.size()}, known.size());
    std::uint32_t number = 0;
    for (const std::int64_t id : known) {
        QCOMPARE(index.find(id), number);
        ++number;
        for (const std::int64_t away : {-64, -1, 1, 64}) {
            // Unsigned, as it may wrap around.
            const auto near = static_cast<std::int64_t>(static_cast<std::uint64_t>(id) +
                                                        static_cast<std::uint64_t>(away));
            QVERIFY(known.contains(near) || index.find(near) == IdIndex::kNone);
        }
    }
}

void IdGroupsTest::noIdsAtAll() {
    const IdIndex index({kNoId, kNoId});
    QCOMPARE(index.size(), 0U);
    QCOMPARE(index.find(0), IdIndex::kNone);
}

void IdGroupsTest::slicesOfAnIdAreInFileOrder() {
    const IdGroups groups(3, {{2, 10}, {0, 11}, {2, 12}, {0, 13}});
    QVERIFY(std::ranges::equal(groups.of(0), std::vector<SliceId>{11, 13}));
    QVERIFY(groups.of(1).empty());
    QVERIFY(std::ranges::equal(groups.of(2), std::vector<SliceId>{10, 12}));
}

QTEST_APPLESS_MAIN(IdGroupsTest)
#include "IdGroupsTest.moc"
