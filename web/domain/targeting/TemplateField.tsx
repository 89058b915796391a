import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { listTemplates } from '#contract/targeting-template.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import { queryOf } from '../../lib/query.ts'
import type { Start } from './ticket.ts'

interface Props {
  id?: string
  platform: PackageCode
  advId: number | undefined
  value?: Start | null
  onChange?: (start: Start | null) => void
  /** The package type of the template that is chosen, where it has one. */
  onType?: (landing_type: string) => void
  placeholder?: string
}

const OWN = 'own '
const READY = 'ready '
const textOf = (start: Start | null) =>
  start?.kind === 'template' ? OWN + start.id : start?.kind === 'ready' ? READY + start.key : null
function startOf(text: string | undefined): Start | null {
  if (text?.startsWith(OWN)) return { kind: 'template', id: Number(text.slice(OWN.length)) }
  return text?.startsWith(READY) ? { kind: 'ready', key: text.slice(READY.length) } : null
}

/** A template to start from: the advertiser's own, then those that the console brings along. */
export function TemplateField({ id, platform, advId, value = null, onChange, onType, placeholder = '空白' }: Props) {
  const { onSearch, isFound } = useNameSearch()
  const templates = useQuery({
    ...queryOf(listTemplates, { query: { platform, ...(advId !== undefined && { adv_id: advId }) } }),
    meta: { inPlace: true },
  })
  const { list = [], ready = [] } = templates.data ?? {}
  const groups = [
    {
      label: '我的模板',
      options: list.map((one) => ({ value: OWN + one.id, label: one.name, title: one.summary.join('；') })),
    },
    {
      label: '现成模板',
      options: ready.map((one) => ({ value: READY + one.key, label: one.name, title: one.summary.join('；') })),
    },
  ]
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label="从模板开始"
      allowClear
      showSearch={{
        onSearch,
        filterOption: (typed, option) => isFound(String(option?.label), typed),
      }}
      placeholder={placeholder}
      loading={templates.isPending}
      notFoundContent={templates.error ? '模板加载失败' : '没有模板'}
      value={textOf(value)}
      onChange={(text) => {
        const start = startOf(text ?? undefined)
        onChange?.(start)
        const type = start?.kind === 'template' ? list.find((one) => one.id === start.id)?.landing_type : null
        if (type) onType?.(type)
      }}
      options={groups.filter(({ options }) => options.length > 0)}
    />
  )
}
