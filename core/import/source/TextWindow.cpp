// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/TextWindow.h"

#include <algorithm>
#include <cstring>

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::source {

namespace {

// Of what is read behind the wanted end: it holds what remains of all but the largest events.
constexpr std::size_t kSmallPiece = 16 * 1024;

}  // namespace

TextWindow::TextWindow(TextSource& source, std::size_t chunk, std::stop_token stop)
    : m_source(source), m_chunk(chunk), m_stop(std::move(stop)) {
    makeRoom(0, nullptr);
    m_begin = m_buffer.get();
    m_end = m_begin;
    std::memset(m_buffer.get(), 0, scan::kTextPadding);
}

// Puts the kept text at the beginning of a buffer that has room for as much again, so that an
// event of any size is copied a logarithmic number of times.
void TextWindow::makeRoom(std::size_t kept, const char* keep) {
    const std::size_t wanted = kept + std::max(kept, m_chunk);
    // A buffer that one huge event has blown up is given back.
    if (wanted > m_capacity || m_capacity > 8 * wanted) {
        // Room to spare: what is kept differs a little every time.
        const std::size_t room = wanted + wanted / 8;
        auto larger = std::make_unique_for_overwrite<char[]>(room + scan::kTextPadding);
        if (kept > 0) {
            std::memcpy(larger.get(), keep, kept);
        }
        m_buffer = std::move(larger);
        m_capacity = room;
    } else if (kept > 0) {
        std::memmove(m_buffer.get(), keep, kept);
    }
}

std::string_view TextWindow::example(const char*& at) {
    constexpr std::ptrdiff_t kEnough = 128;
    while (m_end - at < kEnough && more(at)) {
    }
    return {at, static_cast<std::size_t>(m_end - at)};
}

const char* TextWindow::seek(std::uint64_t offset, std::uint64_t until) {
    m_until = until;
    if (offset >= m_offset && offset <= offsetOf(m_end)) {
        return m_begin + (offset - m_offset);
    }
    m_source.seek(offset);
    m_atEnd = false;
    m_offset = offset;
    m_begin = m_buffer.get();
    m_end = m_begin;
    std::memset(m_buffer.get(), 0, scan::kTextPadding);
    return m_begin;
}

// How much to read at that place: up to a little behind the wanted end.
std::size_t TextWindow::pieceAt(std::uint64_t offset) const {
    const std::uint64_t wanted = m_until > offset ? m_until - offset : 0;
    return static_cast<std::size_t>(std::min<std::uint64_t>(m_chunk, wanted + kSmallPiece));
}

bool TextWindow::more(const char*& keep) {
    if (m_atEnd || stopped()) {
        return false;
    }
    const std::uint64_t offset = offsetOf(keep);
    std::size_t filled = static_cast<std::size_t>(m_end - keep);
    makeRoom(filled, keep);
    const std::size_t before = filled;
    const std::size_t goal = before + std::max(before, pieceAt(offset + before));
    while (filled < goal && !stopped()) {
        const std::size_t part = std::min(goal - filled, kTextChunk);
        const std::size_t got = m_source.read(m_buffer.get() + filled, part);
        m_atEnd = got == 0;
        if (m_atEnd) {
            break;
        }
        filled += got;
    }
    m_offset = offset;
    m_begin = m_buffer.get();
    m_end = m_begin + filled;
    std::memset(m_buffer.get() + filled, 0, scan::kTextPadding);
    keep = m_begin;
    if (m_advanced) {
        m_advanced(m_source.filePosition());
    }
    return filled > before;
}

}  // namespace kinetoscope::import::source
