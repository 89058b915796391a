import { Select } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { listFields } from '#contract/tag-field.ts'
import { useFieldSearch } from './use-fields.ts'

type Fields = DataOf<typeof listFields>

/** `display（name）` if the display name differs. */
const labelOf = (field: { name: string; display_name: string }): string =>
  field.display_name && field.display_name !== field.name ? `${field.display_name}（${field.name}）` : field.name

/** Chooses an attribute or an event; the server searches, since there may be a thousand. */
export function FieldSelect<K extends 'attributes' | 'events'>(props: {
  advId: number
  kind: K
  label: string
  /** The one that is chosen, as far as it is loaded. */
  value: { name: string; display_name: string } | null
  onChange: (field: Fields[K][number]) => void
  className?: string | undefined
}) {
  const { advId, kind, label, value, onChange, className } = props
  const { data, isLoading, onSearch } = useFieldSearch(advId)
  const found: readonly { name: string; display_name: string }[] = data?.[kind] ?? []
  const offered = value && !found.some(({ name }) => name === value.name) ? [value, ...found] : found
  return (
    <Select
      aria-label={label}
      placeholder={`选择${label}`}
      className={className}
      value={value?.name ?? null}
      onChange={(name) => {
        const field = data?.[kind].find((one) => one.name === name)
        if (field) onChange(field)
      }}
      // The server searches display names as well; antd would hide what it finds by them.
      showSearch={{ filterOption: false, onSearch }}
      loading={isLoading}
      notFoundContent={`没有匹配的${label}`}
      options={offered.map((one) => ({ value: one.name, label: labelOf(one) }))}
    />
  )
}
