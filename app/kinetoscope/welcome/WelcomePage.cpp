// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/welcome/WelcomePage.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kIconSize = 64;
constexpr int kColumn = 560;
constexpr int kShownRecent = 6;

QLabel* makeText(const QString& text, double size, QPalette::ColorRole role) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * size);
    if (size > 1.2) {
        font.setWeight(QFont::DemiBold);
    }
    label->setFont(font);
    label->setForegroundRole(role);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    return label;
}

QToolButton* makeFileButton(const QString& path) {
    const QFileInfo file(path);
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("recentFile"));
    button->setAutoRaise(true);
    button->setIcon(style::themedIcon(QStringLiteral("recent")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const QString folder = button->fontMetrics().elidedText(
        QDir::toNativeSeparators(file.absolutePath()), Qt::ElideMiddle, kColumn / 2);
    button->setText(
        style::plainActionText(QStringLiteral("%1    %2").arg(file.fileName(), folder)));
    button->setToolTip(style::plainToolTip(path));
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

}  // namespace

WelcomePage::WelcomePage(const std::vector<Sample>& samples, QWidget* parent)
    : QWidget(parent), m_recentTitle(nullptr), m_recent(new QVBoxLayout) {
    // Not shown beside panels, it does not make the window larger than they do.
    setMinimumHeight(1);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addStretch(3);
    auto* icon = new QLabel;
    icon->setAlignment(Qt::AlignCenter);
    icon->setPixmap(
        style::applicationIcon().pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    column->addWidget(icon);
    column->addWidget(makeText(tr("Kinetoscope"), 2.0, QPalette::WindowText));
    column->addWidget(makeText(tr("See how busy the GPU was, with what, and why it waited."), 1.1,
                               QPalette::PlaceholderText));
    column->addSpacing(16);
    addButtons(*column, samples);
    column->addWidget(makeText(tr("or drop files here: traces of PyTorch, JAX, Nsight Systems, "
                                  "Perfetto or ROCm, recordings, snapshots, results"),
                               1.0, QPalette::PlaceholderText));
    column->addSpacing(16);
    // Side by side, so that the page needs no more height than the longer one.
    auto* lists = new QHBoxLayout;
    lists->setSpacing(32);
    lists->addStretch(1);
    addSamples(*lists, samples);
    auto* recent = new QVBoxLayout;
    recent->setSpacing(0);
    m_recentTitle = makeText(tr("Recent files"), 1.0, QPalette::WindowText);
    recent->addWidget(m_recentTitle);
    recent->addSpacing(10);
    m_recent->setSpacing(2);
    recent->addLayout(m_recent);
    recent->addStretch(1);
    lists->addLayout(recent);
    lists->addStretch(1);
    column->addLayout(lists);
    column->addStretch(4);
    setRecentFiles({});
}

void WelcomePage::addButtons(QVBoxLayout& column, const std::vector<Sample>& samples) {
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    auto* open = new QPushButton(style::themedIcon(QStringLiteral("open")), tr("Open trace…"));
    open->setDefault(true);
    open->setMinimumHeight(34);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    buttons->addWidget(open);
    if (!samples.empty()) {
        auto* example =
            new QPushButton(style::themedIcon(QStringLiteral("sample")), tr("Open the sample"));
        example->setMinimumHeight(34);
        example->setToolTip(samples.front().explanation);
        connect(example, &QPushButton::clicked, this,
                [this, sample = samples.front()] { openSample(sample); });
        buttons->addWidget(example);
        auto* tour = new QPushButton(tr("Take the tour"));
        tour->setObjectName(QStringLiteral("takeTour"));
        tour->setMinimumHeight(34);
        tour->setToolTip(tr("A five-step tour with the sample trace"));
        connect(tour, &QPushButton::clicked, this, &WelcomePage::tourRequested);
        buttons->addWidget(tour);
    }
    buttons->addStretch(1);
    column.addLayout(buttons);
}

void WelcomePage::addSamples(QHBoxLayout& row, const std::vector<Sample>& samples) {
    if (samples.size() < 2) {
        return;
    }
    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    list->addWidget(makeText(tr("Samples"), 1.0, QPalette::WindowText));
    list->addSpacing(10);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(2);
    grid->setHorizontalSpacing(12);
    const int rows = (static_cast<int>(samples.size()) + 1) / 2;
    int place = 0;  // down the first column, then the second
    for (const Sample& sample : samples) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("sample"));
        button->setAutoRaise(true);
        button->setText(sample.title);
        button->setIcon(style::themedIcon(QStringLiteral("sample")));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(sample.explanation);
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QToolButton::clicked, this, [this, sample] { openSample(sample); });
        grid->addWidget(button, place % rows, place / rows, Qt::AlignLeft);
        ++place;
    }
    list->addLayout(grid);
    list->addStretch(1);
    row.addLayout(list);
}

void WelcomePage::openSample(const Sample& sample) {
    if (sample.job) {
        emit jobRequested(sample.files);
    } else {
        emit fileRequested(sample.files.front());
    }
}

void WelcomePage::setRecentFiles(const QStringList& paths) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& path : paths.mid(0, kShownRecent)) {
        QToolButton* button = makeFileButton(path);
        connect(button, &QToolButton::clicked, this, [this, path] { emit fileRequested(path); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
    m_recentTitle->setVisible(!paths.isEmpty());
}

void WelcomePage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), style::Theme::current().base());
}

}  // namespace kinetoscope::app
