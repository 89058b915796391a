import { Input } from 'antd'
import { startTransition, useEffect, useRef, useState } from 'react'
import { SEARCH_DELAY_MS } from '../lib/debounced.ts'

/** A text filter. It takes effect when typing pauses, at once on Enter or when cleared. */
export function FilterText(props: {
  value: string
  onChange: (value: string) => void
  label: string
  width?: number
  digits?: boolean
}) {
  const { value, onChange, label, width = 180, digits = false } = props
  /** What is typed and not in effect yet; null shows the value. */
  const [draft, setDraft] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const commit = (text: string, wait: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // The router changes the URL in a transition; the draft is dropped in the same one, so the old value does not flash.
      startTransition(() => setDraft(null))
      if (text !== value) onChange(text)
    }, wait)
  }

  return (
    <Input
      allowClear
      value={draft ?? value}
      placeholder={label}
      aria-label={label}
      style={{ width }}
      onChange={(event) => {
        const text = digits ? event.target.value.replace(/\D/g, '') : event.target.value
        setDraft(text)
        commit(text, text === '' ? 0 : SEARCH_DELAY_MS)
      }}
      onPressEnter={() => commit(draft ?? value, 0)}
    />
  )
}
