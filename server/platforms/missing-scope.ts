import { covers } from '#contract/advertiser.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { type PlatformCode, platformInfo } from '#contract/platform.ts'

interface Account {
  name: string
  platform: number
  scope_list: readonly string[]
}

/** Why an account was not granted these scopes, or those of its platform's tab; null when it was. */
export function missingScope({ name, platform, scope_list }: Account, needed?: readonly string[]): AnyOutcome | null {
  const code = platform as PlatformCode
  const scopes = needed ?? platformInfo(code).scopes
  if (covers(scope_list, scopes)) return null
  return outcome('targeting_scope_missing', { account: name, platform: code, scopes: [...scopes] })
}
