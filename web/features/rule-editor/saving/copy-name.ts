import { NAME_MAX } from '#contract/common.ts'

const SUFFIX = '-副本'

/** A name to start from for a copy, within the limit of names. */
export const copyName = (name: string): string => [...name].slice(0, NAME_MAX - SUFFIX.length).join('') + SUFFIX
