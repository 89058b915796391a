import type { Kysely } from 'kysely'
import { PLATFORMS } from '#contract/platform.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { ATTRIBUTE_TAG, tagTypeOf } from '#contract/tag.ts'
import { removeRows } from '../clickhouse/remove-rows.ts'
import { addDays, dayOf } from '../features/tag/day-window.ts'
import type { Viewer } from '../http/viewer.ts'
import { PERSON_KEY_PURPOSE } from '../identifiers/seal.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import type { Runtime } from '../process/runtime.ts'
import { now } from '../time/clock.ts'
import { startOfDay } from '../time/day.ts'
import { makeActivities } from './activities.ts'
import { CATEGORIES, CROWDS, FOLDERS, ruleOf, TAGS } from './crowds.ts'
import { makeCustomCrowds } from './custom-crowds.ts'
import { generate, generatedFields } from './generate.ts'
import { makePackages } from './packages.ts'
import { DAYS } from './people-sql.ts'

const DEMO_NAME = '示例品牌（生成数据）'
const DEMO_PEOPLE = 200_000
const SEED = 20_261_111
/** The row in `setting` with the state of the demo on this store. */
const MARK = 'demo'
/** Any step that takes longer than this is broken. */
const PATIENCE_MS = 120_000
const DAY = 86_400

export interface DemoOptions {
  /** The value of the setting DEMO. */
  wanted: boolean
  people?: number
  signal?: AbortSignal
  progress?(share: number, stage: string): void
}

/**
 * Loads the demo on a store's first start; later starts do nothing. An interrupted one is removed and made again. If the
 * first start wanted none, later starts make none.
 */
export async function loadDemo(runtime: Runtime, options: DemoOptions): Promise<'made' | 'there' | 'none'> {
  const { db } = runtime.stores.postgres
  const mark = await firstMark(db, options.wanted)
  if (mark !== 'making') return mark === 'made' ? 'there' : 'none'
  await removeHalfMade(runtime)
  await makeDemo(runtime, options)
  await db.updateTable('setting').set({ value: 'made' }).where('name', '=', MARK).execute()
  return 'made'
}

async function firstMark(db: Kysely<Database>, wanted: boolean): Promise<string> {
  return transaction(db, async (tx) => {
    const mark = await tx.selectFrom('setting').select('value').where('name', '=', MARK).executeTakeFirst()
    if (mark) return mark.value
    const inUse = await tx.selectFrom('advertiser').select('id').limit(1).executeTakeFirst()
    const value = wanted && !inUse ? 'making' : 'none'
    await tx.insertInto('setting').values({ name: MARK, value }).execute()
    return value
  })
}

async function removeHalfMade({ stores }: Runtime): Promise<void> {
  const { db } = stores.postgres
  const rows = await db.selectFrom('advertiser').select('id').where('is_demo', '=', true).execute()
  for (const { id } of rows) {
    for (const table of [
      'person_key',
      'person_row',
      'identifier',
      'event',
      'event_day',
      'tag_member',
      'crowd_member',
      'crowd_identifier',
      'report_day',
    ]) {
      await removeRows(stores.warehouse.load.everyShard, table, 'adv_id = {id:UInt32}', { id })
    }
    await db.deleteFrom('advertiser').where('id', '=', id).execute()
  }
}

async function makeDemo(
  runtime: Runtime,
  { people = DEMO_PEOPLE, signal, progress = () => {} }: DemoOptions,
): Promise<void> {
  const { stores, services } = runtime
  const { db } = stores.postgres
  const { timezone } = stores.settings
  const viewer = await firstViewer(db)
  const today = dayOf(now(), timezone)
  const adv_id = await services.advertisers.create(viewer, DEMO_NAME, { is_demo: true })
  await makeAccounts(db, adv_id)

  const world = { adv_id, people, seed: SEED, timezone, today }
  await generate({ load: stores.warehouse.load, db }, world, {
    key: stores.secrets.keyFor(PERSON_KEY_PURPOSE),
    signal,
    progress: (share) => progress(share * 0.8, '生成用户与事件'),
  })
  progress(0.8, '计算标签')
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today, -1 - index))
  await services.tagJobs.onData(adv_id, { ...generatedFields, days })
  await makeTags(runtime, viewer, adv_id)
  await until(signal, '标签', async () => {
    const dirty = await db
      .selectFrom('tag')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('is_dirty', '=', true)
      .limit(1)
      .executeTakeFirst()
    return dirty === undefined
  })
  progress(0.92, '计算人群')
  await makeCrowds(runtime, viewer, adv_id, signal)
  progress(0.97, '校验上传的人群')
  await makeCustomCrowds(runtime, viewer, adv_id, (what, isDone) => until(signal, what, isDone))
  const folders = await makeFolders(runtime, viewer)
  await makePackages(runtime, { adv_id, viewer, folders, midnight: startOfDay(now(), timezone) })
  progress(0.99, '生成投放报表')
  await makeActivities(runtime, { adv_id, viewer, today }, (what, isDone) => until(signal, what, isDone))
}

