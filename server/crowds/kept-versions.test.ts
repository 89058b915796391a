import { expect, test } from 'vitest'
import { KEPT_DAYS, NEWEST_KEPT, type ReplacedVersion, versionsToClear } from './kept-versions.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 27) / 1000

/** Versions numbered from 1, each replaced so many seconds ago. */
const replaced = (ages: readonly number[]): ReplacedVersion[] =>
  ages.map((age, at) => ({
    version: at + 1,
    day: new Date((NOW - age) * 1000).toISOString().slice(0, 10),
    replaced_at: NOW - age,
  }))
const every = (seconds: number, times: number) => Array.from({ length: times }, (_, at) => (times - at) * seconds)
const kept = (ages: readonly number[], spared: number | null = null) => {
  const versions = replaced(ages)
  const cleared = versionsToClear(versions, NOW, [spared])
  return versions.map(({ version }) => version).filter((version) => !cleared.includes(version))
}

test.each<[string, ages: number[], left: number]>([
  ['nothing was replaced', [], 0],
  ['one version', [HOUR], 1],
  ['every day for 80 days', every(DAY, 80), 80],
  ['every week for a year', every(7 * DAY, 52), 12],
  ['as many within a day as are kept anyway', every(60, NEWEST_KEPT), NEWEST_KEPT],
  ['every hour for a week: two days of all, five of one a day', every(HOUR, 168), NEWEST_KEPT + 5],
  ['every hour for a year', every(HOUR, 8760), NEWEST_KEPT + KEPT_DAYS - 2],
  // The newest 48 are those of 12 hours.
  ['every quarter of an hour for 90 days', every(HOUR / 4, 90 * 96), NEWEST_KEPT + KEPT_DAYS - 1],
])('%s', (_, ages, left) => {
  expect(kept(ages)).toHaveLength(left)
})

test('of an earlier day the last version is kept', () => {
  const ages = [5 * DAY + 3, 5 * DAY + 2, 5 * DAY + 1, ...every(60, NEWEST_KEPT)]
  expect(kept(ages)[0]).toBe(3)
  expect(kept(ages)).toHaveLength(NEWEST_KEPT + 1)
})

test('a spared version is kept beside the last of its day, and no longer than others', () => {
  const ages = [5 * DAY + 3, 5 * DAY + 2, 5 * DAY + 1, ...every(60, NEWEST_KEPT)]
  expect(kept(ages, 1).slice(0, 2)).toEqual([1, 3])
  expect(kept([KEPT_DAYS * DAY + 1, 60], 1)).toEqual([2])
})

test('a version that was replaced 90 days ago is kept, whatever the age of its data', () => {
  expect(kept([KEPT_DAYS * DAY + 1, KEPT_DAYS * DAY])).toEqual([2])
})

test('a version from the future, after the clock was set back, is kept', () => {
  expect(kept([-HOUR])).toEqual([1])
})
