import type { ComponentType } from 'react'
import type { Outcome } from '#contract/outcome.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'

/** What is wrong with a field in a tab. */
export interface FieldFault {
  tab: string
  field: string
  reason: Outcome
}

/** The fields above the tabs. */
export type BaseField = 'targeting_name' | 'invalid_time' | 'dir_id' | 'landing_type'

/** A line of the chosen targeting. */
export interface WordsLine {
  tab: string
  field: string
  label: string
  words: readonly string[]
  /** The platform no longer accepts it, so it is not sent. */
  isWithdrawn: boolean
}

/** What narrows the reach. */
export interface Dimension<F> {
  label: string
  /** The form without it. */
  without: F
  /** Smart expansion may reach people outside of it. */
  isOpened: boolean
}

/**
 * What the editor of a platform's packages is made of; the shell and the shared pickers know nothing else about it. Rules
 * of the form are the contract's.
 */
export interface EditorDefinition<F> {
  platform: PackageCode
  /** In the order of the screen. */
  tabs: readonly { key: string; label: string }[]
  /** Where a package opens that lost a crowd. */
  crowdTab: string
  fields: Readonly<Record<string, { tab: string; label: string }>>
  /** The fields of one tab. */
  TabFields: ComponentType<{ tab: string }>

  emptyForm(): F
  formOf(targeting: Readonly<Record<string, unknown>>): F
  savedTargeting(form: F): Record<string, unknown>
  /** The form after a viewer changed some of its fields, with what this clears and sets in others. */
  changed(form: F, change: Partial<F>): F
  isShown(field: string, form: F): boolean
  /** Beside a field's label, such as 平台已停用; null for most. */
  labelNote(field: string): string | null

  /** The form under a package type, without what the type rules out; null on a platform without types. */
  withType(form: F, type: string | null): F
  /** The chosen package type in words. */
  typeWords(form: F): string | null

  baseFaults(base: { targeting_name: string; dir_id: number | null }, form: F): { field: BaseField; reason: Outcome }[]
  /** `hasNoCrowds`: the account has no crowd to choose. */
  faults(form: F, known: { hasNoCrowds?: boolean }): readonly FieldFault[]
  /** The first tab with a fault, and what is said when it opens. */
  firstFault(faults: readonly FieldFault[]): { tab: string; reason: Outcome } | null

  /** The chosen targeting by the names of the time of choosing. */
  words(form: F): readonly WordsLine[]
  /** A hook: the same by the names that the platform has now. */
  useWords(form: F): readonly WordsLine[]
  /** Beside a package that can be saved all the same. */
  notes(form: F): readonly Outcome[]
  /** What narrows the reach, each with the form that leaves it out. */
  dimensions(form: F): readonly Dimension<F>[]
  /** Beside the reach: what smart expansion means for it; null where it is off, or the platform has none. */
  expansionNote(form: F): Outcome | null
  /** Asks what the account's estimates are for; null where the platform needs nothing. */
  GoalsDialog: ComponentType<{ onClose: () => void }> | null
}
