import { expect, test } from 'vitest'
import { type Claim, DEVICE_LINKS_MAX, newLinks, type PersonLink } from './new-links.ts'

const identify = (anonymous_id: string, user_id: string, ts: number): Claim => ({
  kind: 'identify',
  anonymous_id,
  user_id,
  previous_id: '',
  ts,
  by_page: 0,
})
const alias = (previous_id: string, user_id: string, ts = 1): Claim => ({
  kind: 'alias',
  previous_id,
  user_id,
  anonymous_id: '',
  ts,
  by_page: 0,
})
const link = (from_id: string, since: number, to_id: string): PersonLink => ({ from_id, since, to_id, by_page: 0 })

test.each<[string, Claim[], PersonLink[], string[], PersonLink[]]>([
  ['a device is given to its first user', [identify('d', 'u', 5)], [], [], [link('anon:d', 5, 'u')]],
  [
    'a link of a page says so',
    [{ ...identify('d', 'u', 5), by_page: 1 }],
    [],
    [],
    [{ ...link('anon:d', 5, 'u'), by_page: 1 }],
  ],
  [
    'the same user again adds nothing',
    [identify('d', 'u', 9), identify('d', 'u', 7)],
    [link('anon:d', 5, 'u')],
    [],
    [],
  ],
  ['an older word of the same user adds nothing', [identify('d', 'u', 3)], [link('anon:d', 5, 'u')], [], []],
  [
    'a second user takes what comes later',
    [identify('d', 'v', 8)],
    [link('anon:d', 5, 'u')],
    [],
    [link('anon:d', 8, 'v')],
  ],
  [
    'and the first may come back',
    [identify('d', 'u', 5), identify('d', 'v', 8), identify('d', 'u', 9)],
    [],
    [],
    [link('anon:d', 5, 'u'), link('anon:d', 8, 'v'), link('anon:d', 9, 'u')],
  ],
  [
    'the order is that of the times',
    [identify('d', 'v', 8), identify('d', 'u', 5)],
    [],
    [],
    [link('anon:d', 5, 'u'), link('anon:d', 8, 'v')],
  ],
  ['an alias gives a user to another for all times', [alias('a', 'b')], [], ['a'], [link('a', 0, 'b')]],
  ['an alias of an id that nobody has yet is a user', [alias('a', 'b')], [], [], [link('a', 0, 'b')]],
  ['an alias of a device is from then on', [alias('d', 'b', 4)], [], ['anon:d'], [link('anon:d', 4, 'b')]],
  ['an id that is both is the user', [alias('a', 'b')], [], ['a', 'anon:a'], [link('a', 0, 'b')]],
  [
    'what led to the old id leads to the new one',
    [alias('a', 'b')],
    [link('anon:d', 5, 'a')],
    ['a'],
    [link('anon:d', 5, 'b'), link('a', 0, 'b')],
  ],
  [
    'a chain ends at its last user',
    [alias('a', 'b', 1), alias('b', 'c', 2)],
    [],
    ['a', 'b'],
    [link('a', 0, 'c'), link('b', 0, 'c')],
  ],
  [
    'a chain told in the other order too',
    [alias('b', 'c', 1), alias('a', 'b', 2)],
    [],
    ['a', 'b'],
    [link('b', 0, 'c'), link('a', 0, 'c')],
  ],
  ['a circle changes nothing', [alias('a', 'b', 1), alias('b', 'a', 2)], [], ['a', 'b'], [link('a', 0, 'b')]],
  ['an alias of oneself changes nothing', [alias('a', 'a')], [], ['a'], []],
  ['repeated, it changes nothing', [alias('a', 'b')], [link('a', 0, 'b')], ['b'], []],
  [
    'a merged id given to another merges both',
    [alias('a', 'c', 2)],
    [link('a', 0, 'b')],
    ['b'],
    [link('a', 0, 'c'), link('b', 0, 'c')],
  ],
  [
    'an identify with a merged id leads to the other',
    [identify('d', 'a', 3)],
    [link('a', 0, 'b')],
    ['b'],
    [link('anon:d', 3, 'b')],
  ],
])('%s', (_, claims, known, people, expected) => {
  const exists = new Set(people)
  expect(newLinks(claims, known, (id) => exists.has(id))).toEqual({ links: expected, refused: [] })
})

const MANY = 200_000
const nobody = () => false

test('a device that is given to two users in turn changes so often, and further claims are refused', () => {
  const claims = Array.from({ length: MANY }, (_, no) => identify('d', no % 2 ? 'v' : 'u', no + 1))
  const { links, refused } = newLinks(claims, [], nobody)
  expect(links).toHaveLength(DEVICE_LINKS_MAX)
  expect(links.slice(0, 2)).toEqual([link('anon:d', 1, 'u'), link('anon:d', 2, 'v')])
  // It stays with its last user, whom half of the further claims name.
  expect(refused).toHaveLength((MANY - DEVICE_LINKS_MAX) / 2)
  expect(newLinks(claims, links, nobody)).toEqual({ links: [], refused })
})

test('a device that came with more links than the bound keeps them, in whatever order they were read', () => {
  const known = Array.from({ length: DEVICE_LINKS_MAX + 2 }, (_, no) => link('anon:d', no + 1, `u${no}`)).reverse()
  const claims = [identify('d', 'u4', 5), identify('d', 'x', 5)]
  expect(newLinks(claims, known, nobody)).toEqual({ links: [], refused: [claims[1]] })
})

test('claims of many devices and users are linked one by one', () => {
  const claims = Array.from({ length: MANY }, (_, no) => identify(`d${no}`, `u${no % 7}`, MANY - no))
  expect(newLinks(claims, [], nobody)).toMatchObject({ links: { length: MANY }, refused: [] })
})

test('many aliases in a chain, in a star and apart all lead to their last users', () => {
  const chain = Array.from({ length: MANY }, (_, no) => alias(`c${no}`, `c${no + 1}`, no + 1))
  const star = Array.from({ length: MANY }, (_, no) => alias(`s${no}`, 'centre'))
  const pairs = Array.from({ length: MANY }, (_, no) => alias(`p${no}`, `q${no}`))
  const lastOf = (claims: Claim[]) => new Set(newLinks(claims, [], nobody).links.map(({ to_id }) => to_id))
  expect([...lastOf(chain)]).toEqual([`c${MANY}`])
  expect([...lastOf(star)]).toEqual(['centre'])
  expect(lastOf(pairs).size).toBe(MANY)
})
