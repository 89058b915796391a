import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type MetricSums, metricValue } from '#contract/activity/formulas.ts'
import { FAULTS } from '#contract/errors.ts'
import {
  getImport,
  type ImportMapping,
  listImports,
  previewImport,
  previewUndo,
  refusedRowsPath,
  startImport,
  undoImport,
} from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { listUnlinkedPlans } from '#contract/report.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, getTagTree } from '#contract/tag.ts'
import { importReports } from '../../commands/import.ts'
import { listAllImports, undoOneImport } from '../../commands/imports.ts'
import { reportSums } from '../../reports/sums.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { anAccount } from '../../testing/custom-crowds.ts'
import { VIDEO } from '../../testing/platforms.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const MAPPING: ImportMapping = {
  kind: 'reports',
  date: '日期',
  campaign: '活动名称',
  plan: '计划ID',
  account: '账户ID',
  metrics: [
    { column: '消耗(元)', metric: 'cost' },
    { column: '展示量', metric: 'imp_pv' },
    { column: '点击', metric: 'click_pv' },
  ],
}
const HEAD = '日期,账户ID,活动名称,计划ID,消耗(元),展示量,点击'
const csv = (...lines: string[]) => `${[HEAD, ...lines].join('\n')}\n`
const FILE = csv(
  '2026-11-01,77,春季,1,"1,000.005",30000,700',
  '2026-11-01,77,春季,2,234.5,10000,--',
  '2026-11-02,77,春季,1,-5,1,1',
  '合计,,,,1234.505,40000,700',
)

const upload = (text: string) => uploadTo(app, app.admin, text, '报表.csv')
async function begin(adv_id: number, text: string, mapping = MAPPING) {
  const upload_id = await upload(text)
  return (await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })).id
}
const find = (id: number) => app.admin.get(getImport, { params: { id } })
async function imported(adv_id: number, text: string) {
  const id = await begin(adv_id, text)
  await app.settled()
  const row = await find(id)
  expect(row).toMatchObject({ status: 'done', error: null, kind: 'reports' })
  return { id, report: row.report }
}
/** Makes an activity whose plan is the platform's plan `plan_id`. */
async function aLinkedPlan(adv_id: number, external_id: string, plan_id: string) {
  const account_id = await anAccount(app, adv_id, VIDEO)
  await app.stores.postgres.db
    .updateTable('platform_account')
    .set({ external_id })
    .where('id', '=', account_id)
    .execute()
  const plans = [aPlan({ platform: VIDEO, account_id, plan_id })]
  return anActivity(app, adv_id, { submit: false, plans })
}
async function inAll(adv_id: number): Promise<MetricSums> {
  const { live } = app.stores.warehouse
  return (await reportSums(live.acrossShards, { adv_id, from: '2026-01-01', to: '2026-12-31' }))[0]?.sums ?? {}
}

