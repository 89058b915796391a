import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FieldNames, listFields } from '#contract/tag.ts'
import { queryOf } from '../../lib/query.ts'

/** Display names of attributes and events; their own names until these are loaded. */
export function useFieldNames(advId: number): FieldNames {
  const { data } = useQuery({ ...queryOf(listFields, { query: { adv_id: advId } }), meta: { silent: 'optional' } })
  return useMemo(() => {
    const attributes = new Map(data?.attributes.map((one) => [one.name, one.display_name]))
    const events = new Map(data?.events.map((one) => [one.name, one.display_name]))
    return {
      attribute: (name) => attributes.get(name) || name,
      event: (name) => events.get(name) || name,
    }
  }, [data])
}
