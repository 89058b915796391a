import { useQueryClient } from '@tanstack/react-query'
import { Result, Spin } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { openEmbedSession } from '#contract/embed.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { getConsole } from '#contract/viewer.ts'
import { beginEmbedding, isFramed, postToHost } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'
import { keyOf, useAction } from '../../lib/query.ts'
import styles from './embed.module.css'

/** Opened in a frame of another site: exchanges the one-time token for a session, then opens what the token named. */
export default function EmbedPage() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { hash } = useLocation()
  const token = hash.slice(1)
  const { mutate, error } = useAction(openEmbedSession, [], {
    meta: { quiet: true },
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyOf(getConsole) })
      beginEmbedding(session)
      postToHost({ type: 'renqun:ready' })
      navigate(framedPath(session), { replace: true })
    },
    // Only a frame that had a session knows which site to tell.
    onError: () => postToHost({ type: 'renqun:signed-out' }),
  })
  // React runs effects twice in development, and the token works once.
  const given = useRef('')
  useEffect(() => {
    document.title = '人群'
    if (!isFramed() || given.current === token) return
    given.current = token
    mutate({ body: { token } })
  }, [token, mutate])
  useEffect(() => {
    if (!token) postToHost({ type: 'renqun:signed-out' })
  }, [token])

  if (!isFramed()) return <Result status="info" title="此页面只能嵌入其他网站使用" />
  if (!token) return <Result status="warning" title="登录已失效" subTitle="请在所在的页面重新打开。" />
  if (error) return <Result status="warning" title="无法打开" subTitle={error.message || '请求失败'} />
  return (
    <main className={styles.page}>
      <Spin aria-label="正在登录" />
    </main>
  )
}

function framedPath({ page, id, view }: DataOf<typeof openEmbedSession>): string {
  if (page === 'activity') return paths.workBench(id || undefined)
  const entry = { entry: 'workbench' } as const
  return view === 'watch' ? paths.ruleCrowdWatch(id, entry) : paths.ruleCrowdEdit(id, entry)
}
