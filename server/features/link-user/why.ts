import type { Kysely } from 'kysely'
import { CROWD_TAG, nodesHolding, type SubTag, subTagsOf } from '#contract/rule.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { allCrowds } from '../../crowds/all-crowds.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { setsHolding } from './memberships.ts'

/** What tags ask and what of a person decides it, by tag id; evidence is null where it was not read. */
export type TagFactsOf = (
  whom: { adv_id: number; uid: number },
  tags: readonly { id: number; definition: TagDefinition; counted_at: number }[],
) => Promise<ReadonlyMap<number, { meaning: string; evidence: string | null }>>

interface Deps {
  db: Kysely<Database>
  live: Handles
  factsOf: TagFactsOf
}

/** Why a person is in a rule crowd of the advertiser or not: each node and tag of its rule, with what decided it. */
export async function explain({ db, live, factsOf }: Deps, whom: { adv_id: number; uid: number }, crowd_id: number) {
  const crowd = await db
    .selectFrom('people')
    .innerJoin('rule', 'rule.id', 'people.rule_id')
    .select(['people.id', 'people.name', 'people.version', 'people.computed_at', 'rule.def'])
    .where('people.id', '=', crowd_id)
    .where('people.adv_id', '=', whom.adv_id)
    .where('people.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!crowd?.def) throw new AppError('notFound', { what: '人群' })
  const named = subTagsOf(crowd.def)
  const idsOf = (isCrowd: boolean) => [
    0,
    ...named.filter(({ tag_type }) => (tag_type === CROWD_TAG) === isCrowd).map(({ id }) => id),
  ]
  const [tags, crowds] = await Promise.all([
    db
      .selectFrom('tag')
      .select(['id', 'name', 'version', 'counted_at', 'definition'])
      .where('adv_id', '=', whom.adv_id)
      .where('id', 'in', idsOf(false))
      .execute(),
    allCrowds(db)
      .select(['id', 'name', 'version', 'counted_at', 'kind'])
      .where('adv_id', '=', whom.adv_id)
      .where('id', 'in', idsOf(true))
      .execute(),
  ])
  const [held, holding, facts] = await Promise.all([
    setsHolding(live.everyShard, 'tag', whom, tags),
    setsHolding(live.everyShard, 'crowd', whom, [...crowds, crowd]),
    factsOf(
      whom,
      tags.map(({ id, definition, counted_at }) => ({ id, definition, counted_at: counted_at ?? now() })),
    ),
  ])
  const isHeld = ({ id, tag_type }: SubTag) => (tag_type === CROWD_TAG ? holding : held).has(id)
  const nodes = nodesHolding(crowd.def, isHeld)
  const tagOf = new Map(tags.map((tag) => [tag.id, tag]))
  const crowdOf = new Map(crowds.map((one) => [one.id, one]))
  return {
    name: crowd.name,
    rule: crowd.def,
    is_in: holding.has(crowd.id),
    computed_at: crowd.computed_at,
    is_met: nodes[crowd.def.id] ?? false,
    nodes,
    tags: named.map((tag) => {
      const row = (tag.tag_type === CROWD_TAG ? crowdOf : tagOf).get(tag.id)
      const about = tag.tag_type === CROWD_TAG ? undefined : facts.get(tag.id)
      const evidence = about?.evidence ?? null
      return {
        ...tag,
        name: row?.name ?? '',
        meaning: about?.meaning ?? '',
        is_held: isHeld(tag),
        evidence,
        counted_at: row?.counted_at ?? null,
        crowd_kind: tag.tag_type === CROWD_TAG ? (crowdOf.get(tag.id)?.kind ?? null) : null,
      }
    }),
  }
}
