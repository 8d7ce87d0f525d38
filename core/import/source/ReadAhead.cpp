// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/ReadAhead.h"

namespace kinetoscope::import::source {

namespace {

// Text that the thread may write while all readers are busy: with 5 blocks it waited three times as
// often as with 16, which took a twentieth longer.
constexpr std::size_t kBlocksAhead = 16;

}  // namespace

ReadAhead::ReadAhead(TextSource& source, unsigned readers, std::size_t blockBytes,
                     std::stop_token stop)
    : m_source(source),
      m_text(std::make_shared<AheadText>(source, 2 * std::size_t{readers} + kBlocksAhead,
                                         blockBytes, std::move(stop))),
      m_leads(true) {}

ReadAhead::ReadAhead(TextSource& source, std::shared_ptr<AheadText> text)
    : m_source(source), m_text(std::move(text)), m_leads(false) {}

std::size_t ReadAhead::read(char* to, std::size_t capacity) {
    const std::size_t count = m_text->copy(m_offset, to, capacity);
    if (count == 0 && m_leads && m_source.issue()) {
        setIssue(m_source.issue()->issue, m_source.issue()->example);
    }
    seek(m_offset + count);
    return count;
}

bool ReadAhead::seek(std::uint64_t offset) {
    m_offset = offset;
    if (m_leads) {
        m_text->keepFrom(offset);
    }
    return true;
}

std::unique_ptr<TextSource> ReadAhead::along() const {
    return std::unique_ptr<TextSource>(new ReadAhead(m_source, m_text));
}

std::unique_ptr<const RestartPoints> ReadAhead::restartPoints() const {
    m_text->endReading();
    return m_source.restartPoints();
}

}  // namespace kinetoscope::import::source
