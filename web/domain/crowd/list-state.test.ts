import { expect, test } from 'vitest'
import { listPeople, PEOPLE_STATUS } from '#contract/rule-crowd.ts'
import { isFiltered, queryOfState, readState, searched, writeState } from './list-state.ts'

const full =
  'dir_id=7&name=%E5%8F%8C11&creator_id=2%2C3&status=completed%2Cfailed&tag_id=9&created_at=1700000000%2C1700086399&adv_id=4&page=3&page_size=50&sort=created_at'

test('a link gives the same list again', () => {
  const state = readState(PEOPLE_STATUS, new URLSearchParams(full), 1)
  expect(writeState(state).toString()).toBe(full)
  expect(listPeople.query.parse(queryOfState(state))).toMatchObject({
    dir_id: 7,
    name: '双11',
    creator_id: [2, 3],
    status: ['completed', 'failed'],
    created_at: [1700000000, 1700086399],
    page: 3,
    page_size: 50,
    sort: 'created_at',
  })
})

test('nonsense in the URL falls back, the folder to the one remembered', () => {
  const state = readState(
    PEOPLE_STATUS,
    new URLSearchParams('dir_id=x&page=-1&page_size=9999&status=dead,constructor&tag_id=1e3&created_at=1&sort=name'),
    5,
  )
  expect(state).toMatchObject({
    dir_id: 5,
    page: 1,
    page_size: 10,
    status: [],
    created_at: null,
    tag_id: '',
    sort: '-created_at',
  })
  expect(writeState(state).toString()).toBe('dir_id=5')
  expect(isFiltered(state)).toBe(false)
  expect(() => listPeople.query.parse(queryOfState(state))).not.toThrow()
})

test('a search begins on page 1 with 10 rows', () => {
  const state = searched(readState(PEOPLE_STATUS, new URLSearchParams(full), 1), { name: '新' })
  expect(state).toMatchObject({ page: 1, page_size: 10, name: '新', dir_id: 7 })
  expect(isFiltered(state)).toBe(true)
})
