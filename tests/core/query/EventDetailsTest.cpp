// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <map>

#include "core/query/EventDetails.h"
#include "tests/core/query/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class EventDetailsTest final : public QObject {
    Q_OBJECT

private slots:
    void rowsFollowTheFile();
    void numbersStayAsWritten();
    void listsAreOneRow();
    void oddTextIsShownAsItIs();
    void invalidUtf8IsShownAsItIs();
    void deepTextIsShownAsItIs();
    void textComesFromTheSlicesOffset();
    void failuresOfTheFileAreHandedOn();
};

namespace {

class Texts final : public EventText {
public:
    std::map<std::uint64_t, std::string> texts;

    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override {
        const auto found = texts.find(offset);
        if (found == texts.end()) {
            return fail("The file has changed.");
        }
        return found->second;
    }
    [[nodiscard]] Result<void> argument(std::span<const std::uint64_t> /*offsets*/,
                                        std::string_view /*key*/,
                                        const TakeValue& /*take*/) const override {
        return fail("nobody asks for it");
    }
};

std::shared_ptr<const Trace> traceAt(std::uint64_t offset, std::shared_ptr<Texts> texts) {
    QueryFixture fixture;
    SliceInput input;
    input.track = fixture.track(1, 1);
    input.offset = offset;
    fixture.builder().addSlice(input);
    fixture.builder().setEventText(std::move(texts));
    return fixture.finish();
}

}  // namespace

void EventDetailsTest::rowsFollowTheFile() {
    const auto rows = jsonRows(
        R"({"ph": "X", "name": "a\"b", "args": {"stream": 7, "deep": {"x": null}, "none": {}}, "ok": true})");
    QCOMPARE(rows, (std::vector<DetailRow>{{"ph", "X", 0},
                                           {"name", "a\"b", 0},
                                           {"args", "", 0},
                                           {"stream", "7", 1},
                                           {"deep", "", 1},
                                           {"x", "null", 2},
                                           {"none", "", 1},
                                           {"ok", "true", 0}}));
}

void EventDetailsTest::numbersStayAsWritten() {
    QCOMPARE(jsonRows(R"({"ts": 2107.250, "n": -3, "big": 18446744073709551615, "e": 1E3})"),
             (std::vector<DetailRow>{{"ts", "2107.250", 0},
                                     {"n", "-3", 0},
                                     {"big", "18446744073709551615", 0},
                                     {"e", "1E3", 0}}));
}

void EventDetailsTest::listsAreOneRow() {
    QCOMPARE(
        jsonRows(R"({"Input Dims": [[1, 2.50], [], ["a", {"k": [true], "l": null}]], "z": []})"),
        (std::vector<DetailRow>{
            {"Input Dims", R"([[1, 2.50], [], ["a", {"k": [true], "l": null}]])", 0},
            {"z", "[]", 0}}));
}

void EventDetailsTest::oddTextIsShownAsItIs() {
    for (const std::string text :
         {R"({"a": N/A})", R"({"a": 1)", "[1, 2]", "7", "", R"({"a": 1} x)"}) {
        QCOMPARE(jsonRows(text), (std::vector<DetailRow>{{"event", text, 0}}));
    }
}

void EventDetailsTest::invalidUtf8IsShownAsItIs() {
    const std::string text = "{\"a\": \"\xff\"}";
    QCOMPARE(jsonRows(text), (std::vector<DetailRow>{{"event", text, 0}}));
}

// Rows that are indented by their level would take memory with the square of the depth.
void EventDetailsTest::deepTextIsShownAsItIs() {
    std::string text = R"({"args": )";
    for (int i = 0; i < 100'000; ++i) {
        text += R"({"a":)";
    }
    text += "1" + std::string(100'001, '}');
    const auto rows = jsonRows(text);
    QCOMPARE(rows.size(), 1U);
    QCOMPARE(rows.front().value, text);
}

void EventDetailsTest::textComesFromTheSlicesOffset() {
    auto texts = std::make_shared<Texts>();
    texts->texts[5'000'000'000] = R"({"name": "far"})";
    const auto trace = traceAt(5'000'000'000, texts);
    const auto rows = eventDetails(*trace, 0);
    QVERIFY(rows.has_value());
    QCOMPARE(*rows, (std::vector<DetailRow>{{"name", "far", 0}}));
}

void EventDetailsTest::failuresOfTheFileAreHandedOn() {
    const auto gone = eventDetails(*traceAt(3, std::make_shared<Texts>()), 0);
    QVERIFY(!gone.has_value());
    QCOMPARE(gone.error().message, std::string("The file has changed."));
    QVERIFY(!eventDetails(*traceAt(3, nullptr), 0).has_value());
    QVERIFY(!eventDetails(*traceAt(3, std::make_shared<Texts>()), 1).has_value());
}

QTEST_GUILESS_MAIN(EventDetailsTest)
#include "EventDetailsTest.moc"
