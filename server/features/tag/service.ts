import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import { FIELD_KINDS } from '#contract/outcomes/tag.ts'
import { type createTag, TAGS_MAX, tagTypeOf, type updateTag } from '#contract/tag.ts'
import { definitionFault, type TagDefinition } from '#contract/tag-definition.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import type { EveryShard } from '../../clickhouse/handles.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { tagsOfRule } from '../../crowds/used-tags.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type TagBuild, unknownField } from './build.ts'
import type { TagJobs } from './jobs.ts'
import { definitionFor } from './left-out.ts'
import type { PhoneFields } from './phone-fields.ts'
import { listed, removeTags } from './removal.ts'
import { insertTags, lockTags, markAll, markTags } from './store.ts'

interface Deps {
  db: Kysely<Database>
  live: EveryShard
  build: TagBuild
  jobs: TagJobs
  phones: PhoneFields
}

export function tagService({ db, live, build, jobs, phones }: Deps) {
  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const tag = await tx.selectFrom('tag').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!tag || !viewer.isMember(tag.adv_id)) throw new AppError('notFound', { what: '标签' })
    return tag
  }

  async function mustFit(tx: Kysely<Database>, adv_id: number, category_id: number, definition: TagDefinition) {
    const category = await tx
      .selectFrom('tag_category')
      .select(['adv_id', 'tag_type'])
      .where('id', '=', category_id)
      .forShare()
      .executeTakeFirst()
    if (category?.adv_id !== adv_id) throw new AppError('notFound', { what: '分类' })
    if (category.tag_type !== tagTypeOf(definition.kind)) {
      throw new AppError('badInput', { reason: outcome('tag_type_not_of_category') })
    }
  }

  async function checkDefinition(tx: Kysely<Database>, adv_id: number, definition: TagDefinition) {
    const [attributes, events] = await Promise.all([
      namesIn(tx, 'attribute', adv_id),
      namesIn(tx, 'event_name', adv_id),
    ])
    const unknown = unknownField(definition, attributes, events)
    if (unknown) throw new AppError('tagUnknownField', { what: FIELD_KINDS[unknown.what], name: unknown.name })
    const reason = definitionFault(definition)
    if (reason) throw new AppError('badInput', { reason })
  }

  async function mustHaveRoom(tx: Kysely<Database>, adv_id: number) {
    const { held } = await tx
      .selectFrom('tag')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('adv_id', '=', adv_id)
      .where('creator_id', 'is not', null)
      .executeTakeFirstOrThrow()
    if (held >= TAGS_MAX) throw new AppError('tagsFull', { max: TAGS_MAX })
  }

  return {
    async create(viewer: Viewer, wanted: z.output<typeof createTag.body>) {
      const { adv_id, name, category_id, definition } = wanted
      viewer.mustBeMember(adv_id)
      mustNameNoPhone(viewer, name)
      await phones.mustBeOpen(viewer, adv_id, definition)
      return transaction(db, async (tx) => {
        await lockTags(tx, adv_id)
        await mustHaveRoom(tx, adv_id)
        await mustFit(tx, adv_id, category_id, definition)
        await checkDefinition(tx, adv_id, definition)
        const position = await lastPosition(tx, category_id)
        const made = await insertTags(tx, [{ adv_id, name, category_id, definition, creator_id: viewer.id, position }])
        const id = made.get(name)
        if (id === undefined) throw new AppError('tagNameTaken')
        await audit(tx, viewer, 'tag.create', { id, adv_id, name, definition })
        await jobs.requestRebuild(tx, adv_id, viewer.id)
        return { id }
      })
    },

    async update(viewer: Viewer, id: number, wanted: z.output<typeof updateTag.body>): Promise<void> {
      const before = await db.selectFrom('tag').select(['adv_id', 'definition']).where('id', '=', id).executeTakeFirst()
      const isOther =
        before && viewer.isMember(before.adv_id) && definitionOf(viewer, before, wanted) !== before.definition
      if (isOther && wanted.definition) await phones.mustBeOpen(viewer, before.adv_id, wanted.definition)
      await transaction(db, async (tx) => {
        const tag = await mustFind(tx, viewer, id)
        if (tag.is_built_in) throw new AppError('tagBuiltIn')
        const definition = definitionOf(viewer, tag, wanted)
        const category_id = wanted.category_id ?? tag.category_id
        const name = keptName(viewer, wanted.name, tag.name)
        if (tagTypeOf(definition.kind) !== tag.tag_type) {
          throw new AppError('badInput', { reason: outcome('tag_type_fixed') })
        }
        if (category_id !== tag.category_id) await mustFit(tx, tag.adv_id, category_id, definition)
        const means = !isDeepStrictEqual(definition, tag.definition)
        if (means) await checkDefinition(tx, tag.adv_id, definition)
        const taken = await tx
          .selectFrom('tag')
          .select('id')
          .where('category_id', '=', category_id)
          .where('name', '=', name)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (taken) throw new AppError('tagNameTaken')
        await tx
          .updateTable('tag')
          .set({
            name,
            category_id,
            ...(name === tag.name ? {} : { is_renamed: true }),
            ...(means ? { definition: JSON.stringify(definition), is_automatic: false, error: null } : {}),
          })
          .where('id', '=', id)
          .execute()
        await audit(tx, viewer, 'tag.update', { id, ...wanted })
        if (!means) return
        await markTags(tx, tag.adv_id, [id])
        await jobs.requestRebuild(tx, tag.adv_id, viewer.id)
      })
    },

    remove: (viewer: Viewer, id: number) =>
      transaction(db, async (tx) => {
        const { adv_id } = (await tx.selectFrom('tag').select('adv_id').where('id', '=', id).executeTakeFirst()) ?? {}
        // Crowds take this lock when they save a rule, so none starts to use the tag during its deletion. Before the row
        // of the tag, as everywhere: in the other order two could wait for each other.
        if (adv_id !== undefined && viewer.isMember(adv_id)) await lockCrowds(tx, adv_id)
        const tag = await mustFind(tx, viewer, id)
        if (tag.is_built_in) throw new AppError('tagBuiltIn')
        const crowds = (await usersOf(tx, id)).map((crowd) => ({ kind: 'crowd', ...crowd }))
        if (crowds.length > 0) {
          throw new AppError(
            'tagInUse',
            { name: tag.name, by: listed(crowds.map((crowd) => crowd.name)) },
            { by: crowds },
          )
        }
        await removeTags(tx, tag.adv_id, [tag])
        await audit(tx, viewer, 'tag.delete', { id, adv_id: tag.adv_id, name: tag.name })
      }),

    async usage(viewer: Viewer, id: number) {
      const tag = await db.selectFrom('tag').select('adv_id').where('id', '=', id).executeTakeFirst()
      if (!tag || !viewer.isMember(tag.adv_id)) throw new AppError('notFound', { what: '标签' })
      const [crowds, drafts] = await Promise.all([usersOf(db, id), draftsOf(db, viewer, tag.adv_id, id)])
      return {
        list: [
          ...crowds.map((crowd) => ({ kind: 'crowd' as const, ...crowd })),
          ...drafts.map((draft) => ({ kind: 'draft' as const, id: draft.id, name: '未保存的规则' })),
        ],
        through: await dependentsOf(
          db,
          crowds.map((crowd) => crowd.id),
        ),
      }
    },

    async preview(viewer: Viewer, adv_id: number, definition: TagDefinition, signal?: AbortSignal) {
      viewer.mustBeMember(adv_id)
      await checkDefinition(db, adv_id, definition)
      await phones.mustBeOpen(viewer, adv_id, definition, signal)
      const counted_at = now()
      try {
        return { count: await build.count(live, adv_id, definition, signal), counted_at }
      } catch (error) {
        if (isEngineError(error, 'timeout')) throw new AppError('countTimedOut')
        throw error
      }
    },

    rebuild: (viewer: Viewer, adv_id: number, ids?: readonly number[]) =>
      transaction(db, async (tx) => {
        viewer.mustBeMember(adv_id)
        const queued = ids ? await markTags(tx, adv_id, ids) : await markAll(tx, adv_id)
        if (ids && queued < new Set(ids).size) throw new AppError('notFound', { what: '标签' })
        await audit(tx, viewer, 'tag.rebuild', { adv_id, ids: ids ?? null })
        await jobs.requestRebuild(tx, adv_id, viewer.id)
        return { queued }
      }),
  }
}
export type TagService = ReturnType<typeof tagService>

