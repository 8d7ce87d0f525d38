// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/WindowStyle.h"

#include <QApplication>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include "widgets/style/FlatScrollBar.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr int kHeaderPadding = 9;
constexpr int kSeparator = 5;    // between docks: a hand's width to drag, a hair line to see
constexpr int kTabPadding = 14;  // of both sides: all panels fit below a window of 1280 pixels
constexpr int kToolTipDelayMs = 500;
constexpr int kToolTipMargin = 5;
constexpr double kArrow = 4.0;      // half the width of the arrow in a header
constexpr double kChosen = 0.24;    // of the accent in what is chosen
constexpr int kButtonPadding = 12;  // of both sides
constexpr int kTextMargin = 4;      // in a line to type in, beside Qt's own two pixels

void hairLine(QPainter* painter, const QRect& rect, const QColor& color) {
    painter->fillRect(rect, color);
}

void drawHeader(const QStyleOption* option, QPainter* painter) {
    const Theme& theme = Theme::current();
    const QRect& r = option->rect;
    painter->fillRect(r, theme.raised());
    hairLine(painter, {r.left(), r.bottom(), r.width(), 1}, theme.border());
    hairLine(painter, {r.right(), r.top() + 5, 1, r.height() - 10}, theme.grid());
}

void drawHeaderLabel(const QStyleOptionHeader& header, QPainter* painter) {
    const Theme& theme = Theme::current();
    QRect r = header.rect.adjusted(kHeaderPadding - 4, 0, -(kHeaderPadding - 4), 0);
    painter->setPen(header.state.testFlag(QStyle::State_MouseOver) ? theme.text()
                                                                   : theme.mutedText());
    painter->drawText(r, static_cast<int>(header.textAlignment | Qt::AlignVCenter),
                      header.fontMetrics.elidedText(header.text, Qt::ElideRight, r.width()));
}

void drawTab(const QStyleOptionTab& tab, QPainter* painter) {
    const Theme& theme = Theme::current();
    const bool selected = tab.state.testFlag(QStyle::State_Selected);
    const QRect& r = tab.rect;
    if (selected) {
        painter->fillRect(r, theme.base());
        hairLine(painter, {r.left(), r.top(), r.width(), 2}, theme.accent());
    } else if (tab.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(r, theme.hover());
    }
    hairLine(painter, {r.right(), r.top(), 1, r.height()}, theme.border());
}

void drawDockTitle(const QStyleOptionDockWidget& dock, QPainter* painter) {
    const Theme& theme = Theme::current();
    const QRect& r = dock.rect;
    painter->fillRect(r, theme.window());
    hairLine(painter, {r.left(), r.bottom(), r.width(), 1}, theme.border());
    QFont font = painter->font();
    font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    painter->setPen(theme.text());
    painter->drawText(r.adjusted(12, 0, -52, 0), Qt::AlignLeft | Qt::AlignVCenter, dock.title);
}

void drawLineEdit(const QStyleOption* option, QPainter* painter) {
    const Theme& theme = Theme::current();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool focused = option->state.testFlag(QStyle::State_HasFocus);
    painter->setPen(QPen(focused ? theme.accent() : theme.border(), 1));
    painter->setBrush(option->palette.base());
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->restore();
}

// Down where the largest stands first, as everywhere; Qt has it the other way round.
void drawSortArrow(const QStyleOptionHeader& header, QPainter* painter) {
    const bool isDown = header.sortIndicator == QStyleOptionHeader::SortUp;
    const QPointF middle = QRectF(header.rect).center();
    const double up = isDown ? -kArrow / 2 : kArrow / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::current().text());
    painter->drawPolygon(QPolygonF(
        {middle + QPointF(-kArrow, up), middle + QPointF(kArrow, up), middle - QPointF(0, up)}));
    painter->restore();
}

