import { useSyncExternalStore } from 'react'

/** Whether a media query matches; follows changes. */
export function useMedia(query: string) {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Whether the viewer's system is set to reduced motion. */
export const useReducedMotion = () => useMedia('(prefers-reduced-motion: reduce)')
