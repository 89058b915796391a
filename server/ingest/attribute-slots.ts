import { outcome } from '#contract/outcome.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { AppError } from '../errors.ts'

const ATTRIBUTES_MAX = 1000

interface Named {
  name: string
}

/**
 * The columns of `person_row` that hold an advertiser's attributes. `given` are the existing ones; `addColumns` adds
 * columns and accepts that some exist already.
 */
export function attributeSlots(
  given: readonly { name: string; slot: number }[],
  addColumns: (columns: string[]) => Promise<void>,
) {
  const slots = new Map(given.map(({ name, slot }) => [name, slot]))
  let isFirst = true

  const slotOf = (name: string): number => {
    const slot = slots.get(name)
    if (slot === undefined) throw new Error(`attribute ${name} has no slot`)
    return slot
  }
  const columns = (attributes: readonly Named[]) => attributes.map(({ name }) => slotColumn(slotOf(name)))

  return {
    slotOf,
    columns,
    /** Assigns the next free columns to new attributes; called before each chunk, since NDJSON may have new keys. */
    async give(attributes: readonly Named[]): Promise<void> {
      const taken = new Set(slots.values())
      const fresh = attributes.filter(({ name }) => !slots.has(name))
      if (slots.size + fresh.length > ATTRIBUTES_MAX) {
        throw new AppError('importMapping', { reason: outcome('import_too_many_attributes', { max: ATTRIBUTES_MAX }) })
      }
      for (const { name } of fresh) {
        let slot = 0
        while (taken.has(slot)) slot++
        taken.add(slot)
        slots.set(name, slot)
      }
      const isReady = fresh.length === 0 && !isFirst
      isFirst = false
      if (attributes.length > 0 && !isReady) await addColumns(columns(attributes))
    },
  }
}
export type AttributeSlots = ReturnType<typeof attributeSlots>
