import { outcome } from '#contract/outcome.ts'
import { utf8Bytes } from '#contract/targeting/common.ts'
import { KEYWORD_BYTES_MAX } from '#contract/targeting/social/platform.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../audience-platform.ts'
import type { TagKind, TargetingDictionaries } from '../targeting-platform.ts'
import { socialCrowds } from './crowds.ts'
import { plain } from './plain.ts'
import { nodeOf, regionLevel, type TagRow, Tags, treeOf, Users, usersText } from './tag-rows.ts'
import type { SocialWire } from './wire.ts'

/** Texts that one call verifies, and characters of them in its address: gateways refuse one of more than 8 KB. */
const WORDS_MOST = 250
const ADDRESS_MOST = 4000
const RESULTS_MOST = 50
const TYPES = { behaviour: 'BEHAVIOR', interest: 'INTEREST' } as const
const SPECS = { behaviour: 'behavior_spec', interest: 'interest_spec' } as const
const KEYWORD = 'KEYWORD'
type Mode = 'COMMON' | 'SEARCH' | 'RECOMMEND' | 'VERIFY_QUERY_LIST'

/** The platform's tags. A keyword is its text: packages hold no ids of keywords. */
export function socialDictionaries(wire: SocialWire): Omit<TargetingDictionaries, 'reach'> {
  async function tags(account: AccountSession, query: Record<string, unknown>, on: StepHooks): Promise<TagRow[]> {
    const about = { account_id: account.external_id, ...query }
    return (await wire.get(Tags, { account, on, path: 'targeting_tags/get', query: about })).list
  }
  const asked = (account: AccountSession, kind: TagKind, mode: Mode, on: StepHooks, query_spec?: object) => {
    const spec = { query_mode: `TARGETING_TAG_QUERY_MODE_${mode}`, ...(query_spec && { query_spec }) }
    return tags(account, { type: TYPES[kind], tag_spec: { [SPECS[kind]]: spec } }, on)
  }

  /** Users by category; none where the platform does not answer, since a tree is of use without them. */
  async function usersOf(account: AccountSession, category_type: string, on: StepHooks): Promise<Map<string, number>> {
    try {
      const query = { account_id: account.external_id, category_type }
      const { list } = await wire.get(Users, { account, on, path: 'targeting_tags_uv/get', query })
      return new Map(list.map(({ category_id, category_uv }) => [category_id, category_uv]))
    } catch (error) {
      if (!(error instanceof PlatformFault) || error.kind === 'unauthorised') throw error
      return new Map()
    }
  }
  async function counted(account: AccountSession, type: string, rows: readonly TagRow[], on: StepHooks) {
    const users = await usersOf(account, type, on)
    return treeOf(rows, (row) => {
      const count = users.get(row.id)
      return { ...nodeOf(row), num: count === undefined ? null : usersText(count) }
    })
  }

  const regionTree = (rows: readonly TagRow[]) =>
    treeOf(rows, (row, depth) => ({ ...nodeOf(row), level: regionLevel(row, depth) }))

  /** The keywords among the tags; two with the same text are one. */
  const keywordsOf = (rows: readonly TagRow[]): TagNode[] => {
    const texts = new Set(rows.flatMap(({ tag_class, name }) => (tag_class === KEYWORD && name ? [name] : [])))
    return [...texts].map((text) => ({ value: text, label: text, num: null, children: [] }))
  }

  return {
    regions: async (account, on) => regionTree(await tags(account, { type: 'REGION' }, on)),

    async businessDistricts(account, on) {
      const regions = regionTree(await tags(account, { type: 'REGION' }, on))
      const places = new Map<string, TagNode>()
      const add = (node: TagNode) => {
        places.set(node.value, node)
        node.children.forEach(add)
      }
      regions.forEach(add)
      // The list may hold the regions themselves too.
      const own = (await tags(account, { type: 'BUSINESS_DISTRICT' }, on)).filter(({ id }) => !places.has(id))
      for (const row of own) {
        places.get(row.parent_id ?? '')?.children.push({ ...nodeOf(row), level: 'BUSINESS_DISTRICT' })
      }
      return regions
    },

    // The platform counts without a window.
    async categories(account, kind, _window, on) {
      const rows = await asked(account, kind, 'COMMON', on)
      return counted(account, TYPES[kind], rows, on)
    },

    async intentions(account, on) {
      return counted(account, 'INTENTION', await tags(account, { type: 'INTENTION' }, on), on)
    },

    async keywords(account, kind, _window, by, on) {
      switch (by.by) {
        case 'query_word':
        case 'near_word': {
          const query = plain(by.word)
          const mode = by.by === 'query_word' ? 'SEARCH' : 'RECOMMEND'
          if (query === '') return []
          return keywordsOf(await asked(account, kind, mode, on, { query, max_result_number: RESULTS_MOST }))
        }
        case 'words': {
          // One that the platform would not take as text is no keyword of it.
          const words = [...new Set(by.words)].filter(
            (word) => plain(word) === word && utf8Bytes(word) <= KEYWORD_BYTES_MAX,
          )
          const found: TagRow[] = []
          for (const query_list of batchesOf(words)) {
            found.push(...(await asked(account, kind, 'VERIFY_QUERY_LIST', on, { query_list })))
          }
          return keywordsOf(found)
        }
        default:
          throw new PlatformFault('refused', outcome('targeting_keywords_by_words'))
      }
    },

    crowds: (account, on) => socialCrowds(wire, account, on),
  }
}

/** The words in as few lists as fit into addresses. */
function batchesOf(words: readonly string[]): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const word of words) {
    const length = encodeURIComponent(`"${word}",`).length
    const last = batches.at(-1)
    if (last && length <= room && last.length < WORDS_MOST) {
      last.push(word)
      room -= length
    } else {
      batches.push([word])
      room = ADDRESS_MOST - length
    }
  }
  return batches
}
