import type { Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/** The two kinds of crowds, and where each is stored. */
export const CROWDS = {
  custom: {
    crowds: 'custom_crowd',
    folders: 'custom_folder',
    audiences: 'custom_id',
    size: 'size',
    what: '自定义人群',
  },
  rule: { crowds: 'people', folders: 'asset_folder', audiences: 'people_id', size: 'magnitude', what: '人群包' },
} as const
/** The source of a crowd: uploaded files, or a rule. */
export type CrowdKind = keyof typeof CROWDS

/** The members version of an uploaded crowd is its version, plus this step for each time it was matched again. */
export const MATCH_STEP = 65_536

/** Called in the transaction in which a crowd's new version comes into force. */
export type OnVersion = (
  tx: Transaction<Database>,
  crowd: { kind: CrowdKind; id: number; version: number },
) => Promise<void>
