import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { faultOf } from '../testing/platform-world.ts'
import { countedRows, type ListPage, wholeList } from './whole-list.ts'

const PAGE = 2
type Page = Partial<ListPage<string>> & { rows: string[] }

/** Reads lists whose pages are given in the order of the calls. */
function reader(...pages: Page[]) {
  const asked: number[] = []
  const read = async (page: number): Promise<ListPage<string>> => {
    const { rows, listed = rows.length, total, nameless = 0 } = pages[asked.length] ?? { rows: [] }
    asked.push(page)
    return { rows, listed, total, nameless }
  }
  return { asked, list: () => wholeList(PAGE, (row) => row, read) }
}

describe('a list is read whole', () => {
  test.each<[string, Page[], string[]]>([
    ['over one page', [{ rows: ['a'], total: 1 }], ['a']],
    [
      'over several',
      [
        { rows: ['a', 'b'], total: 3 },
        { rows: ['c'], total: 3 },
      ],
      ['a', 'b', 'c'],
    ],
    ['without any row', [{ rows: [], total: 0 }], []],
    [
      'without the rows that have no id',
      [
        { rows: ['a'], listed: 2, nameless: 1, total: 3 },
        { rows: ['b'], total: 3 },
      ],
      ['a', 'b'],
    ],
    ['where nobody says how many there are', [{ rows: ['a', 'b'] }, { rows: ['c'] }], ['a', 'b', 'c']],
    [
      'anew after a row was made meanwhile, which shows another one twice',
      [
        { rows: ['a', 'b'], total: 3 },
        { rows: ['b', 'c'], total: 4 },
        { rows: ['n', 'a'], total: 4 },
        { rows: ['b', 'c'], total: 4 },
      ],
      ['n', 'a', 'b', 'c'],
    ],
    [
      'anew after one was deleted meanwhile, so that another one slipped by',
      [
        { rows: ['a', 'b'], total: 4 },
        { rows: ['d'], total: 3 },
        { rows: ['b', 'c'], total: 3 },
        { rows: ['d'], total: 3 },
      ],
      ['b', 'c', 'd'],
    ],
  ])('%s', async (_, pages, expected) => {
    expect(await reader(...pages).list()).toEqual(expected)
  })
})

test.each<[string, Page]>([
  ['that stops before its end', { rows: [], total: 3 }],
  ['with a row that cannot be read', { rows: ['a'], listed: 2, total: 2 }],
])('a list %s is no list', async (_, page) => {
  const { list, asked } = reader(page, page, page)
  expect(await faultOf(list())).toMatchObject({ kind: 'later', outcome: { code: 'platform_answer_incomplete' } })
  expect(asked).toEqual([1, 1])
})

test('rows that cannot be read are counted', () => {
  const rows = countedRows(z.object({ id: z.number() }))
  expect(rows.parse([{ id: 1 }, { id: 'x' }])).toEqual({ rows: [{ id: 1 }], listed: 2 })
  expect(rows.parse(null)).toEqual({ rows: [], listed: 0 })
})
