import { expect, test } from 'vitest'
import { lostParts } from './broken-parts.ts'

const part = (first: number, last = first, partition_id = 'all', table = 'event') => ({
  table,
  partition_id,
  first,
  last,
})

test.each([
  ['a merge of parts that are all there', part(1, 5), [part(1, 2), part(3, 4), part(5)], false],
  ['a part that a finished merge replaced', part(3), [part(1, 5)], false],
  ['a part alone', part(3), [], true],
  ['a part between others', part(3), [part(1, 2), part(4, 6)], true],
  ['a merge of which the last part is missing', part(1, 5), [part(1, 2), part(3, 4)], true],
  ['a part of another partition', part(3, 3, '202611'), [part(1, 5, '202610')], true],
  ['a part of another table', part(3), [part(1, 5, 'all', 'person_row')], true],
])('of %s, rows are lost or not', (_, broken, active, isLost) =>
  expect(lostParts([broken], active)).toEqual(isLost ? [broken] : []),
)
