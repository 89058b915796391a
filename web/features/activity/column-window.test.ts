import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnWindow } from './column-window.ts'

interface Column {
  width: number
  isKept: boolean
}
const isKept = (column: Column) => column.isKept

const aTable = fc.record({
  columns: fc.array(fc.record({ width: fc.integer({ min: 80, max: 200 }), isKept: fc.constant(false) }), {
    minLength: 1,
    maxLength: 80,
  }),
  kept: fc.option(fc.nat(79)),
  room: fc.integer({ min: 1, max: 2500 }),
})
const tableOf = ({ columns, kept }: { columns: Column[]; kept: number | null }) =>
  columns.map((column, at) => (at === kept ? { ...column, isKept: true } : column))
const widthOf = (columns: readonly Column[]) => columns.reduce((sum, { width }) => sum + width, 0)

test('what is in sight is drawn, the rest keeps its room, and there are as many parts wherever it is', () => {
  fc.assert(
    fc.property(aTable, (given) => {
      const columns = tableOf(given)
      const total = widthOf(columns)
      const counts = new Set<number>()
      for (let from = 0; from <= total; from += 130) {
        const to = from + given.room
        const parts = columnWindow(columns, { from, to }, isKept)
        counts.add(parts.length)
        const widths = parts.map((part) => ('gap' in part ? part.gap : part.column.width))
        expect(widths.reduce((sum, one) => sum + one, 0)).toBe(total)
        let start = 0
        for (const [no, part] of parts.entries()) {
          const end = start + (widths[no] ?? 0)
          if ('gap' in part) {
            expect(end <= from || start >= to).toBe(true)
            expect(columns.slice(part.at, parts[no + 1]?.at).some(isKept)).toBe(false)
          } else expect(part.column).toBe(columns[part.at])
          start = end
        }
      }
      expect(counts.size).toBe(1)
    }),
  )
})

test('a wide table draws a part of its columns, with those that are kept', () => {
  const columns = Array.from({ length: 66 }, (_, at) => ({ width: 120, isKept: at === 3 }))
  const parts = columnWindow(columns, { from: 3000, to: 4000 }, isKept)
  expect(parts.slice(0, 4)).toEqual([
    { at: 0, gap: 360 },
    { at: 3, column: columns[3] },
    { at: 4, gap: 2520 },
    { at: 25, column: columns[25] },
  ])
  expect(parts.length).toBeLessThan(16)
})

test('a table that is little wider than what is in sight is drawn whole', () => {
  const columns = Array.from({ length: 12 }, () => ({ width: 120, isKept: false }))
  expect(columnWindow(columns, { from: 0, to: 1200 }, isKept)).toHaveLength(12)
})
