import { type RefObject, useEffect, useRef, useState } from 'react'

/** The table's head, footer and pages below its rows, px. */
const AROUND = 170
const LEAST = 240

/** How high the rows of a table may be, so that its footer stays on the screen. */
export function useRoomBelow(): [frame: RefObject<HTMLDivElement | null>, room: number] {
  const frame = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(LEAST)
  useEffect(() => {
    const measure = () => {
      const top = (frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      setRoom(Math.max(LEAST, window.innerHeight - top - AROUND))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [])
  return [frame, room]
}
