import { expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { estimateReach, setEstimateGoals } from '#contract/targeting-estimate.ts'
import { addTargeting, getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { findTags, listTargetingCrowds } from '#contract/targeting-tags.ts'
import { accountId, type PlatformName } from '../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { anAuthorisedAccount } from '../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()

const EDITORS = 10
const ROUNDS = 4
/** A person waits 15 s for an estimate; the rest is for a busy machine. */
const LONGEST_WAIT_MS = 30_000

/** What may be said to a person whose call needs the platform. */
const SAID = [0, FAULTS.platformRefused.code, FAULTS.platformClosed.code]

interface Kind {
  platform: PackageCode
  vendor: PlatformName
  /** Accounts of the stand-in. */
  accounts: readonly number[]
  targetings: readonly Record<string, unknown>[]
}
const KINDS: readonly Kind[] = [
  {
    platform: SOCIAL,
    vendor: 'social',
    accounts: [1, 2, 3, 4],
    targetings: [{ gender: ['MALE'] }, { gender: ['FEMALE'] }],
  },
  {
    platform: VIDEO,
    vendor: 'video',
    accounts: [1, 2, 11, 12],
    targetings: ['GENDER_MALE', 'GENDER_FEMALE'].map((gender) => ({ landing_type: 'EXTERNAL', gender: [gender] })),
  },
  {
    platform: COMMERCE,
    vendor: 'video',
    accounts: [6, 7, 18, 25],
    targetings: ['GENDER_MALE', 'GENDER_FEMALE'].map((gender) => ({ landing_type: 'LIVE', gender: [gender] })),
  },
]

test('with a platform that fails at random, ten editors get answers in time and every save stays', {
  timeout: 300_000,
}, async () => {
  await app.reset()
  const adv_id = await anAdvertiser(app)
  const editors = []
  for (let no = 0; no < EDITORS; no++) {
    const kind = KINDS[no % KINDS.length] as Kind
    const { platform, vendor, accounts, targetings } = kind
    const external_id = accountId(vendor, accounts[Math.floor(no / KINDS.length)] ?? 0)
    const advertiser_id = await anAuthorisedAccount(app, sandbox, adv_id, platform, external_id)
    if (platform === COMMERCE) {
      const LIVE = { external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id: '5' } as const
      await app.admin.get(setEstimateGoals, { body: { advertiser_id, LIVE, VIDEO: null } })
    }
    const { id } = await app.admin.get(addTargeting, {
      body: { targeting_name: `编辑${no}`, dir_id: 1, advertiser_id, targeting: targetings[0] ?? {} },
    })
    editors.push({ ...kind, advertiser_id, id })
  }
  await sandbox.control('switches', {
    ...{ throttle_rate: 0.15, error_rate: 0.15, busy_rate: 0.1, drop_before_rate: 0.05, drop_after_rate: 0.05 },
    ...{ error_after_rate: 0.05, timeout_rate: 0.05, timeout_seconds: 20 },
  })

  const waits: number[] = []
  const codes: number[] = []
  const asked = async (call: Promise<{ code: number }>) => {
    const began = performance.now()
    codes.push((await call).code)
    waits.push(performance.now() - began)
  }
  await Promise.all(
    editors.map(async ({ advertiser_id, id, targetings }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const targeting = targetings[round % targetings.length] ?? {}
        await asked(app.admin.call(findTags, { body: { advertiser_id, type: 'REGION' } }))
        await asked(app.admin.call(findTags, { body: { advertiser_id, type: 'INTEREST' } }))
        await asked(app.admin.call(listTargetingCrowds, { query: { advertiser_id, refresh: '1' } }))
        await asked(app.admin.call(estimateReach, { body: { advertiser_id, targeting } }))
        // A save never waits for the platform.
        const saved = await app.admin.call(updateTargeting, { body: { id, targeting } })
        expect(saved.code).toBe(0)
      }
    }),
  )
  expect(codes).toHaveLength(EDITORS * ROUNDS * 4)
  expect(codes.filter((code) => !SAID.includes(code))).toEqual([])
  expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS)

  await sandbox.control('switches/reset', {})
  for (const { id, targetings } of editors) {
    const { targeting } = await app.admin.get(getTargeting, { query: { id } })
    expect(targeting).toMatchObject(targetings[(ROUNDS - 1) % targetings.length] ?? {})
  }
})
