import { beforeAll, expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { addTargeting, deleteTargetings, getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { consentTo } from '../testing/consent.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'
import { onSocialPages } from '../testing/social-packages.ts'
import { onVideoPages } from '../testing/video-packages.ts'

const PATIENCE_MS = 60_000

const { server, sandbox, call } = await serverWithSandbox(0.05, { PLATFORM_SOCIAL_PACKAGES: '1' })

/** The call in which the server is killed: before the platform carries it out, or after, without its answer. */
const MOMENTS = ['timeout', 'timeout_after'] as const

interface Mirrored {
  platform: 'video' | 'social'
  account: string
  /** Parts of the paths of its calls. */
  paths: Record<'create' | 'get' | 'update' | 'delete', string>
  women: object
  men: object
  /** The packages that the platform has, as name and gender. */
  there(): Promise<() => Promise<{ name: string; gender: string }[]>>
}
const VIDEO_ACCOUNT = '9107199254750003'
const SOCIAL_ACCOUNT = '9007199254750003'
const PLATFORMS_THAT_STORE: Mirrored[] = [
  {
    platform: 'video',
    account: VIDEO_ACCOUNT,
    paths: {
      create: '2/audience_package/create',
      get: 'v3.0/audience_package/get',
      update: '2/audience_package/update',
      delete: '2/audience_package/delete',
    },
    women: { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] },
    men: { landing_type: 'EXTERNAL', gender: ['GENDER_MALE'] },
    async there() {
      const pages = await onVideoPages(sandbox, VIDEO_ACCOUNT)
      return async () =>
        (await pages.list()).map(({ name, gender }) => ({ name, gender: gender.replace('GENDER_', '') }))
    },
  },
  {
    platform: 'social',
    account: SOCIAL_ACCOUNT,
    paths: {
      create: 'v1.3/targetings/add',
      get: 'v1.3/targetings/get',
      update: 'v1.3/targetings/update',
      delete: 'v1.3/targetings/delete',
    },
    women: { gender: ['FEMALE'] },
    men: { gender: ['MALE'] },
    async there() {
      const pages = await onSocialPages(sandbox, SOCIAL_ACCOUNT)
      return async () =>
        (await pages.list()).map(({ targeting_name, targeting }) => ({
          name: targeting_name,
          gender: String(targeting.gender),
        }))
    },
  },
]

beforeAll(async () => {
  await sandbox.control('switches', {
    video_advertiser_qps: 0,
    video_application_qps: 0,
    social_calls_per_minute: 0,
    social_targeting_limits: false,
  })
  await server.start()
})

test.each(PLATFORMS_THAT_STORE)(
  'a kill at any step of the mirror leaves exactly the packages that were saved: $platform',
  {
    timeout: 10 * PATIENCE_MS,
  },
  async ({ platform, account: external_id, paths, women, men, there }) => {
    const { id: adv_id } = await call(createAdvertiser, { body: { name: `断电${platform}` } })
    await consentTo(server, sandbox, { adv_id, platform: PLATFORMS[platform].code, accounts: [external_id] })
    const { list } = await call(listAdvertiserData)
    const account = list.find((one) => one.id === adv_id)?.accounts[0]?.id ?? 0
    const packagesThere = await there()

    const calls = async (path: string) =>
      (await sandbox.control<{ path: string; fault: string | null }[]>('calls')).filter(
        (one) => one.path.includes(path) && one.fault?.startsWith('timeout'),
      ).length

    /** Kills the server while it waits for the answer of the call that `work` leads to, and starts it again. */
    async function killedIn(
      what: keyof Mirrored['paths'],
      kind: (typeof MOMENTS)[number],
      work: () => Promise<unknown>,
    ): Promise<void> {
      const path = paths[what]
      const before = await calls(path)
      await sandbox.control('faults', { platform, path, kind, seconds: 60, account_id: external_id })
      await work()
      await vi.waitFor(async () => expect(await calls(path)).toBe(before + 1), { timeout: PATIENCE_MS, interval: 50 })
      await server.kill()
      await sandbox.control('faults/forget', {})
      await server.start()
    }
    const synced = (id: number) =>
      vi.waitFor(
        async () => expect(await call(getTargeting, { query: { id } })).toMatchObject({ mirror: 'synced', status: 1 }),
        { timeout: PATIENCE_MS, interval: 100 },
      )
    const nothingThere = () =>
      vi.waitFor(async () => expect(await packagesThere()).toEqual([]), { timeout: PATIENCE_MS, interval: 100 })
    const add = async (targeting_name: string) => {
      const body = { targeting_name, dir_id: 1, advertiser_id: account, targeting: women as Record<string, unknown> }
      return (await call(addTargeting, { body })).id
    }

    for (const kind of MOMENTS) {
      let id = 0
      await killedIn('create', kind, async () => {
        id = await add(`建_${kind}`)
      })
      await synced(id)
      expect(await packagesThere()).toEqual([{ name: `建_${kind}`, gender: 'FEMALE' }])

      let gender = 'FEMALE'
      for (const what of ['get', 'update'] as const) {
        const next = gender === 'FEMALE' ? men : women
        gender = gender === 'FEMALE' ? 'MALE' : 'FEMALE'
        await killedIn(what, kind, () =>
          call(updateTargeting, { body: { id, targeting: next as Record<string, unknown> } }),
        )
        await synced(id)
        expect(await packagesThere()).toEqual([{ name: `建_${kind}`, gender }])
        expect(await call(getTargeting, { query: { id } })).toMatchObject({ platform_changed: false })
      }

      await killedIn('delete', kind, () => call(deleteTargetings, { query: { id: String(id) } as never }))
      await nothingThere()
    }

    // Deleted while its creation is under way: the copy that may be there is found by its key.
    let lost = 0
    await killedIn('create', 'timeout_after', async () => {
      lost = await add('建了就删')
    })
    await call(deleteTargetings, { query: { id: String(lost) } as never })
    await nothingThere()
  },
)
