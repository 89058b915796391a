import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, startImport, undoImport } from '#contract/import.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { realServer } from '../testing/real-server.ts'
import { uploadTo } from '../testing/upload.ts'

const server = realServer()
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(() => server.close())

const mapping = { kind: 'users' as const, id: 'id' }
const people = (from: number, to: number, city: string) =>
  `id,city\n${Array.from({ length: to - from }, (_, at) => `u${from + at},${city}`).join('\n')}\n`

async function imported(adv_id: number, text: string) {
  const upload_id = await uploadTo(server, server.admin, text, 'people.csv')
  const { id } = await call(startImport, { body: { adv_id, upload_id, mapping } })
  await server.settled()
  return id
}
async function tags(adv_id: number) {
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return data.flatMap((category) => (category.group ?? []).map(({ tag, count }) => `${tag} ${count}`)).toSorted()
}
const statusOf = async (id: number) => (await call(getImport, { params: { id } })).status

/** Milliseconds between the beginning of an undo and the kill. */
const MOMENTS = [0, 40, 120, 300]

test('an undo whose server is killed half-way is finished by the next start', { timeout: 400_000 }, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  await imported(adv_id, people(0, 3000, '北京'))
  for (const [round, moment] of MOMENTS.entries()) {
    const id = await imported(adv_id, people(2000, 6000, `误${round}`))
    expect(await tags(adv_id)).toEqual(['全部用户 6000', '北京 2000', `误${round} 4000`])
    await call(undoImport, { params: { id } })
    // Its state is stored before the first row goes, so the kill comes after the undo has begun.
    await vi.waitFor(async () => expect((await call(listTasks)).running).toBeGreaterThan(0), { timeout: 20_000 })
    await new Promise((resolve) => setTimeout(resolve, moment))
    await server.kill()
    await server.start()
    await server.settled()
    await vi.waitFor(async () => expect(await statusOf(id)).toBe('undone'), { timeout: 60_000, interval: 200 })
    await server.settled()
    expect(await tags(adv_id)).toEqual(['全部用户 3000', '北京 3000'])
  }
})
