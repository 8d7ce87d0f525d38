// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <cmath>

#include "core/bench/operators/OperatorInputs.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::operators;

class OperatorInputsTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindOfValueIsRead();
    void valuesAreWrittenAsPythonDoes_data();
    void valuesAreWrittenAsPythonDoes();
    void errorsNameLineAndColumn_data();
    void errorsNameLineAndColumn();
    void suitesAreReadWhole_data();
    void suitesAreReadWhole();
    void escapesAreThoseOfPython_data();
    void escapesAreThoseOfPython();
    void numbersBeyondADoubleAreThoseOfPython();
    void devicesKeepTheirIndex_data();
    void devicesKeepTheirIndex();
    void countsEndAtTheLargest();
    void equalCallsAreMerged();
    void damagedLinesAreLeftOutAndListed();
    void samplesAreSelected();
    void castingLeavesIntegersAlone();
    void sizesBesideAZeroAreLimitedToo();
    void channelsLastIsForFourDimensions();
    void shrinkingKeepsSizesThatBelongTogether();
};

namespace {

OperatorCall call(const std::string& text) {
    const CallOrProblem parsed = parseCountLine("cnt: 1, " + text, 1);
    if (parsed.problem) {
        qWarning("%s at column %zu", parsed.problem->message.c_str(), parsed.problem->column);
    }
    return parsed.call;
}

}  // namespace

void OperatorInputsTest::everyKindOfValueIsRead() {
    const OperatorCall read = call(
        "((T([8, 256], f16, stride=(0, 1)), T([], i64), None, True, -3, 1e-05, inf, -inf, "
        "[T([0], b8), None], (), 'mean', b8, torch.strided, \"torch.device('cpu')\"), "
        "{'dtype': f32, 'device': torch.device('cuda', index=0)})");
    QCOMPARE(read.args.size(), std::size_t(14));
    const auto& tensor = std::get<TensorInput>(read.args[0].data);
    QCOMPARE(tensor.shape, (std::vector<std::int64_t>{8, 256}));
    QVERIFY(tensor.type == InputType::F16);
    QCOMPARE(*tensor.strides, (std::vector<std::int64_t>{0, 1}));
    QCOMPARE(tensor.elements(), std::int64_t(2048));
    QCOMPARE(tensor.storageElements(), std::int64_t(256));
    QCOMPARE(std::get<TensorInput>(read.args[1].data).elements(), std::int64_t(1));
    QVERIFY(std::holds_alternative<std::monostate>(read.args[2].data));
    QCOMPARE(std::get<bool>(read.args[3].data), true);
    QCOMPARE(std::get<std::int64_t>(read.args[4].data), std::int64_t(-3));
    QCOMPARE(std::get<double>(read.args[5].data), 1e-05);
    QVERIFY(std::get<double>(read.args[6].data) > 1e308);
    QVERIFY(std::get<double>(read.args[7].data) < -1e308);
    const auto& list = std::get<InputList>(read.args[8].data);
    QVERIFY(!list.tuple);
    QCOMPARE(std::get<TensorInput>(list.items[0].data).storageElements(), std::int64_t(0));
    QVERIFY(std::get<InputList>(read.args[9].data).tuple);
    QCOMPARE(std::get<std::string>(read.args[10].data), std::string("mean"));
    QVERIFY(std::get<InputType>(read.args[11].data) == InputType::B8);
    QCOMPARE(std::get<TorchName>(read.args[12].data).name, std::string("strided"));
    QCOMPARE(std::get<std::string>(read.args[13].data), std::string("torch.device('cpu')"));
    QCOMPARE(read.kwargs[1].first, std::string("device"));
    QCOMPARE(std::get<std::string>(read.kwargs[1].second.data), std::string("cuda:0"));
}

void OperatorInputsTest::valuesAreWrittenAsPythonDoes_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"T([], i64)",
                             "T([1, 2], bf16, stride=(2, 1))",
                             "T([3], c64, stride=(2,))",
                             "[1, 2]",
                             "(1,)",
                             "()",
                             "27.712812921102035",
                             "1e-05",
                             "1.0",
                             "-0.5",
                             "inf",
                             "-inf",
                             "nan",
                             "1e+16",
                             "torch.preserve_format",
                             "'cuda:0'",
                             "\"torch.device('cpu')\"",
                             "u8",
                             "[[1], (2, 3)]",
                             "ST([4, 4], f32, torch.sparse_coo, True, nnz=3)",
                             "-9223372036854775808"}) {
        QTest::newRow(text) << QString(text);
    }
}

void OperatorInputsTest::valuesAreWrittenAsPythonDoes() {
    QFETCH(QString, text);
    const ValueOrProblem parsed = parseInputValue(text.toStdString());
    QVERIFY(!parsed.problem);
    QCOMPARE(QString::fromStdString(formatValue(parsed.value)), text);
}

