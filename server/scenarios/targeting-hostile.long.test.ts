import { afterAll, beforeEach, expect, test } from 'vitest'
import { estimateReach } from '#contract/targeting-estimate.ts'
import * as contract from '#contract/targeting-package.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { aPackage, aTargetingAccount } from '../testing/targeting.ts'
import { testApp } from '../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

const CODES = [SOCIAL, VIDEO, COMMERCE] as const
type Code = (typeof CODES)[number]
const PLAIN = {
  [SOCIAL]: { gender: ['MALE'] },
  [VIDEO]: { landing_type: 'EXTERNAL' },
  [COMMERCE]: { landing_type: 'LIVE' },
}
const [CROWDS, KEPT] = ['include', 'exclude'].map((role) => `retargeting_tags_${role}`) as [string, string]

let accounts: Record<Code, number>
let packages: Record<Code, number>
beforeEach(async () => {
  await app.reset()
  const adv_id = await anAdvertiser(app)
  const made = await Promise.all(CODES.map((code) => aTargetingAccount(app, adv_id, code)))
  accounts = Object.fromEntries(CODES.map((code, i) => [code, made[i]])) as typeof accounts
  const ids = await Promise.all(CODES.map((code) => aPackage(app, accounts[code], { targeting: PLAIN[code] })))
  packages = Object.fromEntries(CODES.map((code, i) => [code, ids[i]])) as typeof packages
})

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** Targetings that no platform takes. */
const HOSTILE: [string, (code: Code) => unknown][] = [
  ['an array', () => []],
  ['a number in JSON text', () => '1'],
  ['null in JSON text', () => 'null'],
  ['a prototype key', (code) => JSON.stringify(PLAIN[code]).replace('{', '{"__proto__":{"age":[]},')],
  ['a constructor key', (code) => ({ ...PLAIN[code], constructor: {} })],
  ['NaN in JSON text', () => '{"age":NaN}'],
  ['100,000 levels in JSON text', () => deep(100_000)],
  ['50 levels in a field', (code) => ({ ...PLAIN[code], age: JSON.parse(deep(50)) })],
  ['an id above 64 bits', (code) => ({ ...PLAIN[code], ...crowd(code, '9223372036854775808') })],
  ['an inexact number as an id', (code) => ({ ...PLAIN[code], ...crowd(code, 2 ** 60) })],
  ['a negative id', (code) => ({ ...PLAIN[code], ...crowd(code, -1) })],
  ['an id with blanks', (code) => ({ ...PLAIN[code], ...crowd(code, ' 1') })],
  ['an object as an id', (code) => ({ ...PLAIN[code], ...crowd(code, { toString: '1' }) })],
  ['a name that cannot be kept', (code) => ({ ...PLAIN[code], ...crowd(code, '1', '老\u0000客') })],
  [
    'a name that cannot be kept in JSON text',
    (code) => JSON.stringify({ ...PLAIN[code], ...crowd(code, '1', '老\u0000客') }),
  ],
  [
    'half a character in JSON text',
    (code) => JSON.stringify({ ...PLAIN[code], ...crowd(code, '1', 'X') }).replace('X', '\\ud800'),
  ],
  ['the targeting of another platform', (code) => (code === SOCIAL ? PLAIN[COMMERCE] : PLAIN[SOCIAL])],
]
function crowd(code: Code, id: unknown, name = '老客') {
  const row = { retargeting_tags_id: id, name, is_common: 1, retargeting_tags_op: 'ALL' }
  return code === SOCIAL
    ? { custom_audience: [id], custom_audience_local: [row] }
    : { auto_crowd_mode: [1], [CROWDS]: [id], [`${CROWDS}_local`]: [row] }
}

test.each(HOSTILE)(
  '%s is refused with a sentence by every call of every platform, and changes nothing',
  async (_, make) => {
    for (const code of CODES) {
      const targeting = make(code)
      const advertiser_id = accounts[code]
      const answers = await Promise.all([
        app.admin.call(contract.addTargeting, {
          body: { targeting_name: '新', dir_id: 1, advertiser_id, targeting } as never,
        }),
        app.admin.call(contract.updateTargeting, { body: { id: packages[code], targeting } as never }),
        app.admin.call(estimateReach, { body: { advertiser_id, targeting } as never }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
      for (const { msg } of answers) expect(msg).toMatch(/\p{Script=Han}/u)
    }
    const rows = await db.selectFrom('targeting_package').select(['id', 'ver']).execute()
    expect(rows.map(({ ver }) => ver)).toEqual([1, 1, 1])
  },
)

test('two spellings of a field with different values are refused, and with the same value are one', async () => {
  const spelt = (other: string[]) => ({
    ...PLAIN[VIDEO],
    auto_crowd_mode: [1],
    [CROWDS]: ['1'],
    retargeting_tags: other,
  })
  const update = (targeting: object) =>
    app.admin.call(contract.updateTargeting, { body: { id: packages[VIDEO], targeting } as never })
  expect(await update(spelt(['2']))).toMatchObject({ status: 400 })
  expect(await update(spelt(['1']))).toMatchObject({ code: 0 })
  const { targeting } = await app.admin.get(contract.getTargeting, { query: { id: packages[VIDEO] } })
  expect(targeting).toMatchObject({ [CROWDS]: ['1'] })
  expect(targeting).not.toHaveProperty('retargeting_tags')
  expect(targeting).not.toHaveProperty(KEPT)
})

test('the largest id of 64 bits is kept to its last digit', async () => {
  const id = '9223372036854775807'
  for (const code of CODES) {
    const targeting = { ...PLAIN[code], ...crowd(code, id) }
    const saved = await app.admin.call(contract.updateTargeting, { body: { id: packages[code], targeting } as never })
    expect(saved).toMatchObject({ code: 0 })
    const got = await app.admin.get(contract.getTargeting, { query: { id: packages[code] } })
    expect(got.targeting[code === SOCIAL ? 'custom_audience' : CROWDS]).toEqual([id])
  }
})

test('a text with a character that cannot be kept is refused', async () => {
  const targeting = { interest: 'CUSTOM', interest_keywords: ['手\u0000机'] }
  const body = { id: packages[SOCIAL], targeting }
  expect(await app.admin.call(contract.updateTargeting, { body: body as never })).toMatchObject({ status: 400 })
  const text = { id: packages[SOCIAL], targeting: JSON.stringify(targeting) }
  expect(await app.admin.call(contract.updateTargeting, { body: text })).toMatchObject({ status: 400 })
})

test('an account of one platform never takes a package of another one by a call about it', async () => {
  const body = { id: packages[SOCIAL], advertiser_id: accounts[VIDEO] }
  expect(await app.admin.call(contract.updateTargeting, { body })).toMatchObject({ status: 400 })
  const query = { id: String(packages[SOCIAL]), advertiser_id: String(accounts[COMMERCE]) }
  expect(await app.admin.call(contract.deleteTargetings, { query: query as never })).toMatchObject({ status: 404 })
  const listed = { platform: COMMERCE, advertiser_id: accounts[SOCIAL] } as const
  expect((await app.admin.get(contract.listTargetings, { body: listed as never })).list).toEqual([])
})
