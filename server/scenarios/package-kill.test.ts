import { expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { addTargeting, deleteTargetings, getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { consentTo } from '../testing/consent.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'
import { onVideoPages } from '../testing/video-packages.ts'

const ACCOUNT = '9107199254750003'
const PATIENCE_MS = 60_000
const WOMEN = { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] }
const MEN = { landing_type: 'EXTERNAL', gender: ['GENDER_MALE'] }

const { server, sandbox, call } = await serverWithSandbox(0.05)

/** The call in which the server is killed: before the platform carries it out, or after, without its answer. */
const MOMENTS = ['timeout', 'timeout_after'] as const

test('a kill at any step of the mirror leaves exactly the packages that were saved', {
  timeout: 10 * PATIENCE_MS,
}, async () => {
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电' } })
  await consentTo(server, sandbox, { adv_id, platform: PLATFORMS.video.code, accounts: [ACCOUNT] })
  const { list } = await call(listAdvertiserData)
  const account = list.find((one) => one.id === adv_id)?.accounts[0]?.id ?? 0
  const pages = await onVideoPages(sandbox, ACCOUNT)

  const calls = async (path: string) =>
    (await sandbox.control<{ path: string; fault: string | null }[]>('calls')).filter(
      (one) => one.path.includes(path) && one.fault?.startsWith('timeout'),
    ).length

  /** Kills the server while it waits for the answer of the call that `work` leads to, and starts it again. */
  async function killedIn(path: string, kind: (typeof MOMENTS)[number], work: () => Promise<unknown>) {
    const before = await calls(path)
    await sandbox.control('faults', { platform: 'video', path, kind, seconds: 60, account_id: ACCOUNT })
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
  const add = async (targeting_name: string) =>
    (await call(addTargeting, { body: { targeting_name, dir_id: 1, advertiser_id: account, targeting: WOMEN } })).id

  for (const kind of MOMENTS) {
    let id = 0
    await killedIn('2/audience_package/create', kind, async () => {
      id = await add(`建_${kind}`)
    })
    await synced(id)
    expect(await pages.list()).toMatchObject([{ name: `建_${kind}`, gender: 'GENDER_FEMALE' }])

    for (const path of ['v3.0/audience_package/get', '2/audience_package/update']) {
      const { targeting } = await call(getTargeting, { query: { id } })
      const [next, gender] = targeting.gender?.toString() === 'GENDER_MALE' ? [WOMEN, 'FEMALE'] : [MEN, 'MALE']
      await killedIn(path, kind, () => call(updateTargeting, { body: { id, targeting: next } }))
      await synced(id)
      expect(await pages.list()).toMatchObject([{ gender: `GENDER_${gender}` }])
      expect(await call(getTargeting, { query: { id } })).toMatchObject({ platform_changed: false })
    }

    await killedIn('2/audience_package/delete', kind, () =>
      call(deleteTargetings, { query: { id: String(id) } as never }),
    )
    await vi.waitFor(async () => expect(await pages.list()).toEqual([]), { timeout: PATIENCE_MS, interval: 100 })
  }

  // Deleted while its creation is under way: the copy that may be there is found by its key.
  let lost = 0
  await killedIn('2/audience_package/create', 'timeout_after', async () => {
    lost = await add('建了就删')
  })
  await call(deleteTargetings, { query: { id: String(lost) } as never })
  await vi.waitFor(async () => expect(await pages.list()).toEqual([]), { timeout: PATIENCE_MS, interval: 100 })
})
