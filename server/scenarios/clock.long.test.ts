import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, startImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { realServer } from '../testing/real-server.ts'
import { HOUR_MS, shiftedClock } from '../testing/shifted-clock.ts'
import { uploadTo } from '../testing/upload.ts'

const clock = shiftedClock(3 * HOUR_MS)
const server = realServer(clock.env)
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(async () => {
  await server.close()
  clock.remove()
})

const ROWS = 40_000
const CITIES = ['北京', '上海', '广州', '成都']
/** Much less than the clock was set back, and enough for a busy machine. */
const SOON_MS = 60_000

const fileOf = (from: number) =>
  `id,city\n${Array.from({ length: ROWS }, (_, i) => `u${from + i},${CITIES[i % CITIES.length]}`).join('\n')}\n`

async function anImport(adv_id: number, from: number): Promise<number> {
  const upload_id = await uploadTo(server, server.admin, fileOf(from), `${from}.csv`)
  const mapping = { kind: 'users' as const, id: 'id' }
  return (await call(startImport, { body: { adv_id, upload_id, mapping } })).id
}

/** Kills the server as soon as a task runs whose title contains the words. */
async function killDuring(words: string) {
  await vi.waitFor(
    async () => {
      const { list } = await call(listTasks)
      expect(list.some((task) => task.title.includes(words) && task.status === 'running')).toBe(true)
    },
    { timeout: SOON_MS, interval: 5 },
  )
  await server.kill()
}

async function everybody(adv_id: number) {
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return data.flatMap((category) => category.group ?? []).find((tag) => tag.tag === '全部用户')?.count
}

const settledSoon = () =>
  vi.waitFor(async () => expect((await call(listTasks)).running).toBe(0), { timeout: SOON_MS, interval: 50 })

test('an import and the tags continue after a kill though the clock was set back, and set back again while the server ran', {
  timeout: 300_000,
}, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '时钟' } })
  await settledSoon()
  const first = await anImport(adv_id, 0)
  await killDuring('导入')
  await clock.set(0)
  await server.start()
  // The tags are computed when the import has added data.
  await killDuring('计算标签')
  await clock.set(-3 * HOUR_MS)
  await server.start()
  await settledSoon()
  expect(await call(getImport, { params: { id: first } })).toMatchObject({ status: 'done' })
  expect(await everybody(adv_id)).toBe(ROWS)

  // The process keeps running while the clock is set forward and back.
  await clock.set(0)
  const second = await anImport(adv_id, ROWS)
  await clock.set(-3 * HOUR_MS)
  await settledSoon()
  expect(await call(getImport, { params: { id: second } })).toMatchObject({ status: 'done' })
  expect(await everybody(adv_id)).toBe(2 * ROWS)
})
