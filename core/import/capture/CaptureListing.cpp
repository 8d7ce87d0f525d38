// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureListing.h"

#include <string>

#include "core/import/capture/ChunkSource.h"
#include "core/stream/EventJson.h"

namespace kinetoscope::import::capture {

namespace {

class Listing final : public stream::CaptureSink {
public:
    Listing(const trace::EventText::TakeEvent& take,
            std::shared_ptr<const stream::CallRanges> calls)
        : m_take(take), m_decoder(*this), m_json(m_decoder) {
        m_decoder.setCalls(std::move(calls));
    }

    [[nodiscard]] Result<void> accept(const stream::Chunk& chunk, std::uint64_t offset) {
        auto accepted = m_decoder.accept(chunk, offset);
        return accepted ? m_result : accepted;
    }
    [[nodiscard]] Result<void> finish() {
        m_decoder.finish();
        return m_result;
    }

private:
    void row(const stream::CaptureRow& row) override {
        constexpr std::string_view kBetween = ",\n";
        m_text.clear();
        m_json.appendRow(m_text, row);
        std::string_view rest = m_text;
        while (rest.starts_with(kBetween)) {
            rest.remove_prefix(kBetween.size());
            trace::ListedEvent metadata;
            metadata.json = rest.substr(0, rest.find(kBetween));
            metadata.phase = 'M';
            hand(metadata);
            rest.remove_prefix(metadata.json.size());
        }
    }
    void event(const stream::CaptureEvent& event) override {
        m_text.clear();
        m_json.append(m_text, event);
        trace::ListedEvent listed;
        listed.offset = event.offset;
        listed.json = m_text;
        listed.phase = event.isCounter ? 'C' : event.instant ? 'i' : 'X';
        listed.time = event.start;
        hand(listed);
        if (event.startsFlow || event.endsFlow) {
            arrow(event);
        }
    }
    void arrow(const stream::CaptureEvent& event) {
        m_text.clear();
        m_json.appendFlow(m_text, event);
        trace::ListedEvent listed;
        listed.json = m_text;
        listed.phase = event.startsFlow ? 's' : 'f';
        listed.time = event.start;
        listed.category = trace::Category::Ac2g;
        listed.id = event.correlation;
        hand(listed);
    }
    void hand(const trace::ListedEvent& event) {
        if (m_result) {
            m_result = m_take(event);
        }
    }

    const trace::EventText::TakeEvent& m_take;
    stream::CaptureDecoder m_decoder;
    stream::EventJson m_json;
    std::string m_text;
    Result<void> m_result;
};

}  // namespace

Result<void> listCapture(source::TextWindow& bytes, const trace::EventText::TakeEvent& take,
                         std::shared_ptr<const stream::CallRanges> calls) {
    Listing listing(take, std::move(calls));
    ChunkSource source(bytes);
    stream::Chunk chunk;
    while (source.next(chunk) == stream::ChunkStatus::Chunk) {
        if (auto taken = listing.accept(chunk, source.payloadOffset()); !taken) {
            return taken;
        }
    }
    return listing.finish();
}

}  // namespace kinetoscope::import::capture