// A border around popups: nothing else separates a dark one from the window.
void drawBorder(const QStyleOption* option, QPainter* painter, bool isTip) {
    painter->setPen(Theme::current().border());
    painter->setBrush(isTip ? option->palette.brush(QPalette::ToolTipBase) : QBrush(Qt::NoBrush));
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    switch (element) {
        case CE_HeaderSection:
        case CE_HeaderEmptyArea:
            drawHeader(option, painter);
            return;
        case CE_HeaderLabel:
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
                drawHeaderLabel(*header, painter);
                return;
            }
            break;
        case CE_TabBarTabShape:
            if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
                drawTab(*tab, painter);
                return;
            }
            break;
        case CE_DockWidgetTitle:
            if (const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option)) {
                drawDockTitle(*dock, painter);
                return;
            }
            break;
        case CE_ToolBar:
            painter->fillRect(option->rect, Theme::current().window());
            hairLine(painter, {option->rect.left(), option->rect.bottom(), option->rect.width(), 1},
                     Theme::current().border());
            return;
        case CE_MenuBarEmptyArea:
            painter->fillRect(option->rect, Theme::current().window());
            return;
        case CE_Splitter: {
            const QRect& r = option->rect;
            painter->fillRect(r, Theme::current().window());
            return;
        }
        default:
            break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                QPainter* painter, const QWidget* widget) const {
    switch (element) {
        case PE_PanelLineEdit:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0) {
                drawLineEdit(option, painter);
                return;
            }
            break;
        case PE_IndicatorDockWidgetResizeHandle: {
            const QRect& r = option->rect;
            const bool upright = r.width() < r.height();
            const QRect line = upright ? QRect(r.center().x(), r.top(), 1, r.height())
                                       : QRect(r.left(), r.center().y(), r.width(), 1);
            hairLine(painter, line, Theme::current().border());
            return;
        }
        case PE_IndicatorCheckBox:
            // Fusion's own outline cannot be seen on a dark window.
            QProxyStyle::drawPrimitive(element, option, painter, widget);
            painter->setPen(Theme::current().mutedText());
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            return;
        case PE_IndicatorTabClose:
            themedIcon(QStringLiteral("close"))
                .paint(painter, option->rect, Qt::AlignCenter,
                       option->state.testFlag(State_Raised) ? QIcon::Active : QIcon::Normal);
            return;
        case PE_IndicatorHeaderArrow:
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
                drawSortArrow(*header, painter);
                return;
            }
            break;
        case PE_PanelTipLabel:
        case PE_FrameMenu:
            drawBorder(option, painter, element == PE_PanelTipLabel);
            return;
        case PE_PanelScrollAreaCorner:
            painter->fillRect(option->rect, Theme::current().raised());
            return;
        case PE_FrameTabBarBase:
        case PE_PanelStatusBar:
            return;
        default:
            break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar != nullptr) {
        drawScrollBar(*bar, painter);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect WindowStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                  SubControl part, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    return control == CC_ScrollBar && bar != nullptr
               ? partOfScrollBar(*bar, part)
               : QProxyStyle::subControlRect(control, option, part, widget);
}

QRect WindowStyle::subElementRect(SubElement element, const QStyleOption* option,
                                  const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    return element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0
               ? rect.adjusted(kTextMargin, 0, -kTextMargin, 0)
               : rect;
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                    const QSize& contents, const QWidget* widget) const {
    const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    return type == CT_PushButton ? size + QSize(kButtonPadding, 0) : size;
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                             const QWidget* widget) const {
    switch (metric) {
        case PM_DockWidgetSeparatorExtent:
        case PM_SplitterWidth:
            return kSeparator;
        case PM_ToolTipLabelFrameWidth:
            return kToolTipMargin;
        case PM_ScrollBarExtent:
            return kScrollBarExtent;
        case PM_TabBarTabHSpace:
            return kTabPadding;
        case PM_TabBarTabShiftVertical:
        case PM_TabBarTabShiftHorizontal:
            return 0;
        case PM_DockWidgetTitleMargin:
            return 6;
        case PM_ToolBarItemSpacing:
        case PM_ToolBarItemMargin:
            return 3;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* result) const {
    if (hint == SH_ToolTip_WakeUpDelay) {
        return kToolTipDelayMs;
    }
    if (hint == SH_EtchDisabledText || hint == SH_DitherDisabledText ||
        hint == SH_DialogButtonBox_ButtonsHaveIcons) {
        return 0;
    }
    return QProxyStyle::styleHint(hint, option, widget, result);
}

QIcon WindowStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                                const QWidget* widget) const {
    switch (which) {
        case SP_TitleBarCloseButton:
        case SP_LineEditClearButton:
            return themedIcon(QStringLiteral("close"));
        case SP_TitleBarNormalButton:
            return themedIcon(QStringLiteral("float"));
        default:
            return QProxyStyle::standardIcon(which, option, widget);
    }
}

void applyTheme(ThemeChoice choice) {
    // The desktop's own palette, before ours replaces it.
    static const bool systemIsDark = Theme(QApplication::palette()).isDark();
    static const bool styled = [] {
        QApplication::setStyle(new WindowStyle);
        return true;
    }();
    Q_UNUSED(styled)
    const bool dark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    const QPalette palette = dark ? Theme::darkPalette() : Theme::lightPalette();
    QApplication::setPalette(palette);
    // Chosen rows of lists and menus of choices as those of tables are.
    QPalette views = palette;
    views.setColor(QPalette::Highlight, mixColors(palette.color(QPalette::Base),
                                                  palette.color(QPalette::Link), kChosen));
    views.setColor(QPalette::HighlightedText, palette.color(QPalette::Text));
    QApplication::setPalette(views, "QAbstractItemView");
}

}  // namespace kinetoscope::style