void OperatorInputsTest::errorsNameLineAndColumn_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* line, int column, const char* part) {
        QTest::newRow(line) << QString(line) << column << QString(part);
    };
    row("cnt: x, ((), {})", 6, "whole number");
    row("cnt: -1, ((), {})", 6, "negative");
    row("cnt: 1 ((), {})", 8, "','");
    row("cnt: 1, ((), {}", 16, "end of the line");
    row("cnt: 1, ((), {})x", 17, "before 'x'");
    row("cnt: 1, ((1), {})", 10, "comma");
    row("cnt: 1, ((1 2,), {})", 13, "','");
    row("cnt: 1, ((foo,), {})", 11, "'foo'");
    row("cnt: 1, ((__import__('os'),), {})", 11, "'__import__'");
    row("cnt: 1, ((T([2, -3], f16),), {})", 17, "negative");
    row("cnt: 1, ((T([2], f17),), {})", 18, "'f17'");
    row("cnt: 1, ((T([2], f16, stride=(1, 2)),), {})", 30, "2 strides for 1 sizes");
    row("cnt: 1, ((T([2], f16, shape=(1,)),), {})", 23, "stride=");
    row("cnt: 1, ((T([4294967296, 4294967296], f16),), {})", 11, "memory");
    row("cnt: 1, ((99999999999999999999,), {})", 11, "64 bits");
    row("cnt: 1, ((torch.device('c128'),), {})", 11, "'c128' is a type, no device");
    row("cnt: 1, ((1.2.3,), {})", 11, "not a number");
    row("cnt: 1, (('abc,), {})", 11, "no end");
    row("cnt: 1, ((), {dim: 1})", 15, "quoted name");
    row("cnt: 1, ((), {'a': 1, 'a': 2})", 23, "twice");
    row("cnt: 1, ((T([0], f16),  168", 28, "end of the line");
    row("cnt: 1, ((\xff,), {})", 11, "a value expected");
    const std::string deep = "cnt: 1, ((" + std::string(100, '[');
    row(deep.c_str(), 43, "deeply");
}

void OperatorInputsTest::errorsNameLineAndColumn() {
    QFETCH(QString, line);
    QFETCH(int, column);
    QFETCH(QString, part);
    const CallOrProblem parsed = parseCountLine(line.toStdString(), 7);
    QVERIFY(parsed.problem.has_value());
    QVERIFY2(QString::fromStdString(parsed.problem->message).contains(part),
             parsed.problem->message.c_str());
    QCOMPARE(static_cast<int>(parsed.problem->column), column);
    QCOMPARE(parsed.problem->line, std::size_t(7));
}

void OperatorInputsTest::suitesAreReadWhole_data() {
    QTest::addColumn<QString>("suite");
    QTest::addColumn<int>("operators");
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("problems");
    QTest::newRow("huggingface") << "huggingface" << 58 << 508 << 3440 << 0;
    QTest::newRow("timm") << "timm" << 75 << 3488 << 16779 << 0;
    QTest::newRow("torchbench") << "torchbench" << 55 << 1323 << 4181 << 2;
}

void OperatorInputsTest::suitesAreReadWhole() {
    QFETCH(QString, suite);
    const auto text = operatorSuite(suite.toStdString());
    QVERIFY(text.has_value());
    const OperatorInputs inputs = readOperatorInputs(*text);
    std::size_t calls = 0;
    std::int64_t count = 0;
    std::string written;
    for (const OperatorEntry& entry : inputs.operators) {
        calls += entry.calls.size();
        count += entry.count();
        written += formatOperator(entry);
    }
    QTEST(static_cast<int>(inputs.operators.size()), "operators");
    QTEST(static_cast<int>(calls), "calls");
    QTEST(static_cast<int>(count), "count");
    QTEST(static_cast<int>(inputs.problems.size()), "problems");
    // Written again, every line is the one that was read.
    std::istringstream original(*text);
    std::istringstream ours(written);
    std::string line;
    std::string again;
    std::size_t number = 0;
    std::size_t skipped = 0;
    while (std::getline(original, line)) {
        ++number;
        if (skipped < inputs.problems.size() && inputs.problems[skipped].line == number) {
            ++skipped;
            continue;
        }
        QVERIFY(std::getline(ours, again));
        QCOMPARE(QString::fromStdString(again), QString::fromStdString(line));
    }
    QVERIFY(!std::getline(ours, again));
    QVERIFY(!operatorSuite("all"));
}

