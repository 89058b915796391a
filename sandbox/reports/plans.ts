import type { Database } from '../database.ts'

export interface ReportedPlan {
  id: string
  /** Its number in the account, the oldest first. */
  no: number
  /** The day on which it was made, as `dayOf`; there are no rows before it. */
  since: number
}

type MadePlan = Omit<ReportedPlan, 'no'>

/** Plans that an account once had: its lists no longer show them, and its reports know them for ever. */
const OLD_PLANS = 3
const FIRST_ID = 7_500_000_000_000_001n
/** More than any test asks for. */
export const OLD_PLANS_MAX = 20_000

const settingOf = (account_id: string) => `reported plans ${account_id}`

/** Sets how many old plans an account has. */
export const setOldPlans = (db: Database, account_id: string, count: number) =>
  db.keep(settingOf(account_id), String(count))

/**
 * The plans that reports of an account know: the old ones, whose ids follow from the account's, and those that calls made.
 * A later plan keeps its number whatever the number of the old ones is.
 */
export function plansOf(db: Database, account_id: string, made: readonly MadePlan[]): ReportedPlan[] {
  const count = Number(db.kept(settingOf(account_id)) ?? OLD_PLANS)
  // Accounts have every second id, so the last five digits tell them apart.
  const first = FIRST_ID + (BigInt(account_id) % 100_000n) * 10_000_000n
  const old = Array.from({ length: count }, (_, no) => ({ id: String(first + BigInt(no) * 2n), no, since: 0 }))
  return [...old, ...made.map(({ id, since }, at) => ({ id, no: at % 3, since }))]
}
