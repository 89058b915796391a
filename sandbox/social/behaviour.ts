import type { Json } from '../json.ts'
import { entryOf, keywordNamed } from '../population/categories.ts'
import { draw } from '../population/draw.ts'
import { both, type Crowd, either, everyone, nobody } from '../population/population.ts'
import { holdersOf, type Window } from '../population/reach.ts'
import { Refusal } from './envelope.ts'
import { FAMILIES, type FamilyType, withIntention } from './tags.ts'
import { codeAt, codesAt, eachAt, idAt, type JsonObject, listAt, objectAt, textAt } from './values.ts'

const CATEGORIES_MOST = 250
/** Not published; the look-up that verifies keywords takes as many. */
const KEYWORDS_MOST = 250
const SCENES = { ALL: [], APP: ['APP'], ECOMMERCE: ['E-COMMERCE'], INFORMATION: ['NEWS'] } as const
const WINDOWS = {
  SEVEN_DAY: 7,
  FIFTEEN_DAY: 15,
  THIRTY_DAY: 30,
  THREE_MONTH: 90,
  SIX_MONTH: 180,
  ONE_YEAR: 365,
} as const
const INTENSITIES = ['BEHAVIOR_INTEREST_INTENSITY_ALL', 'BEHAVIOR_INTEREST_INTENSITY_HIGH'] as const
const prefixed = (prefix: string, names: object) => Object.keys(names).map((name) => prefix + name)
const SCENE = 'BEHAVIOR_INTEREST_SCENE_'
const WINDOW = 'BEHAVIOR_INTEREST_TIME_WINDOW_'
const CHOICES = ['category_id_list', 'keyword_list', 'targeting_tags']
const DEFAULT_DAYS = 30
/** Those who do most things with intensity. */
const INTENSE = 0.35
const INTENSE_KEY = 0x1e57

type Reach = () => Crowd
const union = (crowds: readonly Crowd[]): Crowd => crowds.reduce(either, nobody())

/** `behavior_or_interest`: anyone with one of the behaviours, interests or intentions. */
export function behaviourAt(value: Json, path: string): Reach {
  const given = objectAt(value, path, ['interest', 'behavior', 'intention'])
  const parts: Reach[] = []
  if (given.interest !== undefined) {
    const at = `${path}.interest`
    const chosen = chosenAt('INTEREST', objectAt(given.interest, at, CHOICES), at)
    parts.push(() => chosen({ days: DEFAULT_DAYS, scenes: [] }))
  }
  if (given.behavior !== undefined) {
    const at = `${path}.behavior`
    const [one] = listAt(given.behavior, at, { most: 1 })
    parts.push(doingAt(one as Json, `${at}[0]`))
  }
  if (given.intention !== undefined) {
    const at = `${path}.intention`
    const { targeting_tags } = objectAt(given.intention, at, ['targeting_tags'])
    if (targeting_tags === undefined) throw new Refusal(18001, [`${at}.targeting_tags`])
    const crowds = eachAt(targeting_tags, `${at}.targeting_tags`, { most: CATEGORIES_MOST }, idAt).map((id) => {
      const found = withIntention(id)
      if (!found) throw new Refusal(31002, [`${at}.targeting_tags`], id)
      return found
    })
    parts.push(() => union(crowds.flat()))
  }
  if (parts.length === 0) throw new Refusal(18001, [`${path}.behavior`, `${path}.interest`, `${path}.intention`])
  return () => union(parts.map((reach) => reach()))
}

function doingAt(value: Json, path: string): Reach {
  const given = objectAt(value, path, [...CHOICES, 'scene', 'time_window', 'intensity'])
  const chosen = chosenAt('BEHAVIOR', given, path)
  const scenes =
    given.scene === undefined ? [`${SCENE}ALL`] : codesAt(given.scene, `${path}.scene`, prefixed(SCENE, SCENES), 3)
  const window =
    given.time_window === undefined
      ? `${WINDOW}THIRTY_DAY`
      : codeAt(given.time_window, `${path}.time_window`, prefixed(WINDOW, WINDOWS))
  const [intensity] = given.intensity === undefined ? [] : codesAt(given.intensity, `${path}.intensity`, INTENSITIES, 1)
  const names = scenes.map((scene) => scene.slice(SCENE.length) as keyof typeof SCENES)
  return () => {
    const doing = chosen({
      days: WINDOWS[window.slice(WINDOW.length) as keyof typeof WINDOWS],
      scenes: names.includes('ALL') ? [] : names.flatMap((name) => SCENES[name]),
    })
    if (intensity !== INTENSITIES[1]) return doing
    return both(
      doing,
      everyone((person) => draw(INTENSE_KEY, person) / 2 ** 32 < INTENSE),
    )
  }
}

/** Categories by id, keywords by their text, and the mixed form of both. A keyword that was withdrawn reaches nobody. */
function chosenAt(type: FamilyType, given: JsonObject, path: string): (window: Window) => Crowd {
  const family = FAMILIES[type]
  const read = <T>(name: string, most: number, reader: (one: Json, at: string) => T): T[] =>
    given[name] === undefined ? [] : eachAt(given[name], `${path}.${name}`, { most }, reader)
  const categories = read('category_id_list', CATEGORIES_MOST, idAt).map((id) => {
    const entry = entryOf(family, 'CATEGORY', id)
    if (!entry) throw new Refusal(31002, [`${path}.category_id_list`], id)
    return entry
  })
  const words = read('keyword_list', KEYWORDS_MOST, (one, at) => textAt(one, at, 1, 64))
  const mixed = read('targeting_tags', CATEGORIES_MOST, (one, at) => textAt(one, at, 1, 64))
  if (categories.length + words.length + mixed.length === 0) {
    throw new Refusal(
      18001,
      CHOICES.map((name) => `${path}.${name}`),
    )
  }
  const named = [...words, ...mixed].flatMap(
    (text) => entryOf(family, 'CATEGORY', text) ?? keywordNamed(family, text) ?? [],
  )
  return (window) => union([...categories, ...named].map((entry) => holdersOf(family, entry, window)))
}
