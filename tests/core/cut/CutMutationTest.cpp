// SPDX-License-Identifier: Apache-2.0
// Traces damaged at random, always the same way: every cut of them is strict JSON and holds every
// slice that the damaged trace has. KINETOSCOPE_MUTATIONS says how many.
#include <QtTest>
#include <random>
#include <string>

#include "tests/support/CutInMemory.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace std::string_view_literals;

namespace {

// All that a cut copies: keys beside the events, events of every phase, arguments of every kind.
constexpr const char* kTrace = R"json({
 "schemaVersion": 1, "note": "caf\u00e9 \ud83d\ude00", "empty": {}, "list": [1, 2.50, -3e-2, "x"],
 "deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 150109880320}],
 "traceEvents": [
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 1.000, "dur": 2.5,
  "args": {"External id": 7, "cbid": 211, "correlation": 12}},
 {"ph": "X", "cat": "kernel", "name": "void gemm<4, at::Half>(int)", "pid": 0, "tid": 7, "ts": 3, "dur": 10,
  "args": {"device": 0, "stream": 7, "correlation": 12, "grid": [1, 2, 3], "block": [64, 1, 1],
   "est. achieved occupancy %": 31, "registers per thread": 32, "x": {"y": [true, false, null]}}},
 {"ph": "s", "id": 12, "pid": 9, "tid": 9, "ts": 1.000, "cat": "ac2g", "name": "ac2g"},
 {"ph": "f", "id": 12, "pid": 0, "tid": 7, "ts": 3, "cat": "ac2g", "name": "ac2g", "bp": "e"},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm \u00e9 grün \\ \"q\"", "pid": 9, "tid": 9, "ts": 20, "dur": 7.125,
  "args": {"Input Dims": [[128, 64], [], [64, 32]], "Concrete Inputs": ["", "1", "[1, 1]"], "Sequence number": 3}},
 {"ph": "B", "pid": 9, "tid": 8, "ts": 21, "name": "outer"}, {"ph": "E", "pid": 9, "tid": 8, "ts": 24},
 {"ph": "b", "pid": 9, "id": "0x1f", "cat": "async", "ts": 22, "name": "a"},
 {"ph": "e", "pid": 9, "id": "0x1f", "cat": "async", "ts": 23, "name": "a"},
 {"ph": "i", "s": "t", "pid": 9, "tid": 9, "ts": 21, "name": "mark", "args": {}},
 {"ph": "C", "pid": 9, "tid": 9, "ts": 22, "name": "mem", "args": {"bytes": 1234567}},
 {"ph": "M", "pid": 0, "tid": 0, "ts": 0, "name": "process_labels", "args": {"labels": "GPU 0"}}
 ],
 "traceName": "x.json"}
)json";

// What damage is made of: everything that means something in JSON, and what must not be in it.
constexpr std::string_view kBytes =
    "{}[]:,\"\\0123456789.-+eEnutrfx/ \n\t\0\x01\x1f\x7f\x80\xc3\xe2\xff"sv;

class Mutations {
public:
    std::string next() {
        std::string text = kTrace;
        for (auto left = 1 + below(3); left > 0; --left) {
            damage(text);
        }
        return text;
    }

private:
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(m_random()) % end; }

    void damage(std::string& text) {
        const std::size_t at = below(text.size());
        const std::size_t count = 1 + below(12);
        const char byte = kBytes[below(kBytes.size())];
        switch (below(6)) {
            case 0:
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 1:
                text[at] = byte;
                break;
            case 2:
                text.insert(at, 1 + below(3), byte);
                break;
            case 3:
                text.erase(at, count);
                break;
            case 4:
                text.insert(below(text.size()), text.substr(at, count));
                break;
            default:
                insertNest(text, at, byte);
        }
    }

    // Long rows of brackets are rare in other damage.
    void insertNest(std::string& text, std::size_t at, char byte) {
        const bool bracket = byte == '[' || byte == '{';
        text.insert(at, bracket ? 150 + below(200) : 1, byte);
    }

    std::mt19937 m_random{20261122};
};

}  // namespace

class CutMutationTest final : public QObject {
    Q_OBJECT

private slots:
    void everyCutIsStrictJson();
};

void CutMutationTest::everyCutIsStrictJson() {
    const auto count = static_cast<int>(test::mutations(400));
    Mutations mutations;
    int cuts = 0;
    QCOMPARE(test::wrongWithCut(kTrace, "trace", &cuts), std::string());
    QCOMPARE(cuts, 1);
    for (int i = 0; i < count; ++i) {
        const std::string text = mutations.next();
        for (const char* window : {"trace", "2..21.5"}) {
            const std::string wrong = test::wrongWithCut(text, window, &cuts);
            QVERIFY2(wrong.empty(), (wrong + "\nof the text:\n" + text).c_str());
        }
    }
    QVERIFY(cuts > count);  // most damage leaves something to cut
}

QTEST_APPLESS_MAIN(CutMutationTest)
#include "CutMutationTest.moc"
