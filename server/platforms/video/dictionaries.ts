import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { BehaviourWindow } from '#contract/targeting/tag-filter.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../audience-platform.ts'
import { idNumber } from '../lossless-json.ts'
import type { TagKind, TargetingDictionaries } from '../targeting-platform.ts'
import type { AdminInfo } from './admin-info.ts'
import { CreatorCategoryRow, CreatorRow, rowsOf, TagRow } from './dictionary-rows.ts'
import type { VideoWire } from './wire.ts'

/** Ids of which one call gives the names. */
const IDS_MOST = 50
const FAMILIES = { behaviour: 'ACTION', interest: 'INTEREST' } as const
const PATHS = { behaviour: 'action', interest: 'interest' } as const
const TAG_TYPES = { near_category: 'CATEGORY', near_keyword: 'KEYWORD' } as const

const Categories = rowsOf(TagRow)
const KeywordList = z.object({ list: rowsOf(TagRow) })
const Keywords = z.object({ keywords: rowsOf(TagRow) })
const CreatorCategories = z.object({ categories: rowsOf(CreatorCategoryRow) })
const Authors = z.object({ authors: rowsOf(CreatorRow) })
const AuthorList = z.object({ list: rowsOf(CreatorRow) })
const Found = z.object({ authors: rowsOf(CreatorRow), categories: rowsOf(CreatorCategoryRow) })
const FoundList = z.object({ list: rowsOf(Found) })

type ReadCrowds = (account: AccountSession, on: StepHooks) => Promise<CrowdRow[]>

/** The look-ups of the vendor, which its platforms share but for the crowds. */
export function videoDictionaries(
  wire: VideoWire,
  admin: AdminInfo,
  crowds: ReadCrowds,
): TargetingDictionaries & Required<Pick<TargetingDictionaries, 'creatorCategories' | 'creators'>> {
  const get = <T>(
    shape: z.ZodType<T>,
    account: AccountSession,
    path: string,
    query: Record<string, unknown>,
    on: StepHooks,
  ) =>
    wire.get(shape, {
      account,
      on,
      path: `2/tools/${path}/`,
      query: { advertiser_id: idNumber(account.external_id), ...query },
    })

  /** Only behaviour has a window. */
  const windowOf = (kind: TagKind, { scenes, days }: BehaviourWindow) =>
    kind === 'interest' ? {} : { action_days: days, ...(scenes.length > 0 && { action_scene: scenes }) }
  const doneOf = (behaviors: readonly string[]) => (behaviors.length > 0 ? { behaviors } : {})

  /** The answers of as many calls as the ids need, one after the other. */
  async function inBatches<T>(ids: readonly string[], read: (batch: object[]) => Promise<T[]>): Promise<T[]> {
    const all: T[] = []
    for (let at = 0; at < ids.length; at += IDS_MOST) {
      all.push(...(await read(ids.slice(at, at + IDS_MOST).map(idNumber))))
    }
    return all
  }

  return {
    regions: admin.regions,

    categories: (account, kind, window, on) =>
      get(Categories, account, `interest_action/${PATHS[kind]}/category`, windowOf(kind, window), on),

    async keywords(account, kind, window, asked, on) {
      const within = windowOf(kind, window)
      if (asked.by === 'query_word') {
        const query = { query_words: asked.word, ...within }
        return (await get(KeywordList, account, `interest_action/${PATHS[kind]}/keyword`, query, on)).list
      }
      const about = { targeting_type: FAMILIES[kind], ...within }
      if (asked.by === 'words' || asked.by === 'near_word') {
        throw new PlatformFault('refused', outcome('targeting_keywords_by_ids'))
      }
      if (asked.by === 'ids') {
        return inBatches(asked.ids, async (ids) => {
          const query = { ids, tag_type: 'KEYWORD', ...about }
          return (await get(Keywords, account, 'interest_action/id2word', query, on)).keywords
        })
      }
      const query = { id: idNumber(asked.id), tag_type: TAG_TYPES[asked.by], ...about }
      return (await get(Keywords, account, 'interest_action/keyword/suggest', query, on)).keywords
    },

    async creatorCategories(account, behaviors, on) {
      return (await get(CreatorCategories, account, 'aweme_multi_level_category/get', doneOf(behaviors), on)).categories
    },

    async creators(account, behaviors, asked, on) {
      const done = doneOf(behaviors)
      const only = (authors: z.output<typeof Authors>['authors']) => ({ authors, categories: [] as TagNode[] })
      switch (asked.by) {
        case 'category_id': {
          const query = { category_id: idNumber(asked.id), ...done }
          return only((await get(Authors, account, 'aweme_category_top_author/get', query, on)).authors)
        }
        case 'aweme_id': {
          const query = { aweme_id: asked.id, ...done }
          return only((await get(AuthorList, account, 'aweme_similar_author_search', query, on)).list)
        }
        case 'ids':
          return only(
            await inBatches(asked.ids, async (label_ids) => {
              const query = { label_ids, ...done }
              return (await get(Authors, account, 'aweme_author_info/get', query, on)).authors
            }),
          )
        case 'query_word': {
          const { list } = await get(FoundList, account, 'aweme_info_search', { query_word: asked.word, ...done }, on)
          return {
            authors: list.flatMap(({ authors }) => authors),
            categories: list.flatMap(({ categories }) => categories),
          }
        }
      }
    },

    crowds,
  }
}
