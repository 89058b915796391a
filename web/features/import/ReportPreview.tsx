import { Alert } from 'antd'
import type { ComparedReports } from '#contract/import.ts'
import text from '../../components/text.module.css'
import styles from './import.module.css'
import { lookedAt, reportWarnings } from './report-preview.ts'

/** What of a file of reports no activity would show, and which stored days it would replace with fewer plans. */
export function ReportPreview({ reports }: { reports: ComparedReports }) {
  const warned = reportWarnings(reports)
  return (
    <>
      {warned.map(({ title, lines }) => (
        <Alert
          key={title}
          type="warning"
          showIcon
          title={title}
          description={
            <ul className={styles.examples}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          }
        />
      ))}
      <span className={text.hint}>
        {lookedAt(reports)}
        {warned.length === 0 ? '：没有未关联的计划，也没有缺少计划的日期。' : '。'}
      </span>
    </>
  )
}
