import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../lib/format.ts'
import { useReducedMotion } from '../lib/media.ts'

const COUNT_UP_MS = 200

/** An exact number that runs from its last value to the new one; at once where the system asks for little movement. */
export function CountUp({ value }: { value: number | null }) {
  const isStill = useReducedMotion()
  const [frame, setFrame] = useState(value)
  const last = useRef(value)

  useEffect(() => {
    const start = last.current
    const began = performance.now()
    let request = requestAnimationFrame(function tick(now) {
      const isJump = value === null || start === null || isStill
      const share = isJump ? 1 : Math.min(1, Math.max(0, (now - began) / COUNT_UP_MS))
      const next = share === 1 ? value : Math.round((start ?? 0) + ((value ?? 0) - (start ?? 0)) * share)
      last.current = next
      setFrame(next)
      if (share < 1) request = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(request)
  }, [value, isStill])

  return <>{formatCount(isStill || value === null || frame === null ? value : frame)}</>
}
