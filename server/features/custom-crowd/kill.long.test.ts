import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getCustomCrowd, listCrowdFiles, listCrowdLogs, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { listTasks } from '#contract/task.ts'
import { aCustomCrowd, uploaded } from '../../testing/custom-crowds.ts'
import { realServer } from '../../testing/real-server.ts'

const LINES = 100_000

const server = realServer()
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(() => server.close())

/** Waits until the check reaches this share of progress; false when the check ended first. */
async function isAt(share: number): Promise<boolean> {
  for (;;) {
    const { list } = await call(listTasks)
    const task = list.find(({ status }) => status === 'running' || status === 'waiting')
    if (!task) return false
    if (task.status === 'running' && task.progress >= share) return true
    await pause(5)
  }
}

const hash = (n: number) => createHash('md5').update(`kill ${n}`).digest('hex')
/** Values `from` to `from + LINES`; one in a hundred is malformed, the first hundred appear twice. */
const linesFrom = (from: number) =>
  [
    ...Array.from({ length: LINES }, (_, i) => (i % 100 === 99 ? `bad ${i}` : hash(from + i))),
    ...Array.from({ length: 99 }, (_, i) => hash(from + i)),
  ].join('\n')
const valuesFrom = (from: number) => Array.from({ length: LINES }, (_, i) => from + i).filter((_, i) => i % 100 !== 99)

test('a check killed at any moment ends with the result of an uninterrupted one', { timeout: 500_000 }, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  const id = await aCustomCrowd(server, adv_id, [{ name: '0.txt', content: linesFrom(0) }])
  await server.settled()
  const values = new Set(valuesFrom(0))

  const rounds = [
    { operation_type: 1 as const, from: LINES / 2, shares: [0, 0.02] },
    { operation_type: 2 as const, from: LINES, shares: [0.5] },
    { operation_type: 1 as const, from: 2 * LINES, shares: [0.3, 0.7] },
  ]
  let killed = 0
  for (const [at, { operation_type, from, shares }] of rounds.entries()) {
    const files = await uploaded(server, server.admin, [{ name: `${at + 1}.txt`, content: linesFrom(from) }])
    await call(updateCustomCrowd, { body: { id, operation_type, files } })
    for (const share of shares) {
      if (await isAt(share)) killed++
      await server.kill()
      await server.start()
    }
    await server.settled()
    for (const value of valuesFrom(from)) {
      if (operation_type === 1) values.add(value)
      else values.delete(value)
    }
    const { crowd, funnel } = await call(getCustomCrowd, { query: { id } })
    expect(crowd).toMatchObject({ status: 'available', user_count: values.size, reason: null })
    expect(funnel.valid).toBe(funnel.repeated + funnel.removed + funnel.unique)
    const { files: kept } = await call(listCrowdFiles, { query: { id } })
    expect(kept[0]).toMatchObject({
      status: 'done',
      line_count: LINES + 99,
      malformed: LINES / 100,
      duplicate: 99,
      valid_count: (LINES * 99) / 100,
    })
  }
  expect(killed).toBeGreaterThanOrEqual(3)
  const { list } = await call(listCrowdLogs, { query: { id } })
  expect(list.map((log) => log.version?.no)).toEqual([4, 3, 2, 1])
})
