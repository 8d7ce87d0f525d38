// SPDX-License-Identifier: Apache-2.0
// What differs between ranks without any wait that shows it: noise, or more.
#include <QtTest>

#include "core/ranks/parts/Faint.h"

using namespace kinetoscope;
using kinetoscope::ranks::parts::Faint;

class FaintTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsNowOnesNowTheOthersIsNoise() {
        const Faint faint({{0, 11}, {42, 0}, {22, 0}, {0, 25}});
        for (std::size_t step = 0; step < 4; ++step) {
            QVERIFY(!faint.standsOut(step, 0));
            QVERIFY(!faint.standsOut(step, 1));
        }
    }

    void whatStandsOutOfItIsNot() {
        const Faint faint({{0, 11}, {142, 0}, {22, 0}, {0, 25}});
        QVERIFY(faint.standsOut(1, 0));
        QVERIFY(!faint.standsOut(2, 0));
        QVERIFY(!faint.standsOut(3, 1));
    }

    void whatIsThereInEachStepIsNot() {
        const Faint faint({{0, 40}, {0, 47}, {0, 44}, {0, 38}});
        QVERIFY(faint.isSteady(1));
        QVERIFY(!faint.isSteady(0));
        QVERIFY(!faint.standsOut(3, 1));
        QVERIFY(
            Faint({{0, 40}, {0, 147}, {0, 44}, {0, 38}}).isSteady(1));  // and more in one of them
        QVERIFY(!Faint({{0, 40}, {3, 0}, {0, 44}, {0, 38}}).isSteady(1));
        QVERIFY(!Faint({{0, 40}, {0, 3}, {0, 9}, {0, 78}}).isSteady(1));
    }

    void hostsThatDifferByMuchMayDoSoUnevenly() {
        const Faint uneven({{0, 51}, {0, 21}, {0, 45}, {0, 102}});
        QVERIFY(!uneven.isSteady(1));
        QVERIFY(!uneven.recurs(1, 50));
        QVERIFY(uneven.recurs(1, 30));
        QVERIFY(!uneven.recurs(0, 0));
        QVERIFY(!Faint({{0, 51}, {0, 9}, {0, 45}, {0, 102}}).recurs(1, 30));
        QVERIFY(!Faint({{0, 51}, {0, -21}, {0, 45}, {0, 102}}).recurs(1, 30));
    }

    void manyRanksShowTheirNoiseInTheSlowerHalf() {
        const Faint faint({{0, -1, 1, 90, 0, 2}, {1, 0, -2, 1, 2, 0}, {2, 1, 0, 0, 1, -1}});
        QVERIFY(faint.standsOut(0, 3));
        QVERIFY(!faint.standsOut(0, 5));
    }

    void twoStepsShowNone() {
        const Faint faint({{0, 11}, {42, 0}});
        QVERIFY(faint.standsOut(0, 1));
        QVERIFY(faint.standsOut(1, 0));
    }
};

QTEST_APPLESS_MAIN(FaintTest)
#include "FaintTest.moc"