describe('a file of reports', () => {
  test('is recognised, previewed with what an import refuses, and imported with a report that adds up', async () => {
    const adv_id = await anAdvertiser(app)
    const upload_id = await upload(FILE)
    const preview = await app.admin.get(previewImport, { body: { upload_id, adv_id } })
    const { kind: _, ...guess } = MAPPING
    expect(preview).toMatchObject({ kind: 'reports', guess })
    expect(preview.lines.map(({ line, refused }) => [line, refused?.outcome.code])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, 'row_metric_negative'],
      [5, 'row_date_unreadable'],
    ])

    const { id, report } = await imported(adv_id, FILE)
    expect(report).toMatchObject({ rows: 4, stored: 2, duplicate: 0, refused: 2, new_people: 0 })
    expect(report?.warnings).toMatchObject([{ outcome: { code: 'report_rows_unlinked' }, rows: 2 }])
    expect(report?.reasons.map(({ outcome }) => outcome.code).sort()).toEqual(
      preview.problems.refused.map(({ outcome }) => outcome.code).sort(),
    )
    const refused = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: app.admin.cookie } })
    expect(refused.body).toContain("\n2026-11-02,77,春季,1,'-5,1,1,4,「消耗(元)」是负数\n")

    const sums = await inAll(adv_id)
    expect(sums).toEqual({ cost: 1_234_505_000n, imp_pv: 40_000n, click_pv: 700n })
    const keys = ['cost', 'imp_pv', 'click_rate', 'cpm_platform', 'convert_cost'] as const
    expect(keys.map((key) => metricValue(key, sums))).toEqual([123_451, 40_000, 0.0175, 3086, null])
    expect(await app.admin.get(listImports, { query: { adv_id } })).toMatchObject({ list: [{ id, kind: 'reports' }] })
  })

  test('gives its refused rows to its uploader and to those who see restricted metrics', async () => {
    const adv_id = await anAdvertiser(app)
    const [uploader, member] = [await app.viewer('导入的人', [adv_id]), await app.viewer('成员', [adv_id])]
    const upload_id = await uploadTo(app, uploader, FILE, '报表.csv')
    const { id } = await uploader.get(startImport, { body: { adv_id, upload_id, mapping: MAPPING } })
    await app.settled()
    const download = ({ cookie }: Caller) => app.app.inject({ url: refusedRowsPath(id), headers: { cookie } })
    const refused = await download(member)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: FAULTS.importRowsHidden.code, data: null })
    expect((await member.get(getImport, { params: { id } })).rows_obstacle_outcome).toEqual(
      outcome('import_rows_restricted'),
    )
    for (const caller of [uploader, app.admin]) {
      expect((await download(caller)).body).toContain('「消耗(元)」是负数')
      expect((await caller.get(getImport, { params: { id } })).rows_obstacle_outcome).toBe(null)
    }
  })

  test('is compared before it is imported: plans of no activity, and stored plans that it would take from their days', async () => {
    const adv_id = await anAdvertiser(app)
    const compared = async (text: string, mapping = MAPPING) => {
      const upload_id = await upload(text)
      return (await app.admin.get(previewImport, { body: { upload_id, adv_id, mapping } })).reports
    }
    const none = { days: 0, plans: 0, examples: [] }
    expect(await compared(FILE)).toEqual({
      ...{ rows: 4, is_whole: true, without_plan: 0, replaced: none },
      unlinked: {
        ...{ plans: 2, rows: 2 },
        examples: [
          { account: '77', plan: '1', campaign: '春季' },
          { account: '77', plan: '2', campaign: '春季' },
        ],
      },
    })
    await imported(adv_id, FILE)
    expect((await compared(FILE))?.replaced).toEqual(none)
    await aLinkedPlan(adv_id, '77', '1')
    expect(await compared(csv('2026-11-01,77,春季,1,1,2,3', '2026-11-01,77,春季,,1,2,3'))).toEqual({
      ...{ rows: 2, is_whole: true, without_plan: 1, unlinked: { plans: 0, rows: 0, examples: [] } },
      replaced: {
        ...{ days: 1, plans: 1 },
        examples: [{ date: '2026-11-01', account: '77', stored: 2, in_file: 2, gone: 1, gone_plans: ['2'] }],
      },
    })
    // Another day, and another account, replace nothing.
    expect((await compared(csv('2026-11-02,77,春季,1,1,2,3', '2026-11-01,78,春季,1,1,2,3')))?.replaced).toEqual(none)
    // Rows that an import refuses replace nothing either, and are of no plan.
    expect(await compared(csv('2026-11-01,77,春季,1,-1,2,3'))).toMatchObject({ replaced: none, unlinked: { plans: 0 } })
  })

  test('with more rows than are compared is compared in part, and says so', async () => {
    const adv_id = await anAdvertiser(app)
    const lines = Array.from({ length: 5001 }, (_, at) => `2026-11-01,77,春季,${at},1,2,3`)
    const upload_id = await upload(csv(...lines))
    const { reports, lines: shown } = await app.admin.get(previewImport, {
      body: { upload_id, adv_id, mapping: MAPPING },
    })
    expect(reports).toMatchObject({ rows: 5000, is_whole: false, unlinked: { plans: 5000, rows: 5000 } })
    expect(shown).toHaveLength(50)
  })

  test('makes no people, tags, attributes or events', async () => {
    const adv_id = await anAdvertiser(app)
    const trees = () =>
      Promise.all(
        [ATTRIBUTE_TAG, EVENT_TAG].map((tag_type) => app.admin.get(getTagTree, { query: { adv_id, tag_type } })),
      )
    await app.settled()
    const before = await trees()
    await imported(adv_id, FILE)
    expect(await trees()).toEqual(before)
    const { db } = app.stores.postgres
    expect(await db.selectFrom('attribute').select('id').where('adv_id', '=', adv_id).execute()).toEqual([])
    expect(await db.selectFrom('event_name').select('name').where('adv_id', '=', adv_id).execute()).toEqual([])
  })

  test('has its rows that no activity shows in a list of their own, whatever their age', async () => {
    const adv_id = await anAdvertiser(app)
    const unlinked = async (import_id: number) =>
      (await app.admin.get(listUnlinkedPlans, { query: { adv_id, import_id } as never })).list
    const old = csv('2019-11-01,77,春季,1,1,2,3', '2019-11-02,77,春季,2,5,2,3', '2019-11-02,77,夏季,,7,2,3')
    const { id } = await imported(adv_id, old)
    const other = await imported(adv_id, csv('2026-11-01,77,春季,3,1,2,3'))
    await aLinkedPlan(adv_id, '77', '1')
    expect(await unlinked(id)).toMatchObject([
      { plan: '', campaign: '夏季', first_day: '2019-11-02', cost: 700, account: '77', platform: VIDEO },
      { plan: '2', campaign: '春季', first_day: '2019-11-02', days: 1, cost: 500 },
    ])
    expect(await unlinked(other.id)).toMatchObject([{ plan: '3' }])
    expect(await unlinked(id + 100)).toEqual([])
  })

  test('twice changes nothing, and a correction replaces its days', async () => {
    const adv_id = await anAdvertiser(app)
    await imported(adv_id, FILE)
    const before = await inAll(adv_id)
    expect((await imported(adv_id, FILE)).report).toMatchObject({ rows: 4, stored: 0, duplicate: 2, refused: 2 })
    expect(await inAll(adv_id)).toEqual(before)
    const corrected = await imported(adv_id, csv('2026-11-01,77,春季,1,1,2,3'))
    expect(corrected.report).toMatchObject({ stored: 1, duplicate: 0 })
    expect(await inAll(adv_id)).toEqual({ cost: 1_000_000n, imp_pv: 2n, click_pv: 3n })
  })

  test('is undone: what it replaced counts again, and it can be imported again', async () => {
    const adv_id = await anAdvertiser(app)
    const first = await imported(adv_id, FILE)
    const before = await inAll(adv_id)
    const { id } = await imported(adv_id, csv('2026-11-01,77,春季,1,1,2,3', '2026-11-05,77,秋季,9,1,2,3'))
    const again = await imported(adv_id, csv('2026-11-05,77,秋季,9,1,2,3'))
    expect(again.report).toMatchObject({ stored: 0, duplicate: 1 })

    const preview = await app.admin.get(previewUndo, { params: { id } })
    expect(preview).toEqual({
      extent: { rows: 2, people: 0, taken_over: [{ import_id: again.id, rows: 1 }] },
      heirs: [{ id: again.id, name: '报表.csv' }],
      attributes: [],
      events: [],
      tags: 0,
      crowds: [],
      crowds_total: 0,
      uploaded_crowds: 0,
      accounts: [],
    })
    await app.admin.get(undoImport, { params: { id } })
    await app.settled()
    expect(await find(id)).toMatchObject({ status: 'undone', undo: { extent: preview.extent }, taken_over: 0 })
    // What the later one repeated is its own now.
    const heir = { report: { stored: 0, duplicate: 1 }, taken_over: 1 }
    expect(await find(again.id)).toMatchObject(heir)
    const { list } = await app.admin.get(listImports, { query: { adv_id } })
    expect(list.map(({ id: of, taken_over }) => [of, taken_over])).toEqual([
      [again.id, 1],
      [id, 0],
      [first.id, 0],
    ])
    expect(await inAll(adv_id)).toEqual({
      cost: (before.cost ?? 0n) + 1_000_000n,
      imp_pv: (before.imp_pv ?? 0n) + 2n,
      click_pv: (before.click_pv ?? 0n) + 3n,
    })
    for (const one of [again.id, first.id]) await app.admin.get(undoImport, { params: { id: one } })
    await app.settled()
    expect(await inAll(adv_id)).toEqual({})
    expect((await imported(adv_id, FILE)).report).toMatchObject({ stored: 2, duplicate: 0 })
    expect(await inAll(adv_id)).toEqual(before)
  })

  test('is refused before it starts if it lacks a column or names a metric twice', async () => {
    const adv_id = await anAdvertiser(app)
    const upload_id = await upload(FILE)
    const start = async (mapping: ImportMapping) =>
      app.admin.call(startImport, { body: { adv_id, upload_id, mapping } })
    expect(await start({ ...MAPPING, date: 'day' })).toMatchObject({
      code: FAULTS.importMapping.code,
      msg: expect.stringContaining('文件中没有列「day」'),
    })
    const twice = [...MAPPING.metrics, { column: '点击', metric: 'cost' as const }]
    expect(await start({ ...MAPPING, metrics: twice })).toMatchObject({
      msg: expect.stringContaining('两列都是「消耗」'),
    })
    expect((await start({ ...MAPPING, metrics: [] })).msg).toContain('请指定至少一列是指标')
    expect(await app.admin.get(listImports, { query: { adv_id } })).toMatchObject({ total: 0 })
  })
})

