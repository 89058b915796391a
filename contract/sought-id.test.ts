import { describe, expect, test } from 'vitest'
import { listActivities } from './activity-list.ts'
import { ID_MAX } from './common.ts'
import { listRuleCrowds } from './rule-crowd.ts'
import { listTargetings } from './targeting-package.ts'

const LONG = '99999999999999999999'
const NOBODYS = -1

describe('an id that a list is filtered by', () => {
  const lists = {
    activities: (id: unknown) => listActivities.query.safeParse({ id }).data?.id,
    crowds: (id: unknown) => [listRuleCrowds.query.safeParse({ tag_id: id }).data?.tag_id],
    packages: (id: unknown) => [listTargetings.body.safeParse({ tag_id: id }).data?.tag_id],
  }
  for (const [name, idsOf] of Object.entries(lists)) {
    test.each([
      ['12', [12]],
      [String(ID_MAX), [ID_MAX]],
      [String(ID_MAX + 1), [NOBODYS]],
      ['0', [NOBODYS]],
      [LONG, [NOBODYS]],
    ])(`of ${name}: %s is taken as %j, and nothing has an id that is not positive`, (text, ids) => {
      expect(idsOf(text)).toEqual(ids)
    })
  }

  test('a number without quotation marks is taken, too', () => {
    expect(lists.packages(12)).toEqual([12])
  })

  test('of several, those that can be ids still count', () => {
    expect(lists.activities(`12,${LONG}`)).toEqual([12, NOBODYS])
  })

  test.each(['abc', '1.5', '-3', '1e3', '12;13'])('%s is refused', (text) => {
    expect(listActivities.query.safeParse({ id: text }).success).toBe(false)
    expect(listRuleCrowds.query.safeParse({ tag_id: text }).success).toBe(false)
    expect(listTargetings.body.safeParse({ tag_id: text }).success).toBe(false)
  })
})
