import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../lib/format.ts'
import { useStillness } from '../lib/media.ts'

const COUNT_UP_MS = 200

/** An exact number that runs from its last value to the new one; at once for viewers who asked for little movement. */
export function CountUp({ value }: { value: number | null }) {
  const isStill = useStillness()
  const [shown, setShown] = useState(value)
  const from = useRef(value)

  useEffect(() => {
    const start = from.current
    if (value === null || start === null || start === value || isStill) {
      from.current = value
      setShown(value)
      return
    }
    const began = performance.now()
    let frame = requestAnimationFrame(function tick(now) {
      const share = Math.min(1, Math.max(0, (now - began) / COUNT_UP_MS))
      const next = Math.round(start + (value - start) * share)
      from.current = next
      setShown(next)
      if (share < 1) frame = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(frame)
  }, [value, isStill])

  return <>{formatCount(shown)}</>
}
