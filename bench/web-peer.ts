import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** The releases for antd 5 are older; this is the one for our antd. */
const PEER = '@ant-design/pro-components@3.1.14-7'
const HOME = join(import.meta.dirname, '.peers', 'web')
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const PAGE = `<!doctype html><html lang="zh-CN"><body><div id="root"></div><script type="module" src="/main.jsx"></script></body></html>`

/**
 * A list like ours: a frame with a menu, filters, ten rows that can be selected, actions and pages. `?page=tabs` has four of
 * them behind tabs, `?page=tags` a searched tree of 10,000 tags, and `?page=editor` a form behind tabs, of which the first
 * has a searched tree of regions with boxes.
 */
const MAIN = `
import { ProCard, ProForm, ProFormCheckbox, ProFormDigitRange, ProFormRadio, ProFormSelect, ProFormText, ProLayout, ProTable } from '@ant-design/pro-components'
import { ConfigProvider, Input, Tabs, Tree } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
const route = { path: '/', routes: ['自定义人群', '人群资产', '标签管理', '广告主授权', '数据接入', '成员管理'].map((name, i) => ({ path: '/' + i, name })) }
const columns = [
  { title: '名称', dataIndex: 'name' },
  { title: '状态', dataIndex: 'status', valueEnum: { completed: { text: '已完成', status: 'Success' }, failed: { text: '计算失败', status: 'Error' } } },
  { title: '人数', dataIndex: 'size', valueType: 'digit', search: false },
  { title: '创建人', dataIndex: 'creator' },
  { title: '创建时间', dataIndex: 'created_at', valueType: 'dateTimeRange', search: { transform: (value) => value }, render: (_, row) => row.created_at },
  { title: '操作', valueType: 'option', render: () => [<a key="edit">编辑</a>, <a key="push">推送至</a>, <a key="copy">复制</a>] },
]
const request = async () => ({ ...(await (await fetch('/rows.json')).json()), success: true })
const List = ({ title }) => <ProTable rowKey="id" columns={columns} request={request} rowSelection={{}} pagination={{ pageSize: 10 }} search={{ labelWidth: 'auto' }} headerTitle={title} />
const Lists = () => <Tabs items={['组合', '腾讯广告', '巨量引擎', '巨量千川'].map((name, key) => ({ key, label: name + '定向包', children: <List title={name} /> }))} />
const TAGS = Array.from({ length: 50 }, (_, at) => ({ key: 'c' + at, title: '属性' + (at + 1), children: Array.from({ length: 200 }, (_, no) => ({ key: at + '-' + no, title: '取值' + no })) }))
function Tags() {
  const [word, setWord] = useState('')
  const found = useMemo(() => TAGS.map((tag) => ({ ...tag, children: tag.title.includes(word) ? tag.children : tag.children.filter(({ title }) => title.includes(word)) })).filter(({ children }) => children.length > 0), [word])
  return <ProCard title="标签"><Input.Search aria-label="搜索" onChange={({ target }) => setWord(target.value)} /><Tree height={560} defaultExpandAll treeData={found} /></ProCard>
}
const REGIONS = Array.from({ length: 31 }, (_, at) => ({ key: 'p' + at, title: '省份' + at, children: Array.from({ length: 11 }, (_, no) => ({ key: at + '-' + no, title: '城市' + no, children: Array.from({ length: 8 }, (_, of) => ({ key: at + '-' + no + '-' + of, title: '区' + of })) })) }))
function Regions() {
  const [word, setWord] = useState('')
  const [opened, setOpened] = useState([])
  const found = useMemo(() => REGIONS.map((region) => ({ ...region, children: region.children.map((city) => ({ ...city, children: city.children.filter(({ title }) => title.includes(word)) })).filter(({ children }) => children.length > 0) })).filter(({ children }) => children.length > 0), [word])
  const all = useMemo(() => found.flatMap(({ key, children }) => [key, ...children.map((city) => city.key)]), [found])
  return <><Input allowClear aria-label="搜索地域" onChange={({ target }) => setWord(target.value)} /><Tree checkable height={300} treeData={found} expandedKeys={word ? all : opened} onExpand={setOpened} /></>
}
const options = (name, length) => Array.from({ length }, (_, at) => ({ value: at, label: name + at }))
const Fields = ({ name, radios, boxes }) => <>{radios.map((no) => <ProFormRadio.Group key={no} name={name + 'r' + no} label={'单选' + no} options={options('选项', 4)} />)}{boxes.map((no) => <ProFormCheckbox.Group key={no} name={name + 'c' + no} label={'多选' + no} options={options('选项', 8)} />)}</>
const FORM_TABS = [
  ['地理位置', <><Fields name="place" radios={[1]} boxes={[1]} /><ProForm.Item label="地域"><Regions /></ProForm.Item></>],
  ['人口学属性', <><ProFormDigitRange name="age" label="年龄" /><Fields name="person" radios={[1, 2]} boxes={[1, 2, 3, 4, 5, 6]} /></>],
  ['行为兴趣', <><Fields name="act" radios={[1, 2, 3]} boxes={[1]} /><ProFormSelect name="words" label="关键词" mode="tags" /></>],
  ['自定义人群', <Fields name="crowd" radios={[1, 2]} boxes={[1, 2]} />],
  ['设备', <Fields name="device" radios={[1, 2]} boxes={[1, 2, 3, 4]} />],
]
const Editor = () => <ProForm layout="horizontal" onFinish={async () => true}><ProFormText name="name" label="名称" /><Tabs tabPlacement="start" items={FORM_TABS.map(([label, children], key) => ({ key, label, children }))} /></ProForm>
const PAGES = { tabs: <Lists />, tags: <Tags />, editor: <Editor /> }
createRoot(document.getElementById('root')).render(
  <ConfigProvider locale={zhCN}>
    <ProLayout title="人群" route={route} location={{ pathname: '/1' }}>
      {PAGES[new URLSearchParams(location.search).get('page')] ?? <List title="人群资产" />}
    </ProLayout>
  </ConfigProvider>,
)
`

