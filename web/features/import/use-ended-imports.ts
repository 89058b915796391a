import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getTagTree } from '#contract/tag.ts'
import { listFields } from '#contract/tag-field.ts'
import { keyOf } from '../../lib/query.ts'

/** Reads the fields and tags again when fewer imports are under way: one, or its undo, has ended and changed them. */
export function useEndedImports(underWay: number): void {
  const client = useQueryClient()
  const before = useRef(underWay)
  useEffect(() => {
    if (underWay < before.current)
      for (const stale of [listFields, getTagTree]) void client.invalidateQueries({ queryKey: [keyOf(stale)] })
    before.current = underWay
  }, [underWay, client])
}
