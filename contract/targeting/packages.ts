import type { Outcome } from '../outcome.ts'
import { type Platform, type PlatformCode, platformOfCode } from '../platform.ts'
import { TABS as FIVE_TABS } from './five-tab/fields.ts'
import { formOf as fiveTabFormOf } from './five-tab/form.ts'
import { labelOf } from './five-tab/labels.ts'
import { optionGroups as fiveTabOptions, type OptionGroup } from './five-tab/options.ts'
import { codesOf, type FiveTabPlatform } from './five-tab/platforms.ts'
import { readTargeting as readFiveTab } from './five-tab/read.ts'
import type { FiveTabTargeting } from './five-tab/schema.ts'
import { targetingWords as fiveTabWords } from './five-tab/words.ts'
import type { FaultPlace } from './read-wire.ts'
import { TABS as SOCIAL_TABS } from './social/fields.ts'
import { formOf as socialFormOf } from './social/form.ts'
import { optionGroups as socialOptions } from './social/options.ts'
import { readTargeting as readSocial } from './social/read.ts'
import type { SocialTargeting } from './social/schema.ts'
import { targetingWords as socialWords } from './social/words.ts'
import type { KeywordKey } from './tag-filter.ts'

/** A targeting as its platform's editor saves it. */
export type PackageTargeting = FiveTabTargeting | SocialTargeting
/** One that was saved, as it comes from the database or the wire. */
type Stored = Readonly<Record<string, unknown>>

type Read =
  | { targeting: PackageTargeting; refusal: null }
  | { targeting: null; refusal: Outcome; at: FaultPlace | null }

/** One line of a package in words, under the tab of its editor. */
export interface PackageLine {
  tab: string
  tabLabel: string
  field: string
  label: string
  words: string[]
  isWithdrawn: boolean
}

interface Rules {
  read(given: unknown): Read
  words(stored: Stored): PackageLine[]
  options(): OptionGroup[]
  landingTypes: readonly { value: string; label: string }[]
  /** Whether an estimate is for goals that are set for the account. */
  needsGoals: boolean
  keywordKey: KeywordKey
}

/** What was saved was read by these rules before. */
const saved = <T extends PackageTargeting>(stored: Stored) => stored as T

function fiveTab(platform: FiveTabPlatform): Rules {
  return {
    read: (given) => readFiveTab(platform, given),
    words: (stored) =>
      fiveTabWords(platform, fiveTabFormOf(platform, saved<FiveTabTargeting>(stored))).map((line) => ({
        ...line,
        tabLabel: FIVE_TABS[line.tab],
      })),
    options: () => fiveTabOptions(platform),
    landingTypes: codesOf(platform, 'landing_type').map((value) => ({ value, label: labelOf('landing_type', value) })),
    needsGoals: platform === 'commerce',
    keywordKey: 'ids',
  }
}

/** Of each platform whose packages the console keeps. */
const RULES: Partial<Record<Platform, Rules>> = {
  social: {
    read: readSocial,
    words: (stored) =>
      socialWords(socialFormOf(saved<SocialTargeting>(stored))).map((line) => ({
        ...line,
        tabLabel: SOCIAL_TABS[line.tab],
      })),
    options: socialOptions,
    landingTypes: [],
    needsGoals: false,
    keywordKey: 'words',
  },
  video: fiveTab('video'),
  commerce: fiveTab('commerce'),
}

function rulesOf(code: PlatformCode): Rules {
  const rules = RULES[platformOfCode(code)]
  if (!rules) throw new Error(`platform ${code} has no targeting packages`)
  return rules
}

/**
 * Reads a targeting as a caller sent it, an object or its JSON text, with the rules of its platform's editor: the targeting
 * that may be saved, or the first thing that is wrong with it.
 */
export const readPackage = (code: PlatformCode, given: unknown): Read => rulesOf(code).read(given)

/** A saved targeting in words: one line for each field that restricts it, in the order of the tabs. */
export const packageWords = (code: PlatformCode, targeting: Stored): PackageLine[] => rulesOf(code).words(targeting)

/** The static choices of a platform's fields. */
export const packageOptions = (code: PlatformCode): OptionGroup[] => rulesOf(code).options()

/** The package types of a platform; none where it has no types. */
export const landingTypes = (code: PlatformCode): readonly { value: string; label: string }[] =>
  rulesOf(code).landingTypes

export const needsGoals = (code: PlatformCode): boolean => rulesOf(code).needsGoals

/** What the keywords of a platform are known by. */
export const keywordKey = (code: PlatformCode): KeywordKey => rulesOf(code).keywordKey
