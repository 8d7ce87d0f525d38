// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/stream/CaptureDecoder.h"

namespace kinetoscope::stream {

/// Writes the events of one capture as Kineto writes them into "traceEvents".
class EventJson {
public:
    explicit EventJson(const CaptureDecoder& decoder) : m_decoder(decoder) {}

    /// Appends the object of the event, without a comma.
    void append(std::string& out, const CaptureEvent& event);
    /// The flow from a launch to its GPU work has one end at each; to be called for events that
    /// start or end one.
    void appendFlow(std::string& out, const CaptureEvent& event) const;
    /// process_name, process_labels and so on, each preceded by ",\n".
    void appendRow(std::string& out, const CaptureRow& row) const;

private:
    void appendCounter(std::string& out, const CaptureEvent& event);
    void appendName(std::string& out, const CaptureEvent& event);
    void appendArguments(std::string& out, const CaptureEvent& event) const;
    void recordArguments(std::string& out, const CaptureEvent& event) const;
    void kernelArguments(std::string& out, const CaptureEvent& event) const;
    void copyArguments(std::string& out, const CaptureEvent& event) const;

    const CaptureDecoder& m_decoder;
    std::vector<std::string> m_escapedNames;  // by name id; empty: not needed yet
};

/// `text` as a JSON string with its quotes. Invalid UTF-8 becomes U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

}  // namespace kinetoscope::stream
