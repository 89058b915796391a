import { Button, Flex, Radio } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import { hoursWords, SLOTS_A_DAY, WEEK_DAYS, WEEK_SLOTS } from '#contract/activity/schedule.ts'
import text from '../../../components/text.module.css'
import styles from './workbench.module.css'

const HOURS_A_DAY = 24
const SLOTS_AN_HOUR = SLOTS_A_DAY / HOURS_A_DAY
const ALWAYS = '1'.repeat(WEEK_SLOTS)

/** How far the arrow keys move in the grid, whose buttons are the hours of one day after the other. */
const STEPS: Readonly<Record<string, number | undefined>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -HOURS_A_DAY,
  ArrowDown: HOURS_A_DAY,
}

/** From one hour to another on the first `days` days of the week. */
const between = (from: number, to: number, days: number) =>
  WEEK_DAYS.map((_, day) =>
    day < days
      ? '0'.repeat(from * SLOTS_AN_HOUR) +
        '1'.repeat((to - from) * SLOTS_AN_HOUR) +
        '0'.repeat((HOURS_A_DAY - to) * SLOTS_AN_HOUR)
      : '0'.repeat(SLOTS_A_DAY),
  ).join('')

/** Which hours of the week a plan delivers; null: always. Half hours that were set elsewhere stay until their hour is changed. */
export function HoursField(props: {
  id: string
  value: string | null
  readOnly: boolean
  onChange: (value: string | null) => void
}) {
  const { id, value, readOnly, onChange } = props
  // While a pointer is held: whether it sets hours or clears them.
  const painting = useRef<boolean | null>(null)
  // One button of the grid is a tab stop; arrow keys move between them.
  const [stop, setStop] = useState(0)
  const grid = useRef<HTMLTableElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = stop + step
    // No further than the ends of a day, or than the week.
    const isSameDay = Math.floor(next / HOURS_A_DAY) === Math.floor(stop / HOURS_A_DAY)
    if (next < 0 || next >= WEEK_DAYS.length * HOURS_A_DAY || (Math.abs(step) === 1 && !isSameDay)) return
    setStop(next)
    grid.current?.querySelectorAll('button')[next]?.focus()
  }
  const latest = useRef(value)
  latest.current = value
  const set = (day: number, hour: number, isOn: boolean) => {
    const from = day * SLOTS_A_DAY + hour * SLOTS_AN_HOUR
    const now = latest.current ?? ALWAYS
    const next = now.slice(0, from) + (isOn ? '1' : '0').repeat(SLOTS_AN_HOUR) + now.slice(from + SLOTS_AN_HOUR)
    latest.current = next
    onChange(next)
  }
  const slotsOf = (day: number, hour: number) => {
    const from = day * SLOTS_A_DAY + hour * SLOTS_AN_HOUR
    return (value ?? ALWAYS).slice(from, from + SLOTS_AN_HOUR)
  }
  const isOn = (day: number, hour: number) => !slotsOf(day, hour).includes('0')
  const faceOf = (day: number, hour: number) =>
    isOn(day, hour) ? styles.on : slotsOf(day, hour).includes('1') ? styles.half : styles.off
  return (
    <>
      <Radio.Group
        id={id}
        aria-label="投放时段"
        value={value === null ? 'always' : 'some'}
        onChange={({ target }) => onChange(target.value === 'always' ? null : between(8, 24, 7))}
        options={[
          { value: 'always', label: '全天' },
          { value: 'some', label: '指定时段' },
        ]}
      />
      {value !== null && (
        <Flex vertical gap={8} className={styles.hours}>
          <Flex gap={8}>
            <Button size="small" onClick={() => onChange(between(9, 18, 5))}>
              工作日 9–18 点
            </Button>
            <Button size="small" onClick={() => onChange(between(8, 24, 7))}>
              每天 8–24 点
            </Button>
            <Button size="small" onClick={() => onChange('0'.repeat(WEEK_SLOTS))}>
              清空
            </Button>
          </Flex>
          <table
            ref={grid}
            className={styles.grid}
            aria-label="一周的投放时段"
            onPointerUp={() => {
              painting.current = null
            }}
            onPointerLeave={() => {
              painting.current = null
            }}
          >
            <thead>
              <tr>
                <th aria-label="星期" />
                {Array.from({ length: HOURS_A_DAY / 2 }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day
                  <th key={at} colSpan={2} scope="colgroup">
                    {at * 2}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {WEEK_DAYS.map((name, day) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {Array.from({ length: HOURS_A_DAY }, (_, hour) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day
                    <td key={hour}>
                      <button
                        type="button"
                        disabled={readOnly}
                        tabIndex={stop === day * HOURS_A_DAY + hour ? 0 : -1}
                        aria-pressed={isOn(day, hour)}
                        aria-label={`${name} ${hour} 点`}
                        className={faceOf(day, hour)}
                        onPointerDown={(event) => {
                          event.currentTarget.releasePointerCapture(event.pointerId)
                          painting.current = !isOn(day, hour)
                          set(day, hour, painting.current)
                        }}
                        onPointerEnter={() => {
                          if (painting.current !== null) set(day, hour, painting.current)
                        }}
                        onFocus={() => setStop(day * HOURS_A_DAY + hour)}
                        onKeyDown={(event) => {
                          move(event)
                          if (event.key !== 'Enter' && event.key !== ' ') return
                          event.preventDefault()
                          set(day, hour, !isOn(day, hour))
                        }}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <span className={text.hint}>{hoursWords(value)}</span>
        </Flex>
      )}
    </>
  )
}
