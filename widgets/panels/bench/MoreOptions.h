// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QList>
#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QToolButton>
#include <functional>

namespace kinetoscope::panels {

/// A button that opens a form of rarely changed options. While the form is closed, it shows how
/// many of them are set, and which.
class MoreOptions final : public QToolButton {
    Q_OBJECT

public:
    explicit MoreOptions(QWidget* parent = nullptr);

    /// `option` is the terminal's, such as "--start-idx". The current content of the box is the
    /// default.
    template <class Box>
    void addNumber(const QString& label, const QString& option, Box* box, const QString& toolTip) {
        connect(box, &Box::valueChanged, this, &MoreOptions::tellChanges);
        const auto usual = box->value();
        const auto arguments = [box, usual, option] {
            QStringList words;
            if (box->value() != usual) {
                words << option << numberText(box->value());
            }
            return words;
        };
        add(box, option, toolTip, {label, arguments, [box, usual] { box->setValue(usual); }});
    }
    /// Off by default.
    QCheckBox* addSwitch(const QString& label, const QString& option, const QString& toolTip);
    /// Names of which any may be chosen, by default `usual`; `none` is the value for none.
    void addNames(const QString& label, const QString& option, const QStringList& names,
                  const QStringList& usual, const QString& none, const QString& toolTip);

    /// Those that are not the default.
    [[nodiscard]] QStringList arguments() const;

private:
    struct Option {
        QString label;
        std::function<QStringList()> arguments;  ///< none for the default
        std::function<void()> reset;
    };

    static QString numberText(int value) { return QString::number(value); }
    static QString numberText(double value) { return QString::number(value, 'g', 10); }
    void add(QWidget* widget, const QString& name, const QString& toolTip, Option option);
    void open();
    void reset();
    void tellChanges();

    QFrame* m_form;
    QFormLayout* m_layout;
    QPushButton* m_reset;
    QList<Option> m_options;
    QWidget* m_first = nullptr;
};

}  // namespace kinetoscope::panels