const ROWS = Array.from({ length: 10 }, (_, i) => ({
  id: i + 1,
  name: `618复购人群${i}`,
  status: i % 5 ? 'completed' : 'failed',
  size: 1658 * (i + 1),
  creator: '管理员',
  created_at: '2026-11-21 13:25:40',
}))

async function buildPeer(): Promise<string> {
  mkdirSync(HOME, { recursive: true })
  if (!existsSync(join(HOME, 'node_modules/@ant-design/pro-components/package.json'))) {
    console.log(`Installing ${PEER} to compare with …`)
    writeFileSync(join(HOME, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const versions = ['antd', 'react', 'react-dom'].map((name) => `${name}@${versionOf(name)}`)
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--loglevel=error', PEER, ...versions], {
      cwd: HOME,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  writeFileSync(join(HOME, 'index.html'), PAGE)
  writeFileSync(join(HOME, 'main.jsx'), MAIN)
  await build({
    root: HOME,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic' } },
    build: { chunkSizeWarningLimit: 10_000 },
  })
  return join(HOME, 'dist')
}

function versionOf(name: string): string {
  const path = join(import.meta.dirname, '..', 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

/** Builds a page of pro-components like our list and serves it, compressed and cached as ours is. */
export async function servePeer(): Promise<{ url: string; server: Server }> {
  const dist = await buildPeer()
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://peer')
    if (pathname === '/rows.json') {
      reply.setHeader('content-type', 'application/json')
      return void reply.end(JSON.stringify({ data: ROWS, total: ROWS.length }))
    }
    const file = join(dist, pathname)
    const isFile = pathname !== '/' && existsSync(file)
    const path = isFile ? file : join(dist, 'index.html')
    reply.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    reply.setHeader('content-encoding', 'gzip')
    reply.setHeader('cache-control', isFile ? 'public, max-age=31536000, immutable' : 'no-cache')
    reply.end(gzipSync(readFileSync(path)))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, server }
}
