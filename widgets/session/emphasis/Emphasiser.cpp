// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/emphasis/Emphasiser.h"

#include <algorithm>
#include <utility>

#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

Emphasiser::Emphasiser(ViewState& view)
    : m_view(view), m_task([this](Result<Marks> marks) {
          if (marks) {
              m_marks = *marks;
              m_view.setEmphasis(m_marks);
          }
      }) {}

void Emphasiser::emphasise(Find find) {
    m_task.start([find = std::move(find), trace = m_view.trace(),
                  layout = m_view.layout()](const std::stop_token& stop) -> Result<Marks> {
        auto slices = std::make_shared<Slices>(find(*trace, stop));
        std::ranges::sort(*slices, {}, [&](trace::SliceId slice) { return trace->start(slice); });
        return std::make_shared<const SliceMarks>(layout->lanes, slices, stop);
    });
}

void Emphasiser::end() {
    m_task.cancel();
    if (m_marks && m_view.emphasis() == m_marks) {
        m_view.setEmphasis(nullptr);
    }
    m_marks.reset();
}

}  // namespace kinetoscope::session
