import { Select } from 'antd'
import { useAdvertiserOptions } from './use-advertiser-options.ts'

/** Chooses an advertiser. Those beyond the first page are searched by the server. */
export function AdvertiserSelect<Extra extends string = never>(props: {
  label: string
  /** undefined: none yet. */
  value: number | Extra | undefined
  onChange: (value: number | Extra, name: string) => void
  /** Offered before anything is typed. */
  known: readonly { id: number; name: string }[]
  /** Offered first, such as all advertisers. */
  extra?: readonly { value: Extra; label: string }[]
  id?: string
  placeholder?: string
  className?: string | undefined
}) {
  const { label, value, onChange, known, extra = [], ...field } = props
  const { options, search } = useAdvertiserOptions(known, typeof value === 'number' ? [value] : [])
  return (
    <Select<number | Extra, { value: number | Extra; label: string }>
      aria-label={label}
      value={value ?? null}
      onChange={(chosen, option) => onChange(chosen, Array.isArray(option) ? '' : (option?.label ?? ''))}
      options={[...extra, ...options]}
      popupMatchSelectWidth={false}
      {...search}
      {...field}
    />
  )
}
