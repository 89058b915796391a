import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import type { addSuppressedCrowd, addSuppression } from '#contract/suppression.ts'
import { quote } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import type { CrowdVersion } from '../../identifiers/types.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type Named, readLines } from './lines.ts'
import type { SuppressionQuestion } from './question.ts'
import { LIST, type SuppressionTable } from './table.ts'

const ADD_CROWD = 'suppression.add-crowd'
const PAGE = '/basic-manage/index/suppression'

interface Deps {
  db: Kysely<Database>
  engine: AcrossShards
  jobs: Jobs
  personKey: Buffer
  table: SuppressionTable
  ask: SuppressionQuestion
  /** A select of `value`: the text of each identifier of an uploaded crowd's version. */
  crowdValuesSql(at: CrowdVersion): string
}

type CrowdJob = CrowdVersion & { note: string; at: number }

/** Adds pasted lines, or the identifiers of an uploaded crowd, to the list. */
export function suppressionAdding({ db, engine, jobs, personKey, table, ask, crowdValuesSql }: Deps) {
  /** Stored values of the crowd that are not on the list. */
  const freshSql = (at: CrowdVersion) =>
    `SELECT DISTINCT ${identifierSql(at.type, personKey).stored('value')} AS kept FROM (${crowdValuesSql(at)})
     WHERE kept NOT IN (SELECT value FROM ${LIST} AND id_type = ${quote(at.type)})`

  // A second run after a kill adds what the first one left.
  jobs.handle<CrowdJob>(ADD_CROWD, { concurrency: 1, retries: 3 }, async (job) => {
    const { note, at, ...crowd } = job.data
    job.task.progress(0.1, '加入屏蔽名单')
    await engine.command(
      `INSERT INTO suppression (adv_id, id_type, value, note, added_at, removed, at)
       SELECT {adv_id:UInt32}, ${quote(crowd.type)}, kept, {note:String}, {at:UInt32}, 0, now64(6)
       FROM (${freshSql(crowd)})`,
      { adv_id: crowd.adv_id, note, at },
      { signal: job.signal },
    )
    // Pushes that began before this know that the list has changed.
    await job.finish((tx) =>
      audit(tx, null, 'suppression.crowd_added', { adv_id: crowd.adv_id, crowd_id: crowd.crowd_id }),
    )
  })

  async function crowdOf(viewer: Viewer, adv_id: number, id: number): Promise<CrowdVersion & { name: string }> {
    const row = await db
      .selectFrom('custom_crowd')
      .select(['adv_id', 'name', 'version', 'user_id_type as type'])
      .where('id', '=', id)
      .where('adv_id', '=', adv_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '人群' })
    if (row.version === 0) throw new AppError('badInput', { reason: outcome('source_computing') })
    return { ...row, crowd_id: id }
  }

  return {
    async add(viewer: Viewer, { adv_id, type, lines, note, confirm }: z.output<typeof addSuppression.body>) {
      viewer.mustBeMember(adv_id)
      const { malformed, named } = readLines(type, lines)
      const { fresh, listed } = await freshOf(adv_id, named)
      const counted = { added: fresh.length, listed, duplicate: named.length - fresh.length - listed, malformed }
      if (fresh.length === 0) return counted
      const forms = fresh.flatMap((one) => one.forms)
      await ask(
        {
          adv_id,
          types: [...new Set(forms.map((form) => form.type))],
          valuesOf: table.formsSql,
          params: table.formsParams(forms),
          identifiers: fresh.length,
          name: createHash('sha256')
            .update(
              forms
                .map((form) => form.type + form.text)
                .toSorted()
                .join('\n'),
            )
            .digest('hex'),
        },
        confirm,
      )
      await transaction(db, async (tx) => {
        await audit(tx, viewer, 'suppression.add', { adv_id, type, added: fresh.length })
        await table.add(adv_id, fresh, note)
      })
      return counted
    },

    async addCrowd(viewer: Viewer, given: z.output<typeof addSuppressedCrowd.body>) {
      const { adv_id, crowd_id, note, confirm } = given
      viewer.mustBeMember(adv_id)
      const { name, ...crowd } = await crowdOf(viewer, adv_id, crowd_id)
      const [row] = await engine.query<{ n: number }>(`SELECT toFloat64(count()) AS n FROM (${freshSql(crowd)})`, {
        adv_id,
      })
      const identifiers = row?.n ?? 0
      const wanted = {
        adv_id,
        types: [crowd.type],
        valuesOf: (type: IdentifierType) => (type === crowd.type ? freshSql(crowd) : "SELECT '' AS kept WHERE 0"),
        params: { adv_id },
        identifiers,
        name: `crowd:${crowd_id}:${crowd.version}:${identifiers}`,
      }
      if (identifiers > 0) await ask(wanted, confirm)
      const { task_id } = await transaction(db, async (tx) => {
        await audit(tx, viewer, 'suppression.add_crowd', { adv_id, crowd_id, version: crowd.version, identifiers })
        const data: CrowdJob = { ...crowd, note, at: now() }
        return jobs.send(tx, ADD_CROWD, data, {
          task: {
            title: `人群「${name}」的 ${IDENTIFIERS[crowd.type].label} 加入屏蔽名单`,
            adv_id,
            viewer_id: viewer.id,
            link: PAGE,
          },
        })
      })
      return { identifiers, task_id: task_id ?? 0 }
    },
  }

  /** What is not on the list yet in all its forms, each once. */
  async function freshOf(adv_id: number, named: readonly Named[]): Promise<{ fresh: Named[]; listed: number }> {
    const known = new Map<IdentifierType, Set<string>>()
    const forms = named.flatMap((one) => one.forms)
    for (const type of new Set(forms.map((form) => form.type))) {
      const texts = forms.flatMap((form) => (form.type === type ? [form.text] : []))
      known.set(type, await table.listed(adv_id, type, [...new Set(texts)]))
    }
    const seen = new Set<string>()
    const fresh: Named[] = []
    let listed = 0
    for (const one of named) {
      const key = one.forms.map((form) => `${form.type}:${form.text}`).join(' ')
      if (seen.has(key)) continue
      seen.add(key)
      if (one.forms.every(({ type, text }) => known.get(type)?.has(text))) listed++
      else fresh.push(one)
    }
    return { fresh, listed }
  }
}
