import { Result } from 'antd'
import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { SharedReport } from '../../features/activity/SharedReport.tsx'
import { shownSpan } from '../../features/activity/shown-span.ts'
import { readSpan, writeSpan } from '../../lib/span.ts'
import { withParams } from '../../lib/with-params.ts'
import styles from './shared-report.module.css'

/** The day report of one activity for somebody without an account; the token stands behind the #. */
export default function SharedReportPage() {
  const { hash } = useLocation()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const token = hash.slice(1)
  useEffect(() => {
    document.title = '分日数据 - 人群'
  }, [])
  const setSpan = (span: [number, number] | null) => {
    const next = withParams(params, { time_range: span && writeSpan(span) })
    navigate({ search: `?${next}`, hash }, { preventScrollReset: true })
  }
  return (
    <main className={styles.page}>
      {token ? (
        <SharedReport token={token} span={shownSpan(readSpan(params.get('time_range') ?? ''))} onSpan={setSpan} />
      ) : (
        <Result status="warning" title="无法打开" subTitle="链接不完整，请向分享的人要完整的地址。" />
      )}
    </main>
  )
}
