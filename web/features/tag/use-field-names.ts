import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FieldNames, listFields } from '#contract/tag.ts'
import { queryOf } from '../../lib/query.ts'

/** What attributes and events are called; their own names until that is known. */
export function useFieldNames(advId: number): FieldNames {
  const { data } = useQuery({ ...queryOf(listFields, { query: { adv_id: advId } }), meta: { quiet: true } })
  return useMemo(() => {
    const attributes = new Map(data?.attributes.map((one) => [one.name, one.display_name]))
    const events = new Map(data?.events.map((one) => [one.name, one.display_name]))
    return {
      attribute: (name) => attributes.get(name) || name,
      event: (name) => events.get(name) || name,
    }
  }, [data])
}
