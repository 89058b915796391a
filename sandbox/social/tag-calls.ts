import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { entryOf, keywordNamed, keywordsNear, keywordsWith } from '../population/categories.ts'
import { countOf, either, nobody, USERS_EACH } from '../population/population.ts'
import { holdersOf } from '../population/reach.ts'
import { INDUSTRIES } from '../population/words.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { accountFor } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import {
  categoryTags,
  FAMILIES,
  type FamilyType,
  keywordTag,
  type Tag,
  TREE_TYPES,
  treeTags,
  withIntention,
} from './tags.ts'
import { codeAt, eachAt, idAt, objectAt, textAt, wholeAt } from './values.ts'

const SCOPES = ['ads_management', 'audience_management', 'ads_insights', 'account_management', 'user_actions']
/** The older generation has fewer types. */
const TYPES = {
  1: ['REGION', 'BEHAVIOR', 'INTEREST', 'INTENTION'],
  3: [...TREE_TYPES, 'BEHAVIOR', 'INTEREST'],
} as const
const MODES = ['SEARCH', 'RECOMMEND', 'COMMON', 'ADVANCED_RECOMMEND', 'VERIFY_QUERY_LIST'] as const
const PREFIX = 'TARGETING_TAG_QUERY_MODE_'
const RECOMMENDATIONS = ['ADVANCED_RECOMMEND_TYPE_SYSTEMATIC', 'ADVANCED_RECOMMEND_TYPE_INDUSTRY_HOT'] as const
const RESULTS_MOST = 50
const LIST_MOST = 250
/** What a year of behaviour in all scenes holds. */
const WINDOW = { days: 365, scenes: [] }
/** Categories among what a search finds; the others are keywords. */
const CATEGORIES_FOUND = 10

const idNumber = (id: string) => BigInt(id)
const rowOf = ({ id, parent_id, ...tag }: Tag) => ({
  id: idNumber(id),
  ...tag,
  parent_id: idNumber(parent_id),
  available_for_individual: true,
})

/** The dictionaries of tags, and how many users hold each category. */
export function tagCalls(_parts: Parts): Record<string, Interface> {
  function get(context: Context): Answer {
    const { given, generation } = context
    if (generation === 3 || given.id('account_id') !== undefined) accountFor(context, 18001)
    const type = given.oneOf('type', TYPES[generation])
    if (!type) throw new Refusal(18001, ['type'])
    const spec = given.json('tag_spec')
    if (type === 'BEHAVIOR' || type === 'INTEREST') {
      if (spec === undefined) throw new Refusal(18001, ['tag_spec'])
      return success({ list: asked(type, spec).map(rowOf) })
    }
    if (spec !== undefined) throw new Refusal(31002, ['tag_spec'], `not for ${type}`)
    return success({ list: treeTags(type).map(rowOf) })
  }

  function uv(context: Context): Answer {
    const { given } = context
    accountFor(context, 18001)
    const type = given.oneOf('category_type', ['INTEREST', 'BEHAVIOR', 'INTENTION'])
    if (!type) throw new Refusal(18001, ['category_type'])
    const list = given.list('category_list')
    const ids = list && new Set(eachAt(list, 'category_list', { most: 10_000 }, idAt))
    const tags = type === 'INTENTION' ? treeTags('INTENTION') : categoryTags(type)
    const known = new Set(tags.map(({ id }) => id))
    for (const id of ids ?? []) if (!known.has(id)) throw new Refusal(31002, ['category_list'], id)
    return success({
      list: tags
        .filter(({ id }) => ids?.has(id) ?? true)
        .map(({ id, name }) => ({ category_id: idNumber(id), category_name: name, category_uv: usersOf(type, id) })),
    })
  }

  return {
    'GET targeting_tags/get': { scopes: SCOPES, isStrict: true, act: get },
    'GET targeting_tags_uv/get': { scopes: SCOPES, isStrict: true, act: uv },
  }
}

const counts = new Map<string, number>()
function usersOf(type: FamilyType | 'INTENTION', id: string): number {
  const key = `${type} ${id}`
  let count = counts.get(key)
  if (count === undefined) {
    const entry = type === 'INTENTION' ? null : entryOf(FAMILIES[type], 'CATEGORY', id)
    const crowds = entry ? [holdersOf(FAMILIES[type as FamilyType], entry, WINDOW)] : (withIntention(id) ?? [])
    count = countOf(crowds.reduce(either, nobody())) * USERS_EACH
    counts.set(key, count)
  }
  return count
}

