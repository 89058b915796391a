import { Input } from 'antd'
import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import { SEARCH_DELAY_MS } from '../lib/debounced.ts'
import { CLEARABLE } from './clearable.tsx'

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
  // The list may have moved on to another folder while the text waited.
  const apply = useEffectEvent((text: string) => {
    // The router changes the URL in a transition; the draft is dropped in the same one, so the old value does not flash.
    startTransition(() => setDraft(null))
    if (text !== value) onChange(text)
  })
  /** The text that waits; an effect's timer, so that it is applied to the list as it is then. */
  const [waiting, setWaiting] = useState<{ text: string; wait: number } | null>(null)
  const commit = (text: string, wait: number) => setWaiting({ text, wait })
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => apply(waiting.text), waiting.wait)
    return () => clearTimeout(timer)
  }, [waiting])

  return (
    <Input
      allowClear={CLEARABLE}
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
