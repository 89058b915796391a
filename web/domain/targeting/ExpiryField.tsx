import { Checkbox, ConfigProvider, DatePicker, Flex } from 'antd'
import dayjs from 'dayjs'
import { NEVER } from '#contract/rule-crowd.ts'
import { plainToday } from '../../lib/days.ts'
import { dayOf, endOfDay } from '../../lib/zone.ts'
import styles from './expiry-field.module.css'

const DAY = 'YYYY-MM-DD'
const YEAR_S = 366 * 86_400

interface Props {
  id?: string
  /** The last second of its day; null for none. */
  value?: number | null
  onChange?: (seconds: number | null) => void
}

export const isForever = (seconds: number | null): boolean => seconds !== null && seconds > NEVER - YEAR_S

/** The day after which a package is not offered any more, or 长期有效. */
export function ExpiryField({ id, value = null, onChange }: Props) {
  const { componentDisabled = false } = ConfigProvider.useConfig()
  const forever = isForever(value)
  return (
    <Flex align="center" gap={12}>
      <DatePicker
        {...(id === undefined ? {} : { id })}
        value={value === null || forever ? null : dayjs(dayOf(value))}
        format={DAY}
        placeholder={forever ? '长期有效' : '请选择失效时间'}
        allowClear={false}
        disabled={componentDisabled || forever}
        className={styles.day ?? ''}
        minDate={plainToday()}
        presets={[30, 90, 365].map((days) => ({ label: `${days} 天后`, value: plainToday().add(days, 'day') }))}
        onChange={(day) => onChange?.(day ? endOfDay(day.format(DAY)) : null)}
        // Enter takes a typed day and does not submit the form as well.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Checkbox checked={forever} onChange={({ target }) => onChange?.(target.checked ? NEVER : null)}>
        长期有效
      </Checkbox>
    </Flex>
  )
}
