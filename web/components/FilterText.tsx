import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { SEARCH_DELAY_MS } from '../lib/debounced.ts'

/** A text filter: it takes effect when the typing rests, at once on Enter or when cleared. */
export function FilterText(props: {
  value: string
  onChange: (value: string) => void
  label: string
  width?: number
  digits?: boolean
}) {
  const { value, onChange, label, width = 180, digits = false } = props
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  // The URL may change under it (back, reset); while one types, the typing wins.
  useEffect(() => {
    if (timer.current === undefined) setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const commit = (text: string, wait: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (text !== value) onChange(text)
    }, wait)
  }

  return (
    <Input
      allowClear
      value={typed}
      placeholder={label}
      aria-label={label}
      style={{ width }}
      onChange={(event) => {
        const text = digits ? event.target.value.replace(/\D/g, '') : event.target.value
        setTyped(text)
        commit(text, text === '' ? 0 : SEARCH_DELAY_MS)
      }}
      onPressEnter={() => commit(typed, 0)}
    />
  )
}
