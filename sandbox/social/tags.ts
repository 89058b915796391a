import { businessDistricts } from '../population/business-districts.ts'
import { type Category, categoriesOf, type Entry, type Family } from '../population/categories.ts'
import { type Crowd, crowdOf, membersOf } from '../population/population.ts'
import { type Region, theCountry } from '../population/regions.ts'
import { INDUSTRIES } from '../population/words.ts'
import { devices } from './devices.ts'

export const TREE_TYPES = ['REGION', 'BUSINESS_DISTRICT', 'INTENTION', 'DEVICE_BRAND_MODEL'] as const
/** Types whose tags are asked for by a `tag_spec`. */
export const FAMILIES = { BEHAVIOR: 'ACTION', INTEREST: 'INTEREST' } as const satisfies Record<string, Family>
export type FamilyType = keyof typeof FAMILIES

/** A tag as the platform lists it. */
export interface Tag {
  id: string
  name: string
  parent_id: string
  parent_name: string
  city_level: string
  tag_class?: 'CATEGORY' | 'KEYWORD'
}

const ROOT = '0'
const LEVELS = ['CITY_LEVEL_FIRST', 'CITY_LEVEL_SECOND', 'CITY_LEVEL_THIRD']
const FIRST_CITIES = ['110000', '310000', '440100', '440300']
/** 省会 and the like: the first city of a province. */
const isSecond = (code: string) => code.endsWith('0100')
const NO_LEVEL = 'CITY_LEVEL_NONE'

function levelOf({ code, level }: Region): string {
  if (FIRST_CITIES.includes(code)) return LEVELS[0] as string
  if (level !== 'CITY') return NO_LEVEL
  return LEVELS[isSecond(code) ? 1 : 2] as string
}

function regionTags(): Tag[] {
  const below = (region: Region, parent: Region | null): Tag[] => [
    {
      id: region.code,
      name: region.name,
      parent_id: parent?.code ?? ROOT,
      parent_name: parent?.name ?? '',
      city_level: levelOf(region),
    },
    ...region.children.flatMap((child) => below(child, region)),
  ]
  return theCountry().children.flatMap((province) => below(province, null))
}

/** 商圈 below their districts, which stand in the list of regions. */
function districtTags(): Tag[] {
  const names = new Map(treeTags('REGION').map(({ id, name }) => [id, name]))
  return businessDistricts().map(({ id, name, region }) => ({
    id,
    name,
    parent_id: region,
    parent_name: names.get(region) ?? '',
    city_level: NO_LEVEL,
  }))
}

const FIRST_INTENTION = 70_000
const INTENTION_SHARE = 0.03
const INTENTION_LEAF = 800_000_000

/** Industries and what people mean to buy of each. */
function intentionTags(): Tag[] {
  let no = FIRST_INTENTION
  return INDUSTRIES.flatMap(({ name, things }) => {
    const parent: Tag = { id: String(no++), name, parent_id: ROOT, parent_name: '', city_level: NO_LEVEL }
    return [
      parent,
      ...things.map((thing) => ({
        id: String(no++),
        name: `${thing}意向`,
        parent_id: parent.id,
        parent_name: name,
        city_level: NO_LEVEL,
      })),
    ]
  })
}

const deviceTags = (): Tag[] =>
  devices().map(({ id, name, brand }) => ({
    id: String(id),
    name,
    parent_id: String(brand?.id ?? ROOT),
    parent_name: brand?.name ?? '',
    city_level: NO_LEVEL,
  }))

const BUILD: Record<(typeof TREE_TYPES)[number], () => Tag[]> = {
  REGION: regionTags,
  BUSINESS_DISTRICT: districtTags,
  INTENTION: intentionTags,
  DEVICE_BRAND_MODEL: deviceTags,
}
const built = new Map<string, readonly Tag[]>()
/** All tags of a type, each after its parent. */
export function treeTags(type: (typeof TREE_TYPES)[number]): readonly Tag[] {
  const tags = built.get(type) ?? BUILD[type]()
  built.set(type, tags)
  return tags
}

const entryTag = ({ id, name }: Entry, parent: Entry | null, tag_class: 'CATEGORY' | 'KEYWORD'): Tag => ({
  id,
  name,
  parent_id: parent?.id ?? ROOT,
  parent_name: parent?.name ?? '',
  city_level: NO_LEVEL,
  tag_class,
})
export const keywordTag = (entry: Entry): Tag => entryTag(entry, null, 'KEYWORD')

/** The categories of a family, each after its parent. */
export function categoryTags(type: FamilyType): readonly Tag[] {
  const below = (category: Category, parent: Category | null): Tag[] => [
    entryTag(category, parent, 'CATEGORY'),
    ...category.children.flatMap((child) => below(child, category)),
  ]
  const tags = built.get(type) ?? categoriesOf(FAMILIES[type]).flatMap((root) => below(root, null))
  built.set(type, tags)
  return tags
}

/** The people with an intention: one of what an industry holds, or any of them; null for an id of none. */
export function withIntention(id: string): Crowd[] | null {
  const tags = treeTags('INTENTION')
  if (!tags.some((tag) => tag.id === id)) return null
  const leaves = tags.filter((tag) => tag.parent_id !== ROOT && (tag.id === id || tag.parent_id === id))
  return leaves.map((leaf) => crowdOf(membersOf(INTENTION_LEAF + Number(leaf.id), INTENTION_SHARE)))
}
