import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import type { FieldNames, TagDefinition } from '#contract/tag-definition.ts'
import { getAttribute, getEvent, getPropertyValues, listFields } from '#contract/tag-field.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'

export type Attribute = DataOf<typeof getAttribute>
export type Event = DataOf<typeof getEvent>

/** The attributes and events that a search finds; the first page where nothing is searched. */
export function useFieldSearch(advId: number) {
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const { data, isFetching } = useQuery({
    ...queryOf(listFields, { query: { adv_id: advId, ...(keyword && { keyword: keyword.slice(0, 100) }) } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  })
  return { data, isLoading: isFetching, onSearch: setTyped }
}

/** What is settled about an attribute; undefined until it is loaded, or while none is chosen. */
export const useAttribute = (advId: number, name: string | null): Attribute | undefined =>
  useQuery({
    ...queryOf(getAttribute, { query: { adv_id: advId, name: name ?? '' } }),
    enabled: name !== null,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  }).data

/** The same of an event, with its properties. */
export const useEvent = (advId: number, name: string | null): Event | undefined =>
  useQuery({
    ...queryOf(getEvent, { query: { adv_id: advId, name: name ?? '' } }),
    enabled: name !== null,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  }).data

/** Names of the values of an event's properties, by property, as far as they are loaded. */
function usePropertyLabels(advId: number, definition: TagDefinition | null) {
  const { event = '', properties = [] } = definition?.kind === 'event' ? definition : {}
  const names = [...new Set(properties.map(({ property }) => property))].filter((name) => name !== '')
  return useQueries({
    queries: names.map((property) => ({
      ...queryOf(getPropertyValues, { query: { adv_id: advId, name: event, property } }),
      staleTime: 60_000,
      meta: { silent: 'optional' as const },
    })),
    combine: (found) =>
      new Map(
        found.map(({ data }, at) => [names[at], new Map(data?.dictionary.map(({ value, label }) => [value, label]))]),
      ),
  })
}

/** How the field of a definition and its values are shown; as they were imported until that is loaded. */
export function useFieldNames(advId: number, definition: TagDefinition | null): FieldNames {
  const attribute = useAttribute(advId, definition?.kind === 'attribute' ? definition.attribute : null)
  const event = useEvent(advId, definition?.kind === 'event' ? definition.event : null)
  const propertyLabels = usePropertyLabels(advId, definition)
  return useMemo(() => {
    const labels = new Map(attribute?.dictionary.map(({ value, label }) => [value, label]))
    const properties = new Map(event?.properties.map((one) => [one.name, one.display_name]))
    return {
      attribute: (name) => attribute?.display_name || name,
      event: (name) => event?.display_name || name,
      property: (_, name) => properties.get(name) ?? name,
      value: (_, value) => labels.get(value) ?? value,
      propertyValue: (_, property, value) => propertyLabels.get(property)?.get(value) ?? value,
    }
  }, [attribute, event, propertyLabels])
}
