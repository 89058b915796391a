import { DownloadOutlined } from '@ant-design/icons'
import { Button, Form, Modal, Radio, Tooltip } from 'antd'
import { useState } from 'react'
import { exportRefusal } from '#contract/activity-export.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import text from '../../components/text.module.css'
import { useFocusBack } from '../../components/use-focus-back.ts'

type Format = 'csv' | 'xlsx'
type Which = 'chosen' | 'all'

interface Props {
  title: string
  /** The download, and its query but for what is chosen here. */
  path: string
  query: Readonly<Record<string, unknown>>
  /** `rows`: activities, plans and sums, or days. */
  size: { activities: number; rows: number; columns: Record<Which, number> }
  /** What else stands in the file. */
  note?: string
  onClose: () => void
}

/** Asks how a list or a report is written, and downloads it. */
export function ExportDialog({ title, path, query, size, note = '', onClose }: Props) {
  useFocusBack()
  const [format, setFormat] = useState<Format>('csv')
  const [which, setWhich] = useState<Which>('chosen')
  const refusal = sentenceOrNull(exportRefusal({ ...size, format, columns: size.columns[which] }))
  const given = Object.entries({ ...query, format, columns: which }).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return (
    <Modal
      open
      width={480}
      title={title}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Tooltip title={refusal}>
            <Button
              type="primary"
              icon={<DownloadOutlined />}
              disabled={refusal !== null}
              {...(refusal === null && { href: `${path}?${search}`, download: true })}
              onClick={onClose}
            >
              下载
            </Button>
          </Tooltip>
        </>
      }
    >
      <Form component="div" layout="vertical">
        <Form.Item label="格式">
          <Radio.Group
            aria-label="格式"
            value={format}
            onChange={(event) => setFormat(event.target.value as Format)}
            options={[
              { value: 'csv', label: 'csv' },
              { value: 'xlsx', label: 'Excel（xlsx）' },
            ]}
          />
        </Form.Item>
        <Form.Item label="列">
          <Radio.Group
            aria-label="列"
            value={which}
            onChange={(event) => setWhich(event.target.value as Which)}
            options={[
              { value: 'chosen', label: `自定义列中所选的 ${size.columns.chosen} 列` },
              { value: 'all', label: `全部 ${size.columns.all} 列` },
            ]}
          />
        </Form.Item>
      </Form>
      <p className={text.hint}>金额单位元；没有数据的为空；最后一行是合计。{note}导出会记入审计。</p>
    </Modal>
  )
}
