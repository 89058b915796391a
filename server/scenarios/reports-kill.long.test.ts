import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { getImport, type ImportMapping, previewUndo, startImport, undoImport } from '#contract/import.ts'
import { realServer } from '../testing/real-server.ts'
import { uploadTo } from '../testing/upload.ts'

const server = realServer()
const call: typeof server.admin.get = (...given) => server.admin.get(...given)
afterAll(() => server.close())

const mapping: ImportMapping = {
  kind: 'reports',
  date: 'date',
  campaign: 'campaign',
  plan: 'plan',
  account: 'account',
  metrics: [{ column: 'cost', metric: 'cost' }],
}
const PLANS = 2000
const DAYS = 20
const ROWS = PLANS * DAYS
const file = (cost: number) =>
  `date,account,campaign,plan,cost\n${Array.from(
    { length: ROWS },
    (_, at) =>
      `2026-10-${String((at % DAYS) + 1).padStart(2, '0')},77,c${at % 7},p${at % PLANS}-${Math.floor(at / PLANS)},${cost}.${at}`,
  ).join('\n')}\n`

async function begin(adv_id: number, text: string) {
  const upload_id = await uploadTo(server, server.admin, text, 'report.csv')
  return (await call(startImport, { body: { adv_id, upload_id, mapping } })).id
}
const find = (id: number) => call(getImport, { params: { id } })
const ended = (id: number, status: string) =>
  vi.waitFor(async () => expect((await find(id)).status).toBe(status), { timeout: 90_000, interval: 200 })
async function imported(adv_id: number, text: string) {
  const id = await begin(adv_id, text)
  await ended(id, 'done')
  return { id, report: (await find(id)).report }
}

/** Milliseconds between the beginning of an import or undo and the kill. */
const MOMENTS = [0, 250, 600]

test('an import of reports whose server is killed is finished once by the next start', {
  timeout: 600_000,
}, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  await imported(adv_id, file(0))
  for (const [round, moment] of MOMENTS.entries()) {
    const text = file(round + 1)
    const id = await begin(adv_id, text)
    await new Promise((resolve) => setTimeout(resolve, moment))
    await server.kill()
    await server.start()
    await ended(id, 'done')
    expect((await find(id)).report).toMatchObject({ rows: ROWS, stored: ROWS, duplicate: 0, refused: 0 })
    // A file is a repetition only of days that hold exactly its rows.
    const again = await imported(adv_id, text)
    expect(again.report).toMatchObject({ rows: ROWS, stored: 0, duplicate: ROWS })
    const { extent } = await call(previewUndo, { params: { id } })
    expect(extent).toEqual({ rows: ROWS, people: 0, taken_over: [{ import_id: again.id, rows: ROWS }] })

    await call(undoImport, { params: { id: again.id } })
    await new Promise((resolve) => setTimeout(resolve, moment))
    await server.kill()
    await server.start()
    await ended(again.id, 'undone')
    expect((await call(previewUndo, { params: { id } })).extent).toEqual({ rows: ROWS, people: 0, taken_over: [] })
  }
})
