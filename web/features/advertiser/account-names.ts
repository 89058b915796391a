import { accountBareName } from '#contract/advertiser.ts'

/** This many names are listed; the rest is counted. */
const NAMED_MAX = 8

/** Accounts by name and id; `more` follows the id. */
export function namesOf<T extends { name: string; external_id: string }>(
  accounts: readonly T[],
  more: (account: T) => string = () => '',
) {
  const named = accounts
    .slice(0, NAMED_MAX)
    .map((one) => `${accountBareName(one.name, one.external_id)}（${one.external_id}${more(one)}）`)
  return `${named.join('、')}${accounts.length > NAMED_MAX ? ` 等 ${accounts.length} 个` : ''}`
}