describe('two imports at once', () => {
  test('of the same file count once', async () => {
    const adv_id = await anAdvertiser(app)
    const ids = await Promise.all([begin(adv_id, FILE), begin(adv_id, FILE)])
    await app.settled()
    const reports = await Promise.all(ids.map(async (id) => (await find(id)).report))
    expect(reports.map((report) => [report?.stored, report?.duplicate]).sort()).toEqual([
      [0, 2],
      [2, 0],
    ])
    expect(await inAll(adv_id)).toEqual({ cost: 1_234_505_000n, imp_pv: 40_000n, click_pv: 700n })
  })

  test('of different words on a day: one of them counts, whole', async () => {
    const adv_id = await anAdvertiser(app)
    const files = [1, 2, 3].map((n) =>
      csv(`2026-11-01,77,春季,a${n},${n},${n},${n}`, `2026-11-01,77,春季,b${n},${n},${n},${n}`),
    )
    const ids = await Promise.all(files.map((file) => begin(adv_id, file)))
    await app.settled()
    for (const id of ids) expect(await find(id)).toMatchObject({ status: 'done', report: { stored: 2, duplicate: 0 } })
    const sums = await inAll(adv_id)
    expect([2n, 4n, 6n].map((n) => ({ cost: n * 1_000_000n, imp_pv: n, click_pv: n }))).toContainEqual(sums)
  })

  test('of reports and of people do not stand in each other’s way', async () => {
    const adv_id = await anAdvertiser(app)
    const people = await uploadTo(app, app.admin, 'id,city\n1,北京\n2,上海\n', 'people.csv')
    const mapping: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
    const [users, reports] = await Promise.all([
      app.admin.get(startImport, { body: { adv_id, upload_id: people, mapping } }),
      begin(adv_id, FILE),
    ])
    await app.settled()
    expect((await find(users.id)).report).toMatchObject({ stored: 2, new_people: 2 })
    expect((await find(reports)).report).toMatchObject({ stored: 2 })
  })
})