/** The tags that a `tag_spec` asks for. */
function asked(type: FamilyType, given: Json): readonly Tag[] {
  const name = type === 'BEHAVIOR' ? 'behavior_spec' : 'interest_spec'
  const path = `tag_spec.${name}`
  const outer = objectAt(given, 'tag_spec', [name])
  if (outer[name] === undefined) throw new Refusal(18001, [path])
  const { query_mode, query_spec } = objectAt(outer[name], path, ['query_mode', 'query_spec'])
  if (query_mode === undefined) throw new Refusal(18001, [`${path}.query_mode`])
  const mode = codeAt(
    query_mode,
    `${path}.query_mode`,
    MODES.map((one) => `${PREFIX}${one}` as const),
  )
  const spec = querySpec(query_spec ?? {}, `${path}.query_spec`)
  const family = FAMILIES[type]
  const needed = <T>(value: T | undefined, field: string): T => {
    if (value === undefined) throw new Refusal(18001, [`${path}.query_spec.${field}`])
    return value
  }
  const wanted = (tags: readonly Tag[]) =>
    tags.filter(({ id, name }) => !spec.excluded.has(id) && !spec.excluded.has(name)).slice(0, spec.most)

  switch (mode.slice(PREFIX.length) as (typeof MODES)[number]) {
    case 'COMMON':
      return categoryTags(type)
    case 'SEARCH': {
      const word = needed(spec.query, 'query')
      const categories = categoryTags(type).filter((tag) => tag.name.includes(word))
      const keywords = keywordsWith(family, word, RESULTS_MOST + spec.excluded.size)
      return wanted([...categories.slice(0, CATEGORIES_FOUND), ...keywords.map(keywordTag)])
    }
    case 'RECOMMEND': {
      const word = needed(spec.query, 'query')
      const category = categoryTags(type).find((tag) => tag.name === word)
      const near = category && entryOf(family, 'CATEGORY', category.id)
      const about = near ?? keywordNamed(family, word) ?? keywordsWith(family, word, 1)[0]
      return about ? wanted(keywordsNear(family, about, RESULTS_MOST + spec.excluded.size).map(keywordTag)) : []
    }
    case 'ADVANCED_RECOMMEND': {
      const isHot = needed(spec.recommended, 'advanced_recommend_type') === RECOMMENDATIONS[1]
      const things = INDUSTRIES.flatMap((industry) => industry.things[isHot ? 0 : 1] ?? [])
      return wanted(things.flatMap((thing) => keywordsWith(family, thing, 3)).map(keywordTag))
    }
    case 'VERIFY_QUERY_LIST':
      // What comes back is as long as what was asked: no limit of results.
      return needed(spec.list, 'query_list').flatMap((word) => {
        const entry = keywordNamed(family, word)
        return entry ? [keywordTag(entry)] : []
      })
  }
}

function querySpec(given: Json, path: string) {
  const fields = [
    'query',
    'query_list',
    'max_result_number',
    'excluding_targeting_tags',
    'advanced_recommend_type',
  ] as const
  const spec = objectAt(given, path, fields)
  const read = <T>(name: (typeof fields)[number], reader: (value: Json, at: string) => T): T | undefined => {
    const value = spec[name]
    return value === undefined ? undefined : reader(value, `${path}.${name}`)
  }
  const words = (most: number) => (value: Json, at: string) =>
    eachAt(value, at, { most: LIST_MOST }, (one, place) => textAt(one, place, 1, most))
  return {
    query: read('query', (value, at) => textAt(value, at, 1, 200)),
    list: read('query_list', words(64)),
    most: read('max_result_number', (value, at) => wholeAt(value, at, 1, RESULTS_MOST)) ?? RESULTS_MOST,
    excluded: new Set(read('excluding_targeting_tags', words(200)) ?? []),
    recommended: read('advanced_recommend_type', (value, at) => codeAt(value, at, RECOMMENDATIONS)),
  }
}
