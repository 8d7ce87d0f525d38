// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/MoreOptions.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>

namespace kinetoscope::panels {

MoreOptions::MoreOptions(QWidget* parent)
    : QToolButton(parent),
      m_form(new QFrame(this, Qt::Popup)),
      m_layout(new QFormLayout(m_form)),
      m_reset(new QPushButton(tr("Defaults"))) {
    setObjectName(QStringLiteral("more"));
    m_form->setObjectName(QStringLiteral("moreForm"));
    m_form->setFrameShape(QFrame::StyledPanel);
    // Else the click on the button that closes the form would open it again.
    m_form->setAttribute(Qt::WA_NoMouseReplay);
    m_layout->setContentsMargins(14, 12, 14, 12);
    m_reset->setObjectName(QStringLiteral("defaults"));
    m_reset->setToolTip(tr("Reset all options to their defaults"));
    m_layout->addRow(QString(), m_reset);
    connect(m_reset, &QPushButton::clicked, this, &MoreOptions::reset);
    connect(this, &QToolButton::clicked, this, &MoreOptions::open);
    tellChanges();
}

QCheckBox* MoreOptions::addSwitch(const QString& label, const QString& option,
                                  const QString& toolTip) {
    auto* box = new QCheckBox(label);
    connect(box, &QCheckBox::toggled, this, &MoreOptions::tellChanges);
    add(box, option, toolTip,
        {label, [=] { return box->isChecked() ? QStringList{option} : QStringList(); },
         [=] { box->setChecked(false); }});
    return box;
}

void MoreOptions::addNames(const QString& label, const QString& option, const QStringList& names,
                           const QStringList& usual, const QString& none, const QString& toolTip) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    QList<QCheckBox*> boxes;
    for (const QString& name : names) {
        boxes.append(new QCheckBox(name));
        boxes.last()->setObjectName(name);
        boxes.last()->setChecked(usual.contains(name));
        layout->addWidget(boxes.last());
        connect(boxes.last(), &QCheckBox::toggled, this, &MoreOptions::tellChanges);
    }
    layout->addStretch(1);
    row->setFocusProxy(boxes.first());
    const auto arguments = [=] {
        QStringList chosen;
        for (const QCheckBox* box : boxes) {
            if (box->isChecked()) {
                chosen << box->text();
            }
        }
        QStringList words;
        if (chosen != usual) {
            words << option << (chosen.isEmpty() ? none : chosen.join(u','));
        }
        return words;
    };
    const auto back = [=] {
        for (QCheckBox* box : boxes) {
            box->setChecked(usual.contains(box->text()));
        }
    };
    add(row, option, toolTip, {label, arguments, back});
}

// The button that sets all back stays last.
void MoreOptions::add(QWidget* widget, const QString& name, const QString& toolTip, Option option) {
    const int last = m_layout->rowCount() - 1;
    widget->setObjectName(name.mid(2));
    widget->setToolTip(toolTip);
    m_first = m_first == nullptr ? widget : m_first;
    if (qobject_cast<QCheckBox*>(widget) != nullptr) {
        m_layout->insertRow(last, QString(), widget);
    } else {
        auto* title = new QLabel(option.label);
        title->setBuddy(widget);
        title->setToolTip(toolTip);
        m_layout->insertRow(last, title, widget);
    }
    m_options.append(std::move(option));
    tellChanges();
}

QStringList MoreOptions::arguments() const {
    QStringList all;
    for (const Option& option : m_options) {
        all += option.arguments();
    }
    return all;
}

void MoreOptions::open() {
    m_form->adjustSize();
    QPoint at = mapToGlobal(QPoint(0, height()));
    const QRect room = screen()->availableGeometry();
    at.setX(qBound(room.left(), at.x(), qMax(room.left(), room.right() - m_form->width())));
    if (at.y() + m_form->height() > room.bottom()) {
        at.setY(mapToGlobal(QPoint()).y() - m_form->height());
    }
    m_form->move(at);
    m_form->show();
    m_first->setFocus(Qt::PopupFocusReason);
}

void MoreOptions::reset() {
    for (const Option& option : m_options) {
        option.reset();
    }
}

void MoreOptions::tellChanges() {
    QStringList changed;
    for (const Option& option : m_options) {
        if (!option.arguments().isEmpty()) {
            changed << option.label;
        }
    }
    setText(changed.isEmpty() ? tr("&More…") : tr("&More… (%1)").arg(changed.size()));
    setToolTip(changed.isEmpty()
                   ? tr("Less common options")
                   : tr("Not the default: %1").arg(changed.join(QStringLiteral(", "))));
    QFont bold = font();
    bold.setBold(!changed.isEmpty());
    setFont(bold);
    m_reset->setEnabled(!changed.isEmpty());
}

}  // namespace kinetoscope::panels