void OperatorInputsTest::escapesAreThoseOfPython_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* text, const QByteArray& expected) {
        QTest::newRow(text) << QString(text) << expected;
    };
    row(R"('a\nb\tc\r\a\b\f\v')", "a\nb\tc\r\a\b\f\v");
    row(R"('\'\"\\')", "'\"\\");
    row(R"("it's \x41\x7f")", "it's A\x7f");
    row(R"('\0\101\60x')", QByteArray("\0A0x", 4));
    row(R"('\xe4\u20ac\U0001f600\377')", "\u00e4\u20ac\U0001f600\u00ff");
    row(R"('\d\xg\u12')", "\\d\\xg\\u12");
}

void OperatorInputsTest::escapesAreThoseOfPython() {
    QFETCH(QString, text);
    QFETCH(QByteArray, expected);
    const ValueOrProblem parsed = parseInputValue(text.toStdString());
    QVERIFY(!parsed.problem);
    QCOMPARE(QByteArray::fromStdString(std::get<std::string>(parsed.value.data)), expected);
    const std::string written = formatValue(parsed.value);
    QVERIFY(written.find('\n') == std::string::npos && written.find('\0') == std::string::npos);
    const ValueOrProblem again = parseInputValue(written);
    QVERIFY(!again.problem);
    QVERIFY(again.value == parsed.value);
}

void OperatorInputsTest::numbersBeyondADoubleAreThoseOfPython() {
    const OperatorCall read = call("((1e-400, -1e400), {})");
    QCOMPARE(formatCall(read), std::string("((0.0, -inf), {})"));
}

void OperatorInputsTest::devicesKeepTheirIndex_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(text) << QString(text) << QString(expected);
    };
    row("device('cuda', 1)", "'cuda:1'");
    row("device(type='cuda', index=1)", "'cuda:1'");
    row("device(index=1, type='cuda')", "'cuda:1'");
    row("device(index=0, type='cuda',)", "'cuda:0'");
    row("device('cuda:1')", "'cuda:1'");
}

void OperatorInputsTest::devicesKeepTheirIndex() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const ValueOrProblem parsed = parseInputValue(text.toStdString());
    QVERIFY(!parsed.problem);
    QCOMPARE(QString::fromStdString(formatValue(parsed.value)), expected);
}

void OperatorInputsTest::countsEndAtTheLargest() {
    const std::string text =
        "Operator: aten.add.Tensor\ncnt: 9223372036854775807, ((1,), {})\ncnt: 5, ((1,), {})\n"
        "cnt: 9223372036854775807, ((2,), {})\n";
    for (const bool merge : {true, false}) {
        const OperatorInputs inputs = readOperatorInputs(text, merge);
        QCOMPARE(inputs.operators.at(0).calls.size(), merge ? std::size_t(2) : std::size_t(3));
        QCOMPARE(inputs.operators[0].calls[0].count, std::numeric_limits<std::int64_t>::max());
        QCOMPARE(inputs.operators[0].count(), std::numeric_limits<std::int64_t>::max());
    }
}

void OperatorInputsTest::equalCallsAreMerged() {
    const OperatorInputs inputs = readOperatorInputs(
        "Operator: aten.sum.SymInt\ncnt: 2, ((T([4], f16), [0]), {})\n"
        "Operator: aten.relu.default\r\ncnt: 1, ((T([4], f16),), {})\r\n\r\n"
        "Operator: aten.sum.dim_IntList\ncnt: 3, ((T([4],  f16), [0,]), {})\n"
        "cnt: 1, ((T([4], f16, stride=(1,)), [0]), {})");
    QVERIFY(inputs.problems.empty());
    QCOMPARE(inputs.operators.size(), std::size_t(2));
    QCOMPARE(inputs.operators[0].name, std::string("aten.sum.dim_IntList"));
    QCOMPARE(inputs.operators[0].calls.size(), std::size_t(2));
    QCOMPARE(inputs.operators[0].calls[0].count, std::int64_t(5));
    QCOMPARE(inputs.operators[0].calls[0].line, std::size_t(2));
    QCOMPARE(inputs.operators[0].count(), std::int64_t(6));
    QVERIFY(inputs.find("aten.relu.default") == &inputs.operators[1]);
    const std::string twice = "Operator: aten.x.y\ncnt: 1, ((), {})\ncnt: 1, ((), {})\n";
    QCOMPARE(readOperatorInputs(twice).operators[0].calls.size(), std::size_t(1));
    QCOMPARE(readOperatorInputs(twice, false).operators[0].calls.size(), std::size_t(2));
    QVERIFY(inputs.find("aten.relu") == nullptr);
}

