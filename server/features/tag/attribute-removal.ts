import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { removalObstacle } from '#contract/attribute-removal.ts'
import { outcome } from '#contract/outcome.ts'
import type { deleteAttribute } from '#contract/tag-field.ts'
import { type Handles, sumOf } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { AppError, OutcomeError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { filesOf, usesOf } from './attribute-uses.ts'
import { mustFindAttribute, mustKnowField } from './field-lists.ts'
import { lockTags } from './store.ts'
import type { UndoneData } from './undone-data.ts'

const REMOVE = 'attribute.remove'

interface Removal {
  adv_id: number
  name: string
  viewer_id: number
}
type Job = RunningJob<Removal>

export interface AttributeRemovalDeps {
  db: Kysely<Database>
  load: Handles
  jobs: Jobs
  /** Runs `work` while no import of the advertiser is under way. */
  whileImportsRest(job: Job, adv_id: number, work: () => Promise<void>): Promise<void>
  /** Forgets what nothing needs any more, as after an undone import, and refreshes tags and crowds. May be repeated. */
  onRemoved(data: UndoneData, viewer_id: number | null, job: Pick<Job, 'signal' | 'step' | 'task'>): Promise<void>
}

/** Deletes attributes that write keys brought. Those of files go by undoing their imports. */
export function attributeRemoval({ db, load, jobs, whileImportsRest, onRemoved }: AttributeRemovalDeps) {
  jobs.handle<Removal>(
    REMOVE,
    {
      concurrency: 1,
      retries: (error) => (error instanceof OutcomeError ? 0 : 3),
      retryDelaySeconds: 2,
      outcomeOf: () => outcome('attribute_removal_failed'),
    },
    (job) => whileImportsRest(job, job.data.adv_id, () => remove(job)),
  )

  /** Every step may be repeated. */
  async function remove(job: Job): Promise<void> {
    const { adv_id, name, viewer_id } = job.data
    job.task.progress(0.05, '移除数据')
    const attribute = await findAttribute(adv_id, name)
    if (attribute) {
      const of = { ...attribute, adv_id, name }
      const files = await filesOf(db, load.acrossShards, of)
      await job.step((tx) => unsettle(tx, of, files))
      await emptyColumn(adv_id, slotColumn(attribute.slot))
    }
    await job.step((tx) => takeFromBrought(tx, adv_id, name))
    job.task.progress(0.5, '更新标签和人群')
    const gone = { attributes: [{ name }], events: [] }
    await onRemoved({ ...gone, adv_id, import_id: 0, heirs: [], began: 0 }, viewer_id, job)
  }

  const findAttribute = (adv_id: number, name: string) =>
    db
      .selectFrom('attribute')
      .select(['id', 'slot'])
      .where('adv_id', '=', adv_id)
      .where('name', '=', name)
      .executeTakeFirst()

  /** Takes back what viewers settled about it, which would keep it, unless it came into use meanwhile. */
  async function unsettle(
    tx: Transaction<Database>,
    of: { id: number; adv_id: number; name: string },
    files: readonly string[],
  ): Promise<void> {
    await lockCrowds(tx, of.adv_id)
    await lockTags(tx, of.adv_id)
    const obstacle = removalObstacle(of.name, { files, ...(await usesOf(tx, of)) })
    if (obstacle) throw new OutcomeError(obstacle)
    await tx
      .updateTable('attribute')
      .set({ display_name: of.name, is_type_fixed: false, dictionary: '[]' })
      .where('id', '=', of.id)
      .execute()
  }

  async function emptyColumn(adv_id: number, column: string): Promise<void> {
    const where = `adv_id = ${Number(adv_id)} AND ${column} != ''`
    const found = await load.everyShard.query<{ n: number }>(`SELECT count() AS n FROM person_row WHERE ${where}`)
    if (sumOf(found, 'n') === 0) return
    await load.everyShard.command(
      `ALTER TABLE person_row UPDATE ${column} = '' WHERE ${where} SETTINGS mutations_sync = 2`,
    )
  }

  return {
    /** Has an attribute deleted by a job; refuses while something uses it. */
    async request(viewer: Viewer, { adv_id, name }: z.output<typeof deleteAttribute.query>): Promise<void> {
      viewer.mustBeMember(adv_id)
      mustKnowField(viewer, { attribute: name })
      const { slot } = await mustFindAttribute(db, { adv_id, name })
      const files = await filesOf(db, load.acrossShards, { adv_id, name, slot })
      await transaction(db, async (tx) => {
        await lockCrowds(tx, adv_id)
        const reason = removalObstacle(name, { files, ...(await usesOf(tx, { adv_id, name })) })
        if (reason) throw new AppError('attributeNotDeletable', { reason })
        const viewer_id = viewer.id
        const task = { title: `删除属性「${name}」`, adv_id, viewer_id, link: '/basic-manage/index/data-access' }
        await jobs.send(tx, REMOVE, { adv_id, name, viewer_id }, { group: `advertiser:${adv_id}`, task })
        await audit(tx, viewer, 'attribute.delete', { adv_id, name })
      })
    },
  }
}
export type AttributeRemoval = ReturnType<typeof attributeRemoval>

/** Imports of messages name the attribute no more: a name that an import has would keep it. */
const takeFromBrought = (tx: Transaction<Database>, adv_id: number, name: string) =>
  sql`update import set brought = jsonb_set(brought, '{attributes}', (
        select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(brought->'attributes') as one
        where one->>'name' != ${name}))
      where adv_id = ${adv_id} and source = 'tracking' and brought->'attributes' @> ${JSON.stringify([{ name }])}::jsonb
    `.execute(tx)
