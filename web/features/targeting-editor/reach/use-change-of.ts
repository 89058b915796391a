import { hashKey } from '@tanstack/react-query'
import { useState } from 'react'
import { isSizeShown } from '#contract/size-words.ts'

/**
 * By how much a figure differs from the one before; null where there is none, or either is too small to be said. Figures
 * about something else do not count: `about`. A figure of null is not known yet, and differs from nothing.
 */
export function useChangeOf(figure: number | null, about: unknown): number | null {
  const of = hashKey([about])
  const [seen, setSeen] = useState<{ of: string; now: number | null; before: number | null }>({
    ...{ of, now: null, before: null },
  })
  if (seen.of !== of) setSeen({ of, now: figure, before: null })
  else if (figure !== null && figure !== seen.now) setSeen({ of, now: figure, before: seen.now })
  if (
    figure === null ||
    seen.now === null ||
    seen.before === null ||
    !isSizeShown(seen.now) ||
    !isSizeShown(seen.before)
  )
    return null
  return seen.now - seen.before
}
