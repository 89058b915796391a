import { expect, test } from 'vitest'
import { changesSomething } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { LEFT_OUT, looksAt } from './load-calls.ts'

const looks = looksAt({
  ...{ adv_id: 1, rules: [{ id: 2, rId: 2 }], customs: [3], versions: [{ id: 2, from: 1, to: 2 }] },
  ...{ accounts: [{ id: 4, platform: 1 }], pushes: [{ id: 5, child_id: 6, account_id: 4 }], people: ['U1'] },
  ...{ activities: [7], imports: [8], tags: [9], categories: [10], packages: [11], templates: [12] },
  ...{ attributes: ['城市'], events: [{ name: '支付', property: '金额' }], folders: [13] },
})
const reading = Object.entries(ENDPOINTS)
  .filter(([, endpoint]) => endpoint.method === 'GET' && !changesSomething(endpoint))
  .map(([name]) => name)

test('the load benchmark makes every call that reads, except those with a reason', () => {
  const made = new Set(looks.map(({ endpoint }) => endpoint))
  const missing = reading.filter((name) => !made.has(ENDPOINTS[name] as (typeof looks)[0]['endpoint']))
  expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted())
})

test('each of its lists, charts and pages has calls and a name of its own, and changes nothing', () => {
  expect(looks.filter(({ calls }) => calls.length === 0).map(({ name }) => name)).toEqual([])
  expect(new Set(looks.map(({ name }) => name)).size).toBe(looks.length)
  const changing = looks.filter(({ endpoint }) => changesSomething(endpoint) && !endpoint.readers)
  expect(changing.map(({ name }) => name)).toEqual([])
})
