import { Select } from 'antd'
import { useAdvertiserOptions } from './use-advertiser-options.ts'

/** Chooses several advertisers in a form's field, which gives `value` and `onChange`. */
export function AdvertisersSelect(props: {
  value?: number[]
  onChange?: (value: number[]) => void
  id?: string
  known: readonly { id: number; name: string }[]
  /** Offers these alone; all if left out. */
  only?: readonly number[]
  placeholder: string
  disabled: boolean
}) {
  const { known, only, value = [], ...field } = props
  const { options, search } = useAdvertiserOptions(known, only ?? value)
  return (
    <Select
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      value={value}
      options={only ? options.filter((one) => only.includes(one.value)) : options}
      {...search}
      {...field}
    />
  )
}