void OperatorInputsTest::damagedLinesAreLeftOutAndListed() {
    const OperatorInputs inputs = readOperatorInputs(
        "cnt: 1, ((), {})\nOperator: aten.relu.default\nhello\ncnt: 1, ((T([4], f16),), {})\n"
        "cnt: 1, ((T([4], f16)), {})\nOperator: relu\ncnt: 1, ((), {})\nOperator: aten..x\n"
        "Operator: aten.a b.c\nOperator: \n");
    QCOMPARE(inputs.operators.size(), std::size_t(1));
    QCOMPARE(inputs.operators[0].calls.size(), std::size_t(1));
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const InputProblem& problem : inputs.problems) {
        places.emplace_back(problem.line, problem.column);
    }
    const std::vector<std::pair<std::size_t, std::size_t>> expected{
        {1, 1}, {3, 1}, {5, 10}, {6, 15}, {7, 1}, {8, 16}, {9, 17}, {10, 1}};
    QCOMPARE(places, expected);
}

void OperatorInputsTest::samplesAreSelected() {
    OperatorEntry entry{"aten.relu.default", {}};
    for (int i = 0; i < 5; ++i) {
        entry.calls.push_back(call("((T([" + std::to_string(i) + "], f16),), {})"));
    }
    const auto sizes = [](const OperatorEntry& selected) {
        std::vector<std::int64_t> found;
        for (const OperatorCall& one : selected.calls) {
            found.push_back(std::get<TensorInput>(one.args[0].data).shape[0]);
        }
        return found;
    };
    QCOMPARE(sizes(selectCalls(entry, 1, 3)), (std::vector<std::int64_t>{1, 2, 3}));
    QCOMPARE(sizes(selectCalls(entry, 4, 3)), (std::vector<std::int64_t>{4}));
    QVERIFY(selectCalls(entry, 5, 3).calls.empty());
    QVERIFY(selectCalls(entry, 0, 0).calls.empty());
    QCOMPARE(selectCalls(entry, 0, std::size_t(-1)).calls.size(), std::size_t(5));
}

void OperatorInputsTest::castingLeavesIntegersAlone() {
    OperatorCall one = call("((T([4], f16), [T([4], f64), T([4], i64)], b8), {'dtype': f16})");
    castCall(one, InputType::F16);
    QCOMPARE(formatCall(one),
             std::string("((T([4], f16), [T([4], f64), T([4], i64)], b8), {'dtype': f16})"));
    castCall(one, InputType::F32);
    QCOMPARE(formatCall(one),
             std::string("((T([4], f32), [T([4], f32), T([4], i64)], f32), {'dtype': f32})"));
}

// Strides are products of all sizes, also of a tensor without elements.
void OperatorInputsTest::sizesBesideAZeroAreLimitedToo() {
    for (const char* text :
         {"T([0, 4, 9223372036854775807, 2], f16)", "T([400000000000000000], f16)",
          "T([2, 2], f16, stride=(400000000000000000, 1))"}) {
        const ValueOrProblem parsed = parseInputValue(text);
        QVERIFY2(parsed.problem, text);
        QCOMPARE(parsed.problem->message, "no memory is large enough for this tensor");
    }
    QVERIFY(!parseInputValue("T([0, 4, 4], f16, stride=(400000000000000000, 1, 1))").problem);
}

void OperatorInputsTest::channelsLastIsForFourDimensions() {
    OperatorCall one = call("((T([2, 3, 4, 5], f16), T([2, 3, 4], f16)), {})");
    makeChannelsLast(one);
    QCOMPARE(formatCall(one), std::string("((T([2, 3, 4, 5], f16, stride=(60, 1, 15, 3)), "
                                          "T([2, 3, 4], f16)), {})"));
}

void OperatorInputsTest::shrinkingKeepsSizesThatBelongTogether() {
    OperatorCall mm = call("((T([768, 2048], f16, stride=(1, 768)), T([2048, 768], f16)), {})");
    QVERIFY(shrinkCall("aten.mm.default", mm));
    QCOMPARE(formatCall(mm), std::string("((T([1, 2048], f16, stride=(1, 1)), "
                                         "T([2048, 1], f16)), {})"));
    OperatorCall sum = call("((T([8, 256], f32, stride=(0, 0)), [0, 1], True), {})");
    QVERIFY(shrinkCall("aten.sum.dim_IntList", sum));
    QCOMPARE(formatCall(sum), std::string("((T([1, 32], f32, stride=(0, 0)), [0, 1], True), {})"));
    OperatorCall convolution = call("((T([32, 64, 7, 7], f16), T([64, 64, 3, 3], f16)), {})");
    QVERIFY(shrinkCall("aten.convolution.default", convolution));
    QCOMPARE(formatCall(convolution),
             std::string("((T([1, 64, 7, 7], f16), T([64, 64, 3, 3], f16)), {})"));
    OperatorCall none = call("((1,), {})");
    QVERIFY(!shrinkCall("aten.arange.default", none));
}

QTEST_APPLESS_MAIN(OperatorInputsTest)
#include "OperatorInputsTest.moc"