/** The first admin; the demo is made through the services on their behalf. */
async function firstViewer(db: Kysely<Database>): Promise<Viewer> {
  const row = await db
    .selectFrom('viewer')
    .select(['id', 'username', 'realname', 'is_admin', 'see_phones', 'see_restricted'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    session_id: null,
    token_id: null,
    framed: null,
    adv_ids: [],
    read_only_adv_ids: [],
    isMember: () => true,
    mustBeMember: () => {},
  }
}

/** An account on each platform, without tokens, so that no generated data reaches a platform. */
async function makeAccounts(db: Kysely<Database>, adv_id: number): Promise<void> {
  await db
    .insertInto('platform_account')
    .values(
      Object.values(PLATFORMS).map(({ code, name, scopes }) => ({
        platform: code,
        name: `示例品牌-${name}`,
        adv_id,
        external_id: `demo-${adv_id}-${code}`,
        scope_list: JSON.stringify(scopes),
      })),
    )
    .execute()
}

async function makeTags({ services }: Runtime, viewer: Viewer, adv_id: number): Promise<void> {
  for (const category of CATEGORIES)
    await services.tagCategories.create(viewer, { adv_id, tag_type: ATTRIBUTE_TAG, ...category })
  const { list } = await services.tagLists.categories(viewer, adv_id)
  for (const tag of TAGS) {
    const type = tagTypeOf(tag.definition.kind)
    const category = list.find(({ name, tag_type }) => name === tag.in && tag_type === type)
    if (!category) throw new Error(`the demo has no category ${tag.in}`)
    const { name, definition } = tag
    await services.tags.create(viewer, { adv_id, name, category_id: category.id, definition })
  }
}

async function makeCrowds(
  runtime: Runtime,
  viewer: Viewer,
  adv_id: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { services, stores } = runtime
  const { db } = stores.postgres
  const folders = await makeFolders(runtime, viewer)
  const tags = await db
    .selectFrom('tag')
    .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
    .select(['tag.id', 'tag.tag_type', 'tag.name', 'tag_category.name as category'])
    .where('tag.adv_id', '=', adv_id)
    .execute()
  const crowds = new Map<string, number>()
  const idOf = {
    tag(path: string) {
      const tag = tags.find(({ category, name }) => `${category}/${name}` === path)
      if (!tag) throw new Error(`the demo has no tag ${path}`)
      return { id: tag.id, tag_type: tag.tag_type }
    },
    crowd: (name: string) => ({ id: crowds.get(name) ?? 0, tag_type: CROWD_TAG }),
  }
  for (const crowd of CROWDS) {
    const { rId } = await services.rules.open(viewer, adv_id, undefined)
    await services.rules.store(viewer, rId, adv_id, ruleOf(crowd.rule, idOf))
    const { id } = await services.crowds.create(viewer, {
      rId,
      name: crowd.name,
      invalidTime: now() + 90 * DAY,
      dirId: folders.get(crowd.folder) ?? 1,
    })
    crowds.set(crowd.name, id)
    // A crowd must be computed before a rule that uses it can be counted.
    await until(signal, `人群「${crowd.name}」`, async () => {
      const row = await db.selectFrom('people').select('version').where('id', '=', id).executeTakeFirst()
      return (row?.version ?? 0) > 0
    })
  }
  await ageCrowds(runtime, crowds)
}

/** Sets what otherwise takes time or an activity: creation days, an expired crowd, one in use by a plan. */
async function ageCrowds({ stores }: Runtime, crowds: ReadonlyMap<string, number>): Promise<void> {
  const { db } = stores.postgres
  const midnight = startOfDay(now(), stores.settings.timezone)
  for (const [index, { name, later }] of CROWDS.entries()) {
    const id = crowds.get(name) as number
    const created_at = midnight - (CROWDS.length - index) * 2 * DAY + 10 * 3600 + index * 1234
    await db.updateTable('people').set({ created_at, saved_at: created_at }).where('id', '=', id).execute()
    if (later === 'expired') {
      await db
        .updateTable('people')
        .set({ invalid_time: midnight - 1 })
        .where('id', '=', id)
        .execute()
    }
    if (later === 'in use') {
      await db
        .insertInto('plan_use')
        .values({ people_id: id, plan_id: 1, plan_name: '秋季新品计划（生成数据）', live: true })
        .execute()
    }
  }
}

/** Folders belong to the deployment, so a demo that is made again finds the first one's. */
async function makeFolders({ services }: Runtime, viewer: Viewer): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const tree = await services.folders.tree()
  const ensure = async (siblings: typeof tree, name: string, parentId: number | null) => {
    const known = siblings.find((folder) => folder.name === name)
    const id = known?.id ?? (await services.folders.create(viewer, name, parentId)).id
    ids.set(name, id)
    return { id, subDirs: known?.subDirs ?? [] }
  }
  for (const { name, below } of FOLDERS) {
    const folder = await ensure(tree, name, null)
    for (const sub of below) await ensure(folder.subDirs, sub, folder.id)
  }
  return ids
}

async function until(signal: AbortSignal | undefined, what: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await isDone())) {
    signal?.throwIfAborted()
    if (Date.now() > end) throw new Error(`示例数据：${what} 没有在 ${PATIENCE_MS / 1000} 秒内算完`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
