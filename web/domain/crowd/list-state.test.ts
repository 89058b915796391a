import { expect, test } from 'vitest'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { RULE_CROWD_FILTERS } from '../../features/rule-crowd/RuleCrowdList.tsx'
import { createdFilter, nameFilter, tagIdFilter } from './filters.tsx'
import { ALL_FOLDERS, isFiltered, queryOfState, readState, searched, writeState } from './list-state.ts'

const full =
  'dir_id=7&name=%E5%8F%8C11&creator_id=2%2C3&status=completed%2Cfailed&created_at=1700000000%2C1700086399&adv_id=4&tag_id=9&page=3&page_size=50&sort=created_at'

test('a link restores the list', () => {
  const state = readState(RULE_CROWD_FILTERS, new URLSearchParams(full), 1)
  expect(writeState(RULE_CROWD_FILTERS, state).toString()).toBe(full)
  expect(listRuleCrowds.query.parse(queryOfState(RULE_CROWD_FILTERS, state))).toMatchObject({
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

test('all folders have a link of their own and ask for no folder', () => {
  const state = readState(RULE_CROWD_FILTERS, new URLSearchParams('dir_id=0&name=老客'), 5)
  expect(state.dir_id).toBe(ALL_FOLDERS)
  expect(writeState(RULE_CROWD_FILTERS, state).get('dir_id')).toBe('0')
  expect(queryOfState(RULE_CROWD_FILTERS, state)).toMatchObject({ dir_id: undefined, name: '老客' })
  expect(searched(state, { dir_id: 7 })).toMatchObject({ dir_id: 7, filters: { name: '老客' } })
})

test('invalid values in the URL fall back to the defaults, the folder to the one remembered', () => {
  const state = readState(
    RULE_CROWD_FILTERS,
    new URLSearchParams('dir_id=x&page=-1&page_size=9999&status=dead,constructor&tag_id=1e3&created_at=1&sort=name'),
    5,
  )
  expect(state).toMatchObject({
    dir_id: 5,
    page: 1,
    page_size: 10,
    filters: { status: [], created_at: null, tag_id: '' },
    sort: '-created_at',
  })
  expect(writeState(RULE_CROWD_FILTERS, state).toString()).toBe('dir_id=5')
  expect(isFiltered(RULE_CROWD_FILTERS, state)).toBe(false)
  expect(() => listRuleCrowds.query.parse(queryOfState(RULE_CROWD_FILTERS, state))).not.toThrow()
})

test('a search starts on page 1 with 10 rows', () => {
  const state = searched(readState(RULE_CROWD_FILTERS, new URLSearchParams(full), 1), { filters: { name: '新' } })
  expect(state).toMatchObject({ page: 1, page_size: 10, filters: { name: '新', tag_id: '9' }, dir_id: 7 })
  expect(isFiltered(RULE_CROWD_FILTERS, state)).toBe(true)
})

test('a filter of one list is neither read, written nor sent by a list that does not name it', () => {
  const one = { name: nameFilter, tag_id: tagIdFilter }
  const other = { name: nameFilter, created_at: createdFilter }
  const state = readState(other, new URLSearchParams(full), 1)
  expect(Object.keys(state.filters)).toEqual(Object.keys(other))
  expect(writeState(other, state).has('tag_id')).toBe(false)
  expect(queryOfState(other, state)).not.toHaveProperty('tag_id')
  expect(queryOfState(one, readState(one, new URLSearchParams(full), 1))).toMatchObject({ name: '双11', tag_id: '9' })
})
