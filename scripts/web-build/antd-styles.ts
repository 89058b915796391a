import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import {
  App,
  Breadcrumb,
  Button,
  Card,
  Checkbox,
  ConfigProvider,
  Flex,
  Layout,
  Menu,
  Skeleton,
  Space,
  Spin,
  Table,
  type ThemeConfig,
  Tooltip,
  Typography,
} from 'antd'
import { Fragment, createElement as h } from 'react'
import { renderToString } from 'react-dom/server'

const MENU = [{ key: 1, label: '人群', children: [{ key: 2, label: '人群资产' }] }]
const COLUMNS = [{ title: '名称', dataIndex: 'name' }]

/** What the frame and the lists of crowds draw first, each component once. */
const drawnFirst = () =>
  h(
    Fragment,
    null,
    h(App),
    h(Layout, { hasSider: true }, h(Layout.Header), h(Layout.Sider, { theme: 'light' }), h(Layout.Content)),
    h(Menu, { mode: 'inline', items: MENU }),
    h(Button, null, '新建'),
    h(Checkbox),
    h(Flex),
    h(Space, null, '新建'),
    h(Tooltip, { title: '复制' }, h('i')),
    h(Typography.Text, null, '老客'),
    h(Skeleton, { active: true }),
    h(Breadcrumb, { items: [{ title: '人群管理' }] }),
    h(Card),
    h(Spin),
    h(Table, { columns: COLUMNS, dataSource: [{ key: 1, name: '老客' }], rowSelection: {}, pagination: false }),
  )

/**
 * The styles that antd would make in the page for the components that are drawn first, as one text. Colours and sizes are
 * variables in it, so that it is the same in every theme. At its end stands which styles it has, where antd looks for that.
 */
export function antdStyles(theme: ThemeConfig = {}): { css: string; components: Set<string> } {
  const cache = createCache()
  const themed = h(ConfigProvider, { theme: { ...theme, hashed: false } }, drawnFirst())
  renderToString(h(StyleProvider, { cache }, themed))
  const made = [...cache.cache.keys()].flatMap((key) => /^style%[^%]*%([^%]+)%[^%]+%anticon$/.exec(key)?.[1] ?? [])
  return { css: extractStyle(cache, { plain: true, types: ['style'] }), components: new Set(made) }
}
