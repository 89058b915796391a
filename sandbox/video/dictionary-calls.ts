import type { Parts } from '../parts.ts'
import {
  type Category,
  categoriesOf,
  type Entry,
  entryOf,
  FAMILIES,
  type Family,
  keywordsNear,
  keywordsWith,
  TAG_TYPES,
} from '../population/categories.ts'
import { countText, draw } from '../population/draw.ts'
import { type Crowd, countedTree, countOf, USERS_EACH } from '../population/population.ts'
import { ACTION_DAYS, ACTION_SCENES, holdersOf, type Window } from '../population/reach.ts'
import { type Region, regionOf, theCountry } from '../population/regions.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import type { Body } from './arguments.ts'
import {
  BEHAVIORS,
  type Creator,
  type CreatorCategory,
  creatorCategories,
  creatorCategoryOf,
  creatorOf,
  fansOf,
  fansWho,
  searched,
  similarTo,
  topOf,
} from './creators.ts'
import { badRequest, success } from './envelope.ts'

const TOOLS = '/open_api/2/tools'
/** Ids that one call may ask for. */
const IDS_MOST = 50
const KEYWORDS_MOST = 50
const CREATORS_MOST = 50
/** The code of the whole country in place of a region's. */
const COUNTRY = 'CN'
const SUB_LEVELS = ['NONE', 'ONE_LEVEL', 'TWO_LEVEL', 'THREE_LEVEL', 'FOUR_LEVEL'] as const

/** A required text that is one of the values. */
function oneOf<T extends string>(given: Body, name: string, values: readonly T[]): T {
  const value = given.text(name)
  const found = values.find((one) => one === value)
  if (!found) throw badRequest(`${name}: 只能是${values.join('、')}`)
  return found
}

function someOf(given: Body, name: string, values: readonly string[]): string[] {
  const chosen = given.optionalTexts(name, values.length) ?? []
  const wrong = chosen.find((one) => !values.includes(one))
  if (wrong !== undefined) throw badRequest(`${name}: 不支持的取值: ${wrong}`)
  return chosen
}

function windowOf(given: Body, isRequired: boolean): Window {
  const days = isRequired
    ? given.number('action_days', { of: ACTION_DAYS })
    : given.optionalNumber('action_days', { of: ACTION_DAYS })
  return { days: days ?? 30, scenes: someOf(given, 'action_scene', ACTION_SCENES) }
}

const usersText = (crowd: Crowd) => countText(countOf(crowd) * USERS_EACH)
const entryRow = (family: Family, window: Window) => (entry: Entry) => ({
  id: entry.id,
  name: entry.name,
  num: usersText(holdersOf(family, entry, window)),
})

const categoryRows = (family: Family, window: Window) =>
  countedTree<Category, object>(
    categoriesOf(family),
    (leaf) => holdersOf(family, leaf, window),
    ({ id, name }, users, children) => ({ id, name, num: countText(users), children }),
  )

