// SPDX-License-Identifier: Apache-2.0
// Causes of one rank that recur are one answer, which names the step that stands out.
#include <QtTest>

#include "core/ranks/Causes.h"

using namespace kinetoscope;
using namespace kinetoscope::ranks;

class MergeCausesTest : public QObject {
    Q_OBJECT

    // Step 4 and those after it, in each of which the host of record 1 took so long.
    static std::vector<JobStep> stepsOf(std::initializer_list<TimeNs> hostNs) {
        std::vector<JobStep> steps;
        for (const TimeNs ns : hostNs) {
            JobStep step;
            step.number = 4 + static_cast<std::int64_t>(steps.size());
            Cause cause;
            cause.record = 1;
            cause.step = cause.lastStep = step.number;
            cause.excess.work.hostNs = ns;
            cause.blameNs = ns;
            cause.waiting = 1;
            cause.detail = "it slept";
            step.causes.push_back(cause);
            steps.push_back(step);
        }
        return steps;
    }

private slots:
    void theStepThatStandsOutIsNamed() {
        const std::vector<Cause> merged =
            mergeCauses(stepsOf({4'000'000, 12'800'000, 5'000'000, 4'500'000}));
        QCOMPARE(merged.size(), std::size_t{1});
        QCOMPARE(merged[0].ns(), TimeNs{26'300'000});
        QCOMPARE(merged[0].steps, std::size_t{4});
        QCOMPARE(merged[0].detail, std::string("12.800 ms of it in step 5, where it slept"));
    }

    void whatTheMedianStepLacksIsAnAnswerOfItsOwn() {
        std::vector<JobStep> steps = stepsOf({4'000'000, 15'000'000, 5'000'000, 4'500'000});
        steps[1].causes[0].besideOwnSteps = true;
        const std::vector<Cause> merged = mergeCauses(steps);
        QCOMPARE(merged.size(), std::size_t{2});
        QCOMPARE(merged[0].ns(), TimeNs{15'000'000});
        QCOMPARE(merged[0].step, std::int64_t{5});
        QCOMPARE(merged[1].ns(), TimeNs{13'500'000});
        QCOMPARE(merged[1].steps, std::size_t{3});
    }

    void noneIsWhereAllAreAlike() {
        const std::vector<Cause> merged =
            mergeCauses(stepsOf({4'000'000, 9'000'000, 5'000'000, 4'500'000}));
        QCOMPARE(merged.size(), std::size_t{1});
        QCOMPARE(merged[0].detail, std::string("it slept"));
    }
};

QTEST_APPLESS_MAIN(MergeCausesTest)
#include "MergeCausesTest.moc"