/** What a tag is to mean. A form sends back a definition as it was shown, with long values shortened and phones masked. */
const definitionOf = (
  viewer: Viewer,
  { definition }: { definition: TagDefinition },
  wanted: { definition?: TagDefinition | undefined },
): TagDefinition =>
  isDeepStrictEqual(wanted.definition, definitionFor(viewer, definition))
    ? definition
    : (wanted.definition ?? definition)

async function namesIn(tx: Kysely<Database>, table: 'attribute' | 'event_name', adv_id: number): Promise<Set<string>> {
  const rows = await tx.selectFrom(table).select('name').where('adv_id', '=', adv_id).execute()
  return new Set(rows.map((row) => row.name))
}

const usersOf = (tx: Kysely<Database>, tag_id: number) =>
  tx
    .selectFrom('crowd_use')
    .innerJoin('people', 'people.id', 'crowd_use.people_id')
    .select(['people.id', 'people.name'])
    .where('crowd_use.uses_kind', '=', 'tag')
    .where('crowd_use.uses_id', '=', tag_id)
    .where('people.deleted_at', 'is', null)
    .orderBy('people.id')
    .execute()

/** Crowds computed from these directly or through other crowds, without these themselves. */
async function dependentsOf(tx: Kysely<Database>, crowds: readonly number[]): Promise<{ id: number; name: string }[]> {
  const seen = new Set(crowds)
  const found: { id: number; name: string }[] = []
  for (let last = [...crowds]; last.length > 0; ) {
    const users = await tx
      .selectFrom('crowd_use')
      .innerJoin('people', 'people.id', 'crowd_use.people_id')
      .select(['people.id', 'people.name'])
      .distinct()
      .where('crowd_use.uses_kind', '=', 'crowd')
      .where('crowd_use.uses_id', 'in', last)
      .where('people.deleted_at', 'is', null)
      .orderBy('people.id')
      .execute()
    const more = users.filter((user) => !seen.has(user.id))
    for (const { id } of more) seen.add(id)
    found.push(...more)
    last = more.map((user) => user.id)
  }
  return found
}

/** The viewer's own draft rules; those of other viewers are not shown. */
async function draftsOf(tx: Kysely<Database>, viewer: Viewer, adv_id: number, tag_id: number) {
  return tx
    .selectFrom('rule')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('creator_id', '=', viewer.id)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('people').select('people.id').whereRef('people.rule_id', '=', 'rule.id'))),
    )
    .where(sql<boolean>`${tag_id}::int in (${tagsOfRule()})`)
    .orderBy('id')
    .execute()
}

async function lastPosition(tx: Transaction<Database>, category_id: number): Promise<number> {
  const row = await tx
    .selectFrom('tag')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('category_id', '=', category_id)
    .executeTakeFirst()
  return (row?.position ?? -1) + 1
}
