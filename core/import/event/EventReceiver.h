// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/event/RawEvent.h"

namespace kinetoscope::import::event {

/// Takes events in the order of the text.
class EventReceiver {
public:
    EventReceiver() = default;
    EventReceiver(const EventReceiver&) = default;
    EventReceiver& operator=(const EventReceiver&) = default;

    /// The views of the event are valid during the call, and until reading continues.
    virtual void add(const RawEvent& event) = 0;

protected:
    ~EventReceiver() = default;
};

}  // namespace kinetoscope::import::event
