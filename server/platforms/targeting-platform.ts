import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import type { CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import type { PackageTargeting } from '#contract/targeting/packages.ts'
import type { BehaviourWindow, CreatorsAsked, KeywordsAsked } from '#contract/targeting/tag-filter.ts'
import type { LeftOut } from '#contract/targeting/there.ts'
import type { Creator, TagNode } from '#contract/targeting-tags.ts'
import type { StoredTargeting } from '../postgres/schema-targeting.ts'
import type { NameLimit } from './audience-name.ts'
import type { AccountSession, StepHooks } from './audience-platform.ts'

export type TagKind = 'behaviour' | 'interest'

/** Asks for an estimate, with the targeting of the platform's own packages. */
export type ReachOf<T extends PackageTargeting> = (
  account: AccountSession,
  targeting: T,
  goals: EstimateGoals | null,
  on: StepHooks,
) => Promise<number>

/** The estimates of a platform. */
export interface ReachEstimates {
  /** Scopes that the account must have been granted for them. */
  scopes: readonly string[]
  /**
   * How many people a targeting reaches a day. Fault 'refused' for one that the platform cannot estimate. `goals`: what
   * the account's estimates are for.
   */
  of(account: AccountSession, targeting: PackageTargeting, goals: EstimateGoals | null, on: StepHooks): Promise<number>
}

/** The look-ups behind the pickers of targeting. All throw PlatformFault. */
export interface TargetingDictionaries {
  /** Provinces with their cities and districts. */
  regions(account: AccountSession, on: StepHooks): Promise<TagNode[]>
  /** The same with the 商圈 of each district; missing where packages have none. */
  businessDistricts?(account: AccountSession, on: StepHooks): Promise<TagNode[]>
  categories(account: AccountSession, kind: TagKind, window: BehaviourWindow, on: StepHooks): Promise<TagNode[]>
  /** Keywords without children. Asked by ids or words, those that the platform withdrew are missing. */
  keywords(
    account: AccountSession,
    kind: TagKind,
    window: BehaviourWindow,
    asked: KeywordsAsked,
    on: StepHooks,
  ): Promise<TagNode[]>
  /** What people mean to buy; missing where packages have no intentions. */
  intentions?(account: AccountSession, on: StepHooks): Promise<TagNode[]>
  /** `behaviors`: what users did with a creator, for the coverage. Missing, as `creators`, where packages have none. */
  creatorCategories?(account: AccountSession, behaviors: readonly string[], on: StepHooks): Promise<TagNode[]>
  /** Asked by ids, creators who closed their account are missing. `categories` only when asked by a word. */
  creators?(
    account: AccountSession,
    behaviors: readonly string[],
    asked: CreatorsAsked,
    on: StepHooks,
  ): Promise<{ authors: Creator[]; categories: TagNode[] }>
  /** Missing where the platform gives no estimates. */
  reach?: ReachEstimates
  /** Every crowd that the account may use for targeting. */
  crowds(account: AccountSession, on: StepHooks): Promise<CrowdRow[]>
}

/** What a package restricts, as its platform answers it: deeply equal for two packages that mean the same there. */
export type PackageContent = Readonly<Record<string, unknown>>

/** A package as it stands on its platform, made here or elsewhere. */
export interface PlatformPackage {
  targeting_id: string
  name: string
  /** Ends with `packageMark` of its key where it was made here. */
  description: string
  content: PackageContent
  /** What restricts the package there and is in no content, ours included. */
  others: LeftOut[]
  /** Its targeting in the platform's own words; null where the platform gives none. */
  words: string | null
  /** Its crowds that people can no longer be reached by; null where the platform does not tell. */
  lost_crowds: { id: string; name: string }[] | null
  /** How many plans use it; null where the list does not tell. */
  plans: number | null
}

/** What a package is to become on its platform. */
export interface WantedPackage {
  /** Unique for ever: 1 to 64 digits, letters, `_` and `-`. Stands in the description, by which the package is found. */
  key: string
  name: string
  targeting: StoredTargeting
}

/** A plan that a package is bound to, with the platform's own id. */
export interface PackageUse {
  plan_id: string
  name: string
  /** Whether it delivers ads now. */
  live: boolean
}

/**
 * The calls that change a platform's packages. None looks for what an earlier one did: whoever repeats `create` after a
 * lost answer reads the list first. All throw PlatformFault: 'gone' for a package that is not there (any more),
 * 'nameTaken', 'quota', 'inUse'.
 */
export interface PackageWriting {
  /** The longest name. */
  name: NameLimit
  /** Returns the platform's id. */
  create(account: AccountSession, wanted: WantedPackage, on: StepHooks): Promise<string>
  /** Replaces name and targeting; a second call changes nothing. */
  update(account: AccountSession, targeting_id: string, wanted: WantedPackage, on: StepHooks): Promise<void>
  /** Fault 'inUse' while a live plan uses it. */
  delete(account: AccountSession, targeting_id: string, on: StepHooks): Promise<void>
}

/** Packages that a platform keeps, and what it lets us do with them. */
export interface TargetingPackages {
  /** The most packages of an account, those made elsewhere included; null where the platform publishes none. */
  max: number | null
  /** Scopes that the account must have been granted for these calls. */
  scopes: readonly string[]
  /** Every package of the account, over all pages; throws PlatformFault rather than answer a part of them. */
  list(account: AccountSession, on: StepHooks): Promise<PlatformPackage[]>
  /** The content that `list` answers for a targeting. */
  contentOf(targeting: StoredTargeting): PackageContent
  /**
   * The targeting that stands for a content. `kept`: ours, of which choices stay that the platform does not hold and names
   * of what is chosen by its id; null for a package made elsewhere.
   */
  targetingOf(content: PackageContent, kept: StoredTargeting | null): StoredTargeting
  /** The plans that a package is bound to, live or not; null where the platform does not tell which. */
  use: ((account: AccountSession, targeting_id: string, on: StepHooks) => Promise<PackageUse[]>) | null
  /** Null where packages can only be read: ours are then only kept here. */
  writing: PackageWriting | null
}

const MARK = /〔([0-9A-Za-z_-]{1,64})〕$/
/** The end of the description of a package that was made here. */
export const packageMark = (key: string) => `〔${key}〕`
/** The key in a description; null for one without. */
export const packageKeyOf = (description: string): string | null => MARK.exec(description)?.[1] ?? null