test('the command line imports, lists and undoes a file of reports', async () => {
  await anAdvertiser(app, '示例品牌')
  writeFileSync(join(app.stores.settings.dataDir, '报表.csv'), FILE)
  const typed = async (
    command: typeof importReports | typeof undoOneImport | typeof listAllImports,
    ...argv: string[]
  ) => {
    const lines: string[] = []
    const report = { progress: () => {}, print: (line: string) => void lines.push(line) }
    const typing = { argv, cwd: app.stores.settings.dataDir, signal: new AbortController().signal }
    await command.run(app, typing, report)
    return lines
  }
  const words = [
    '报表.csv',
    '--advertiser',
    '示例品牌',
    '--date',
    '日期',
    '--campaign',
    '活动名称',
    '--account',
    '账户ID',
  ]
  const metrics = ['--metric', '消耗(元)=cost', '--metric', '展示量=imp_pv']
  const lines = await typed(importReports, ...words, ...metrics)
  expect(lines.slice(0, 2)).toEqual(['共 4 行 = 入库 2 + 重复 0 + 拒绝 2', expect.stringMatching(/^用时 [\d.]+ 秒$/)])
  const [listed = ''] = (await typed(listAllImports)).slice(-1)
  expect(listed).toContain('报表\t报表.csv')
  expect(await typed(undoOneImport, listed.split('\t')[0] ?? '')).toEqual(['已撤销：移除 2 行'])
  await expect(typed(importReports, ...words, '--metric', '消耗(元)=costs')).rejects.toThrow('指标有 cost、imp_pv')
  await expect(typed(importReports, ...words)).rejects.toThrow('请指定至少一列是指标')
})
