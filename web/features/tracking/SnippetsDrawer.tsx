import { useQuery } from '@tanstack/react-query'
import { Alert, Drawer, Flex, Input, Tabs } from 'antd'
import { showWriteKey, type WRITE_KEY_KINDS } from '#contract/tracking.ts'
import {
  bundledSnippet,
  curlSnippet,
  DWELL_EVENT,
  LONG_PRESS_EVENT,
  nodeSnippet,
  pageSnippet,
  type SnippetFor,
} from '#contract/tracking-snippets.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { call } from '../../lib/call.ts'
import styles from './tracking.module.css'

interface Snippet {
  key: string
  label: string
  note: string
  of: (given: SnippetFor) => string
}

const SNIPPETS: Readonly<Record<keyof typeof WRITE_KEY_KINDS, readonly Snippet[]>> = {
  page: [
    {
      key: 'page',
      label: '网页',
      note: `粘贴到每个页面的 <head> 中。SDK 由本控制台提供，不经过第三方。它还会记录「${DWELL_EVENT}」（可见的秒数）和「${LONG_PRESS_EVENT}」；不需要时，在 script 上加 data-auto="off"。`,
      of: pageSnippet,
    },
    { key: 'bundled', label: '网页（npm）', note: '先安装：npm install @segment/analytics-next', of: bundledSnippet },
    { key: 'curl', label: 'curl', note: '用来试一试，或照着它从任何语言发送。', of: curlSnippet },
  ],
  server: [
    { key: 'node', label: 'Node', note: '先安装：npm install @segment/analytics-node', of: nodeSnippet },
    { key: 'curl', label: 'curl', note: '用来试一试，或照着它从任何语言发送。', of: curlSnippet },
  ],
}

interface Props {
  id: number
  name: string
  kind: keyof typeof WRITE_KEY_KINDS
  onClose: () => void
}

/** A write key, and code with it that is ready to be pasted. */
export function SnippetsDrawer({ id, name, kind, onClose }: Props) {
  const shown = useQuery({
    queryKey: ['the text of a write key', id],
    queryFn: () => call(showWriteKey, { params: { id } }),
    // Looking at a key is audited, so it is asked for once, and not kept after the drawer has closed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { inPlace: true },
  })
  return (
    <Drawer open size={720} title={`写入密钥「${name}」`} onClose={onClose}>
      <QueryState query={shown} errorTitle="密钥加载失败">
        {({ key, origin }) => (
          <Flex vertical gap={16}>
            <div>
              <Flex gap={8} align="center">
                <Input readOnly value={key} aria-label="写入密钥" className={styles.mono ?? ''} />
                <CopyIcon text={key} what="密钥" />
              </Flex>
            </div>
            {kind === 'server' && (
              <Alert type="warning" showIcon title="服务端的密钥能合并用户、改写用户属性，请勿放进网页或 App。" />
            )}
            <Tabs
              items={SNIPPETS[kind].map(({ key: of, label, note, of: write }) => ({
                key: of,
                label,
                children: <Code note={note} code={write({ origin: origin ?? window.location.origin, key })} />,
              }))}
            />
            <p className={`${text.hint} ${styles.note}`}>
              接口与 Segment 相同：/v1/identify、track、page、screen、group、alias、batch，已有的 SDK
              改为本控制台的地址即可。发送之后，几秒内就会出现在「最近收到」中。
            </p>
          </Flex>
        )}
      </QueryState>
    </Drawer>
  )
}

const Code = ({ note, code }: { note: string; code: string }) => (
  <>
    <p className={`${text.secondary} ${styles.note}`}>{note}</p>
    <div className={styles.codeBox}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is scrolled by keys too. */}
      <section className={styles.code} tabIndex={0} aria-label="代码">
        <pre>{code}</pre>
      </section>
      <span className={styles.copy}>
        <CopyIcon text={code} what="代码" />
      </span>
    </div>
  </>
)