/** The account's picture, drawn from its number, so that no call leaves the machine. */
function avatarOf({ no, name }: Creator): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="hsl(${draw(no, 9) % 360} 55% 62%)"/><text x="24" y="31" font-size="20" text-anchor="middle" fill="#fff">${name.slice(0, 1)}</text></svg>`
  return `data:image/svg+xml;utf8,${encodeURIComponent(drawing)}`
}

const creatorRow = (behaviors: readonly string[]) => (creator: Creator) => ({
  label_id: BigInt(creator.label_id),
  author_name: creator.name,
  aweme_id: creator.aweme_id,
  avatar: avatarOf(creator),
  category_name: creator.category,
  cover_num_str: usersText(fansWho([creator.no], behaviors)),
  total_fans_num_str: countText(fansOf(creator.no)),
})

interface CreatorCategoryRow {
  id: bigint
  value: string
  cover_num_str: string
  fans_num_str: string
  children: CreatorCategoryRow[]
}

function creatorCategoryRows(behaviors: readonly string[], roots: readonly CreatorCategory[]): CreatorCategoryRow[] {
  const counted = (asked: readonly string[]) =>
    countedTree<CreatorCategory, Counted>(
      roots,
      ({ creators }) => fansWho(creators, asked),
      (_, users, children) => ({ users, children }),
    )
  const row = (category: CreatorCategory, cover: Counted, fans: Counted): CreatorCategoryRow => ({
    id: BigInt(category.id),
    value: category.value,
    cover_num_str: countText(cover.users),
    fans_num_str: countText(fans.users),
    children: category.children.map((child, no) =>
      row(child, cover.children[no] as Counted, fans.children[no] as Counted),
    ),
  })
  const [covers, fans] = [counted(behaviors), counted(['FOLLOWED_USER'])]
  return roots.map((root, no) => row(root, covers[no] as Counted, fans[no] as Counted))
}
interface Counted {
  users: number
  children: Counted[]
}

function districtRow({ code, name, level, children }: Region, depth: number): object {
  return {
    code: level === 'COUNTRY' ? COUNTRY : code,
    geoname_id: '',
    name,
    level,
    sub_districts: depth > 0 ? children.map((child) => districtRow(child, depth - 1)) : [],
  }
}

/** The look-ups for targeting: regions, behaviours and interests, creators. */
export function dictionaryCalls(_parts: Parts): Record<string, Interface> {
  const lookup =
    (act: (given: Body) => unknown) =>
    ({ token, given }: Context): Answer => {
      advertiserFor(token, given.id('advertiser_id'))
      return success(act(given))
    }
  const interfaces: Record<string, (given: Body) => unknown> = {
    'interest_action/action/category/': (given) => categoryRows('ACTION', windowOf(given, true)),
    'interest_action/interest/category/': () => categoryRows('INTEREST', { days: 30, scenes: [] }),
    'interest_action/action/keyword/': (given) => {
      const window = windowOf(given, false)
      const found = keywordsWith('ACTION', given.text('query_words', { most: 50 }), KEYWORDS_MOST)
      return { list: found.map(entryRow('ACTION', window)) }
    },
    'interest_action/interest/keyword/': (given) => {
      const found = keywordsWith('INTEREST', given.text('query_words', { most: 50 }), KEYWORDS_MOST)
      return { list: found.map(entryRow('INTEREST', { days: 30, scenes: [] })) }
    },
    'interest_action/id2word/': (given) => {
      const family = oneOf(given, 'targeting_type', FAMILIES)
      const type = oneOf(given, 'tag_type', TAG_TYPES)
      const window = windowOf(given, family === 'ACTION')
      const rows = given
        .ids('ids', IDS_MOST)
        .flatMap((id) => entryOf(family, type, id) ?? [])
        .map(entryRow(family, window))
      return type === 'CATEGORY' ? { categories: rows, keywords: [] } : { categories: [], keywords: rows }
    },
    'interest_action/keyword/suggest/': (given) => {
      const family = oneOf(given, 'targeting_type', FAMILIES)
      const type = oneOf(given, 'tag_type', TAG_TYPES)
      const window = windowOf(given, family === 'ACTION')
      const id = given.id('id')
      const entry = entryOf(family, type, id)
      if (!entry) throw badRequest(`id: 不存在: ${id}`)
      return { keywords: keywordsNear(family, entry, KEYWORDS_MOST).map(entryRow(family, window)) }
    },
    'aweme_multi_level_category/get/': (given) => ({
      categories: creatorCategoryRows(someOf(given, 'behaviors', BEHAVIORS), creatorCategories()),
    }),
    'aweme_category_top_author/get/': (given) => {
      const behaviors = someOf(given, 'behaviors', BEHAVIORS)
      const id = given.id('category_id')
      const category = creatorCategoryOf(id)
      if (!category) throw badRequest(`category_id: 分类不存在: ${id}`)
      return { authors: topOf(category, CREATORS_MOST).map(creatorRow(behaviors)) }
    },
    'aweme_author_info/get/': (given) => {
      const behaviors = someOf(given, 'behaviors', BEHAVIORS)
      const found = given.ids('label_ids', IDS_MOST).flatMap((id) => creatorOf(id) ?? [])
      return { authors: found.map(creatorRow(behaviors)) }
    },
    'aweme_info_search/': (given) => {
      const behaviors = someOf(given, 'behaviors', BEHAVIORS)
      const { creators, categories } = searched(given.text('query_word', { most: 50 }), CREATORS_MOST)
      return {
        list: [
          {
            authors: creators.map(creatorRow(behaviors)),
            categories: creatorCategoryRows(
              behaviors,
              categories.map((one) => ({ ...one, children: [] })),
            ),
          },
        ],
      }
    },
    'aweme_similar_author_search/': (given) => {
      const behaviors = someOf(given, 'behaviors', BEHAVIORS)
      const aweme_id = given.text('aweme_id', { most: 50 })
      const found = similarTo(aweme_id, CREATORS_MOST)
      if (!found) throw badRequest(`aweme_id: 抖音号不存在: ${aweme_id}`)
      return { list: found.map(creatorRow(behaviors)) }
    },
    'admin/info/': (given) => {
      const codes = given.texts('codes', 100)
      oneOf(given, 'language', ['ZH_CN', 'ZH_CN_GOV'])
      const depth = SUB_LEVELS.indexOf(oneOf(given, 'sub_district', SUB_LEVELS))
      const version = given.oneOf('version', ['V1_0_0', 'V2_3_2'], 'V2_3_2')
      const districts = codes.map((code) => {
        const region = code === COUNTRY ? theCountry() : regionOf(code)
        if (!region) throw badRequest(`codes: 不存在: ${code}`)
        return districtRow(region, depth)
      })
      return { districts, version }
    },
  }
  return Object.fromEntries(
    Object.entries(interfaces).map(([path, act]) => [
      `GET ${TOOLS}/${path}`,
      { scopes: [], takes: 'query', act: lookup(act) } satisfies Interface,
    ]),
  )
}
