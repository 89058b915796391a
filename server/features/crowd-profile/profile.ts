import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { type getCrowdProfile, PROFILE_TAGS_MAX } from '#contract/crowd-profile.ts'
import { areSignificant, differenceP, shareOf, tgiOf } from '#contract/profile-figures.ts'
import type { RuleNode, SubTag } from '#contract/rule.ts'
import { ATTRIBUTE_TAG, type TagType } from '#contract/tag.ts'
import type { RuleCounts, RuleEvaluator, SetVersion } from '../../clickhouse/rule/evaluate.ts'
import { crowdSets, subTagOf, versionOf } from '../../crowds/crowd-sets.ts'
import { offeredTags } from '../../crowds/offered-tags.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'

interface Deps {
  db: Kysely<Database>
  evaluator: RuleEvaluator
}

/** Tags of one statement: so many fit into memory beside one another at ten million people. */
const TAGS_AT_ONCE = 40

type Tag = Awaited<ReturnType<typeof offeredTags>>[number]
type CountedTag = Tag & { count: number; counted_at: number }

const isCounted = (tag: Tag): tag is CountedTag => tag.version > 0 && tag.count !== null && tag.counted_at !== null

/** The set of everyone or a crowd that a profile compares with, and how rules name it. */
interface Base {
  side: z.output<typeof getCrowdProfile.data>['base']
  subTag: SubTag
  version: SetVersion
}

/** What the people of a crowd have, beside everyone or another crowd. Counts come from the sets that rules count. */
export const crowdProfile =
  ({ db, evaluator }: Deps) =>
  async (viewer: Viewer, id: number, query: z.output<typeof getCrowdProfile.query>, signal: AbortSignal) => {
    const { against, category_ids } = query
    const isSame = against === id
    const { adv_id, crowds } = await crowdSets(db, viewer, against === undefined || isSame ? [id] : [id, against])
    const [crowd, other = isSame ? crowd : undefined] = crowds
    if (!crowd) throw new AppError('notFound', { what: '人群' })
    const tags = await offeredTags(db, adv_id)
    const base = other
      ? { side: sideOf(other), subTag: subTagOf(other), version: versionOf(other) }
      : await everyone(db, adv_id)
    const wanted = tags.filter((tag) => category_ids === undefined || category_ids.includes(tag.category_id))
    const counted = wanted.filter(isCounted).slice(0, PROFILE_TAGS_MAX)
    const counts = await countsOf(counted)
    const both = counts.get('both') ?? 0

    const rows = counted.map((tag) => {
      const count = counts.get(`crowd ${tag.id}`) ?? 0
      const base_count = other ? (counts.get(`base ${tag.id}`) ?? 0) : tag.count
      const inBoth = other ? (counts.get(`both ${tag.id}`) ?? 0) : count
      const group = { size: crowd.count, count }
      const compared = { size: base.side.count, count: base_count }
      const p_value = differenceP(group, compared, { size: both, count: inBoth })
      return {
        ...{ tag, count, base_count, share: shareOf(group), base_share: shareOf(compared) },
        ...{ tgi: tgiOf(group, compared), p_value },
      }
    })
    const significant = areSignificant(rows.map((row) => row.p_value))
    const values = rows.map(({ tag, ...figures }, at) => ({
      ...{ category_id: tag.category_id, tag_id: tag.id, name: tag.name, ...figures },
      is_significant: significant[at] ?? false,
    }))
    const categories = categoriesOf(tags)
    return {
      adv_id,
      crowd: sideOf(crowd),
      base: base.side,
      both,
      groups: categoriesOf(wanted).map(({ tags: total, ...group }) => {
        const own = counted.filter((tag) => tag.category_id === group.id)
        return {
          ...group,
          counted_at: own.length === 0 ? null : Math.min(...own.map((tag) => tag.counted_at)),
          left_out: total - own.length,
          values: values.flatMap(({ category_id, ...value }) => (category_id === group.id ? [value] : [])),
        }
      }),
      categories,
    }

    /** How many of the crowd, of the base and of both hold each tag. */
    async function countsOf(all: readonly CountedTag[]): Promise<ReadonlyMap<string, number>> {
      const counts: RuleCounts = {}
      if (!crowd) return new Map()
      const [own, versions] = [subTagOf(crowd), [versionOf(crowd), base.version]]
      const add = async (rules: RuleNode[], sets: SetVersion[]) =>
        Object.assign(counts, await evaluator.countRules(adv_id, rules, sets, { signal }))
      await add([together('both', [own, base.subTag])], versions)
      for (let from = 0; from < all.length; from += TAGS_AT_ONCE) {
        const part = all.slice(from, from + TAGS_AT_ONCE)
        const rules = part.flatMap((tag) => [
          together(`crowd ${tag.id}`, [own, tag]),
          ...(other
            ? [together(`base ${tag.id}`, [base.subTag, tag]), together(`both ${tag.id}`, [own, base.subTag, tag])]
            : []),
        ])
        const sets = [
          ...versions,
          ...part.map(({ id, version, count }) => ({ kind: 'tag' as const, id, version, count })),
        ]
        await add(rules, sets)
      }
      return new Map(Object.entries(counts))
    }
  }

const sideOf = <Side extends { version: number }>({ version: _, ...side }: Side) => side

/** The rule of the people who are in all of these. */
const together = (id: string, parts: readonly SubTag[]): RuleNode => ({
  ...{ id, op: 'n' as const, subTags: parts.map(({ id, tag_type }) => ({ id, tag_type })), exps: [] },
})

async function everyone(db: Kysely<Database>, adv_id: number): Promise<Base> {
  const tag = await db
    .selectFrom('tag')
    .select(['id', 'name', 'version', 'count', 'counted_at'])
    .where('adv_id', '=', adv_id)
    .where('is_built_in', '=', true)
    .executeTakeFirst()
  if (!tag || tag.version === 0 || tag.count === null || tag.counted_at === null)
    throw new AppError('tagNotReady', { name: tag?.name ?? '全部用户' })
  const { id, name, version, count, counted_at } = tag
  return {
    side: { id: null, kind: 'everyone', name, count, counted_at },
    subTag: { id, tag_type: ATTRIBUTE_TAG },
    version: { kind: 'tag', id, version, count },
  }
}

function categoriesOf(tags: readonly Tag[]) {
  const found = new Map<number, { id: number; name: string; tag_type: TagType; tags: number }>()
  for (const { category_id: id, category: name, tag_type } of tags) {
    const known = found.get(id)
    if (known) known.tags++
    else found.set(id, { id, name, tag_type, tags: 1 })
  }
  return [...found.values()]
}
