import { DownloadOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { LIST_EXPORT_MAX } from '#contract/crowd-list-export.ts'
import { formatCount } from '../../lib/format.ts'

/** Downloads what a list's filters find, all pages. `query`: the list's own, without the page. */
export function ExportListButton(props: {
  path: string
  query: Readonly<Record<string, string | number | undefined>>
  total: number
}) {
  const { path, query, total } = props
  const given = Object.entries(query).filter(([name, value]) => value !== undefined && !name.startsWith('page'))
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const refusal =
    total === 0
      ? '没有可以导出的行'
      : total > LIST_EXPORT_MAX
        ? `一次最多导出 ${formatCount(LIST_EXPORT_MAX)} 个，请缩小筛选范围`
        : null
  return (
    <Tooltip title={refusal ?? '导出符合条件的全部行，csv'}>
      <Button
        icon={<DownloadOutlined />}
        disabled={refusal !== null}
        {...(refusal === null && { href: `${path}?${search}`, download: true })}
      >
        导出列表
      </Button>
    </Tooltip>
  )
}
