import { z } from 'zod'
import { keysOf } from '../common.ts'
import { type Outcome, outcome } from '../outcome.ts'
import { PlatformId } from './common.ts'
import { LABELS } from './five-tab/labels.ts'
import { ACTION_DAYS, ACTION_DAYS_DEFAULT } from './five-tab/platforms.ts'
import type { FilterField, TagType } from './tag-types.ts'

/** How users' behaviour is counted: in these scenes (in all, if none is given) within these days. */
export interface BehaviourWindow {
  scenes: readonly string[]
  days: number
}
export type KeywordsAsked =
  | { by: 'query_word'; word: string }
  | { by: 'ids'; ids: readonly string[] }
  | { by: 'near_category' | 'near_keyword'; id: string }
  /** Of platforms whose keywords are texts without ids. */
  | { by: 'words'; words: readonly string[] }
  | { by: 'near_word'; word: string }
export type CreatorsAsked =
  | { by: 'query_word'; word: string }
  | { by: 'ids'; ids: readonly string[] }
  | { by: 'category_id' | 'aweme_id'; id: string }

/** One question to a platform. */
export type TagQuestion =
  | { type: 'REGION' | 'BUSINESS_DISTRICT' | 'INTENTION' }
  /** Answered by the advertiser's own. */
  | { type: 'REGION_PLAN' }
  | { type: 'BEHAVIOR' | 'INTEREST'; window: BehaviourWindow }
  | { type: 'BEHAVIOR_KEYWORDS' | 'INTEREST_KEYWORDS'; window: BehaviourWindow; asked: KeywordsAsked }
  | { type: 'AWEME'; behaviors: readonly string[] }
  | { type: 'AWEME_AUTHOR'; behaviors: readonly string[]; asked: CreatorsAsked }

/** What a platform's keywords are known by. */
export type KeywordKey = 'ids' | 'words'
/** A filter by its own name: `query_list` is another one for a list of what is known. */
type OwnField = Exclude<FilterField, 'query_list'>

const WINDOW = ['action_scene', 'action_days'] as const
const KEYWORDS = ['query_word', 'ids', 'near_category', 'near_keyword', 'words', 'near_word'] as const
const CREATORS = ['query_word', 'ids', 'category_id', 'aweme_id'] as const

/** The filters that each type knows. Of `oneOf` exactly one is given. */
const KNOWN: Record<TagType, { any: readonly OwnField[]; oneOf: readonly OwnField[] }> = {
  REGION: { any: [], oneOf: [] },
  REGION_PLAN: { any: [], oneOf: [] },
  BUSINESS_DISTRICT: { any: [], oneOf: [] },
  INTENTION: { any: [], oneOf: [] },
  BEHAVIOR: { any: WINDOW, oneOf: [] },
  INTEREST: { any: [], oneOf: [] },
  BEHAVIOR_KEYWORDS: { any: WINDOW, oneOf: KEYWORDS },
  INTEREST_KEYWORDS: { any: [], oneOf: KEYWORDS },
  AWEME: { any: ['behaviors'], oneOf: [] },
  AWEME_AUTHOR: { any: ['behaviors'], oneOf: CREATORS },
}

const one = <S extends z.ZodType>(value: S) => z.tuple([value]).transform(([only]) => only as z.output<S>)
/** The same codes in any order are the same set. */
const setOf = <const C extends string>(codes: readonly [C, ...C[]]) =>
  z.array(z.enum(codes)).transform((chosen): string[] => [...new Set(chosen)].toSorted())
const Word = one(z.string().trim().min(1).max(50))
const VALUES = {
  behaviors: setOf(keysOf(LABELS.aweme_fan_behaviors)),
  action_scene: setOf(keysOf(LABELS.action_scene)),
  action_days: one(z.string().transform(Number).pipe(z.literal(ACTION_DAYS))),
  query_word: Word,
  near_word: Word,
  words: z.array(z.string().trim().min(1).max(64)).min(1),
  aweme_id: Word,
  category_id: one(PlatformId),
  near_category: one(PlatformId),
  near_keyword: one(PlatformId),
  ids: z.array(PlatformId).min(1),
} satisfies Record<OwnField, z.ZodType>
type Given = { [F in OwnField]?: z.output<(typeof VALUES)[F]> }

type Read = { question: TagQuestion; refusal: null } | { question: null; refusal: Outcome }
const refused = (refusal: Outcome): Read => ({ question: null, refusal })

/** The question that a call's filters ask, or why they ask none. `keywordKey`: of the platform. */
export function tagQuestion(
  type: TagType,
  filtering: readonly { field: FilterField; values: readonly string[] }[],
  keywordKey: KeywordKey = 'ids',
): Read {
  const { any, oneOf } = KNOWN[type]
  const listed: OwnField = type === 'AWEME_AUTHOR' ? 'ids' : keywordKey
  const given: Given = {}
  for (const { field: spelled, values } of filtering) {
    const field = spelled === 'query_list' ? listed : spelled
    if (!any.includes(field) && !oneOf.includes(field)) {
      return refused(outcome('targeting_filter_unknown', { type, field: spelled }))
    }
    const read = VALUES[field].safeParse(values)
    if (!read.success || given[field] !== undefined) {
      return refused(outcome('targeting_filter_wrong', { field: spelled }))
    }
    Object.assign(given, { [field]: read.data })
  }
  if (oneOf.length > 0 && oneOf.filter((field) => given[field] !== undefined).length !== 1) {
    return refused(outcome('targeting_filter_one', { fields: [...oneOf] }))
  }
  return { question: questionOf(type, given), refusal: null }
}

function questionOf(type: TagType, given: Given): TagQuestion {
  const window = { scenes: given.action_scene ?? [], days: given.action_days ?? ACTION_DAYS_DEFAULT }
  const { behaviors = [] } = given
  switch (type) {
    case 'REGION':
    case 'REGION_PLAN':
    case 'BUSINESS_DISTRICT':
    case 'INTENTION':
      return { type }
    case 'BEHAVIOR':
    case 'INTEREST':
      return { type, window }
    case 'AWEME':
      return { type, behaviors }
    case 'BEHAVIOR_KEYWORDS':
    case 'INTEREST_KEYWORDS':
      return {
        type,
        window,
        asked: listAsked(given) ?? wordsAsked(given) ?? idAsked(given, ['near_category', 'near_keyword']),
      }
    case 'AWEME_AUTHOR':
      return { type, behaviors, asked: listAsked(given) ?? idAsked(given, ['category_id', 'aweme_id']) }
  }
}

function listAsked({ query_word, ids }: Given) {
  if (query_word !== undefined) return { by: 'query_word', word: query_word } as const
  return ids === undefined ? null : ({ by: 'ids', ids } as const)
}

function wordsAsked({ words, near_word }: Given) {
  if (words !== undefined) return { by: 'words', words } as const
  return near_word === undefined ? null : ({ by: 'near_word', word: near_word } as const)
}

function idAsked<B extends 'near_category' | 'near_keyword' | 'category_id' | 'aweme_id'>(
  given: Given,
  fields: readonly [B, B],
) {
  const by = given[fields[0]] === undefined ? fields[1] : fields[0]
  return { by, id: given[by] as string }
}
