import { type ThemeConfig, theme } from 'antd'

export const SIDE_BAR_WIDTH = 210
export const SIDE_BAR_FOLDED_WIDTH = 50
export const TOP_BAR_HEIGHT = 60

const FONT =
  'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'

/** Slightly darker than antd's #1677ff, whose contrast as text on white is 4.1; small text needs 4.5. */
const BLUE = '#1063e0'

/** A hovered solid button is lighter; its white text still has a contrast of 4.5. */
const SOLID_HOVER = { colorPrimaryHover: '#1f6ce5', colorErrorHover: '#d63640' }

/** Text colour in the dark theme, where the buttons' blue is too dark to read. */
const PALE_BLUE = '#79b1ff'

/** Colours of the rule operators: `ink` for text and border, `tint` for the background. */
export const OPERATOR_COLORS = {
  light: {
    n: { ink: '#0b57c9', tint: '#e8f1fe' },
    u: { ink: '#1f7a2e', tint: '#eaf7ec' },
    e: { ink: '#a34700', tint: '#fff3e6' },
  },
  dark: {
    n: { ink: '#79b1ff', tint: '#14253f' },
    u: { ink: '#7fce8a', tint: '#16301b' },
    e: { ink: '#f5a55e', tint: '#3a2512' },
  },
} as const

const shared: ThemeConfig['token'] = {
  borderRadius: 6,
  fontFamily: FONT,
  colorInfo: BLUE,
}

const light: ThemeConfig = {
  algorithm: theme.defaultAlgorithm,
  token: {
    ...shared,
    colorPrimary: BLUE,
    colorLink: BLUE,
    colorLinkHover: '#2470e6',
    colorBgLayout: '#f3f5f8',
    // antd's greys below have a contrast under 4.5 on white; placeholders, hints and axis labels must be readable too.
    colorTextSecondary: 'rgba(0,0,0,0.68)',
    colorTextTertiary: 'rgba(0,0,0,0.6)',
    colorTextDescription: 'rgba(0,0,0,0.6)',
    colorTextPlaceholder: 'rgba(0,0,0,0.57)',
    colorError: '#cf2530',
    colorSuccess: '#2b8a3e',
    // Derived from such a dark green these would be grey.
    colorSuccessBg: '#edf8ef',
    colorSuccessBorder: '#a9d8b1',
    colorWarning: '#d46b08',
  },
}

const dark: ThemeConfig = {
  algorithm: theme.darkAlgorithm,
  token: {
    ...shared,
    colorPrimary: BLUE,
    colorLink: PALE_BLUE,
    colorBgLayout: '#0d0f12',
    colorBgContainer: '#17191d',
    colorBgElevated: '#1f2227',
    colorTextSecondary: 'rgba(255,255,255,0.75)',
    colorTextTertiary: 'rgba(255,255,255,0.65)',
    colorTextDescription: 'rgba(255,255,255,0.65)',
    colorTextPlaceholder: 'rgba(255,255,255,0.6)',
    colorError: '#ff7875',
  },
}

/** Rows of two lines: eight of them fit a window of 800 px. */
const TABLE = { cellPaddingBlockSM: 5, cellPaddingInlineSM: 6 }

const components = (isDark: boolean): ThemeConfig['components'] => ({
  Layout: { headerHeight: TOP_BAR_HEIGHT, headerPadding: '0 16px' },
  Menu: {
    collapsedWidth: SIDE_BAR_FOLDED_WIDTH,
    itemHeight: 38,
    activeBarBorderWidth: 0,
    subMenuItemBg: 'transparent',
    ...(isDark ? { itemSelectedColor: PALE_BLUE, subMenuItemSelectedColor: PALE_BLUE, itemSelectedBg: '#16315c' } : {}),
  },
  Card: { bodyPadding: 16, headerPadding: 16 },
  // The name of a folder five levels deep still has room beside its menu button.
  Tree: { indentSize: 10 },
  Button: { ...SOLID_HOVER, ...(isDark ? { defaultHoverColor: PALE_BLUE, defaultHoverBorderColor: PALE_BLUE } : {}) },
  ...(isDark
    ? {
        Tabs: { itemSelectedColor: PALE_BLUE, itemHoverColor: PALE_BLUE, inkBarColor: PALE_BLUE },
        Dropdown: { colorPrimary: PALE_BLUE },
        Radio: { colorPrimary: PALE_BLUE, colorPrimaryHover: PALE_BLUE },
        Pagination: { colorPrimary: PALE_BLUE, colorPrimaryHover: PALE_BLUE },
        Steps: { colorPrimary: PALE_BLUE },
        Table: { ...TABLE, headerSortActiveBg: '#262a30', rowSelectedHoverBg: '#15294a' },
      }
    : // antd's background of a hovered selected row is too dark for blue text.
      { Table: { ...TABLE, rowSelectedHoverBg: '#e3effe' } }),
})

export const themeOf = (isDark: boolean, isStill: boolean): ThemeConfig => {
  const base = isDark ? dark : light
  return {
    ...base,
    token: { ...base.token, motion: !isStill },
    components: components(isDark),
    // The page has one version of antd, whose styles need no class of its own.
    hashed: false,
  }
}
