import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, listImports, startImport } from '#contract/import.ts'
import {
  computeRuleCrowd,
  createRuleCrowd,
  getRuleCrowd,
  listRuleCrowds,
  openRule,
  storeRule,
} from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { leaf, tagged } from '../testing/builders.ts'
import { realServer } from '../testing/real-server.ts'
import { uploadTo } from '../testing/upload.ts'
import { now } from '../time/clock.ts'

const KILLS = 10
const ROWS = 4000
const CITIES = ['北京', '上海', '广州', '成都']

const server = realServer()
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(() => server.close())

/** Half of the people are new, half were in the previous file. */
const idsOf = (round: number) => Array.from({ length: ROWS }, (_, i) => round * (ROWS / 2) + i)
const cityOf = (id: number) => CITIES[id % CITIES.length]
const fileOf = (round: number) =>
  `id,city\n${idsOf(round)
    .map((id) => `u${id},${cityOf(id)}`)
    .join('\n')}\n`

const upload = (round: number) => uploadTo(server, server.admin, fileOf(round), `round-${round}.csv`)

const mapping = { kind: 'users' as const, id: 'id' }

async function cityTags(adv_id: number) {
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  const all = data.flatMap((category) => category.group ?? [])
  return new Map(all.map((tag) => [tag.tag, tag]))
}

test('ten kills during imports, rule saves and computing neither lose nor duplicate acknowledged work', {
  timeout: 400_000,
}, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  await call(startImport, { body: { adv_id, upload_id: await upload(0), mapping } })
  await server.settled()
  const tags = await cityTags(adv_id)
  const beijing = tags.get('北京')?.id ?? 0

  const imports: number[] = []
  const crowds = new Map<string, number>()

  async function importLoop(round: number) {
    const { id } = await call(startImport, { body: { adv_id, upload_id: await upload(round), mapping } })
    imports.push(id)
  }
  async function saveLoop(round: number) {
    for (let n = 0; ; n++) {
      const { rId } = await call(openRule, { body: { advId: adv_id } })
      await call(storeRule, { params: { rId }, body: { advId: adv_id, rule: leaf('a', 'n', tagged(beijing)) } })
      const name = `人群-${round}-${n}`
      const body = { rId, name, invalidTime: now() + 86_400, dirId: 1 }
      crowds.set(name, (await call(createRuleCrowd, { body })).id)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  async function computeLoop() {
    for (;;) {
      for (const id of crowds.values()) await call(computeRuleCrowd, { params: { id } })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  for (let round = 1; round <= KILLS; round++) {
    const work = [importLoop(round), saveLoop(round), computeLoop()]
    // Calls that the kill interrupted were not acknowledged; other failures show in the checks at the end.
    const over = Promise.allSettled(work)
    // Kills after something was acknowledged, at a different moment each time.
    const before = crowds.size
    await vi.waitFor(() => expect(crowds.size).toBeGreaterThan(before), { timeout: 30_000, interval: 10 })
    await new Promise((resolve) => setTimeout(resolve, (round * 577) % 1000))
    await server.kill()
    await over
    await server.start()
  }
  await server.settled()

  expect(crowds.size).toBeGreaterThanOrEqual(KILLS)
  const list = await call(listImports, { query: { adv_id, page_size: 100 } })
  const recorded = new Map(list.list.map((row) => [row.id, row]))
  for (const id of imports) expect(recorded.has(id)).toBe(true)
  for (const row of list.list) {
    const { status, report, error } = await call(getImport, { params: { id: row.id } })
    expect({ status, error }).toEqual({ status: 'done', error: null })
    expect(report?.rows).toBe(ROWS)
    expect((report?.stored ?? 0) + (report?.duplicate ?? 0) + (report?.refused ?? 0)).toBe(ROWS)
  }
  const rounds = list.list.map((row) => Number(/round-(\d+)/.exec(row.file_name)?.[1]))
  const people = new Set(rounds.flatMap(idsOf))
  expect(list.list.reduce((sum, row) => sum + (row.report?.new_people ?? 0), 0)).toBe(people.size)
  const counted = await cityTags(adv_id)
  expect(counted.get('全部用户')?.count).toBe(people.size)
  for (const city of CITIES) {
    expect(counted.get(city)?.count).toBe([...people].filter((id) => cityOf(id) === city).length)
  }

  const saved = await call(listRuleCrowds, { query: { adv_id, page_size: 500 } })
  const names = saved.res.map((crowd) => crowd.name)
  expect(new Set(names).size).toBe(names.length)
  for (const [name, id] of crowds) expect(saved.res.find((crowd) => crowd.id === id)?.name).toBe(name)
  for (const crowd of saved.res) await call(computeRuleCrowd, { params: { id: crowd.id } })
  await server.settled()
  for (const { id } of saved.res) {
    const crowd = await call(getRuleCrowd, { params: { id } })
    expect(crowd).toMatchObject({ status: 'completed', magnitude: counted.get('北京')?.count, failReason: null })
  }
  const tasks = await call(listTasks)
  expect(tasks).toMatchObject({ running: 0, failed: 0 })
})
