// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/ResultStream.h"
#include "core/metrics/SourceFolder.h"
#include "widgets/models/Text.h"
#include "widgets/panels/bench/BenchBar.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Common base of the bench panels: a bar that runs one, and results that are chosen there or
/// opened as files.
class BenchBase : public Panel {
protected:
    BenchBase(const PanelContext& context, bench::results::ResultKind kind, QWidget* parent)
        : Panel(parent),
          m_session(context.session),
          m_stream(kind),
          m_bar(new BenchBar(models::toText(bench::results::kindName(kind)))) {
        connect(m_bar, &BenchBar::resultChosen, this, &BenchBase::openResult);
        connect(&m_session, &session::Session::resultRequested, this, &BenchBase::openFile);
    }

    /// Another document is in the stream.
    virtual void showDocument() = 0;

    /// The conditions of the document's measurements; empty before the first.
    [[nodiscard]] QStringList facts() const {
        const bench::results::ResultDocument& document = m_stream.document();
        if (document.torchVersion.empty()) {
            return {};
        }
        const std::string device = document.gpu.name.empty() ? document.device : document.gpu.name;
        return {BenchBar::tr("PyTorch %1").arg(models::toText(document.torchVersion)),
                models::toText(device)};
    }

    session::Session& m_session;
    bench::results::ResultStream m_stream;
    BenchBar* m_bar;

private:
    // Every panel is asked: a file of another kind is not for this one.
    void openFile(const QString& path) {
        constexpr std::size_t kMaxResultBytes = 256U << 20U;
        const auto text = metrics::readSmallFile(path.toStdString(), kMaxResultBytes);
        if (!text) {
            return;
        }
        if (auto document = bench::results::parseResult(*text, m_stream.document().kind)) {
            open(std::move(*document));
        }
    }

    void openResult(const QString& name, const std::string& json) {
        if (auto document = bench::results::parseResult(json, m_stream.document().kind)) {
            open(std::move(*document));
        } else {
            m_bar->fail(BenchBar::tr("%1: %2").arg(name, models::toText(document.error().message)));
        }
    }

    void open(bench::results::ResultDocument document) {
        emit frontWanted();
        m_stream.open(std::move(document));
        showDocument();
    }
};

}  // namespace kinetoscope::panels
