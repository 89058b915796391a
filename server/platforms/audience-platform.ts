import type { IdentifierType } from '#contract/identifier.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AudienceCode, AudienceLimits } from '#contract/platform.ts'

/** A live authorisation of one account; the token is asked for at each call, since it may have been refreshed meanwhile. */
export interface AccountSession {
  /** Our id of the platform account. */
  account_id: number
  /** The platform's own id of it: text, 64-bit. */
  external_id: string
  /** A token that is valid now; throws PlatformFault 'unauthorised' when only a person can help. */
  token(): Promise<string>
  /** Called when the platform says that the token it was given has expired: the next `token()` is another one. */
  tokenExpired(token: string): Promise<void>
  /** Called when the platform takes neither the token nor the account any more, and only a person can help. */
  refused?(reason: AnyOutcome): Promise<void>
}

/** The form in which values of a type are sent, and how each value is changed before. */
export interface SendForm {
  /** The platform's own name or number of the form. */
  wire: string
  /** How a stored value (lower-case hex, or the plain text) is changed. */
  transform: 'none' | 'md5' | 'md5_lower' | 'md5_no_colon'
}

export interface AudienceState {
  status: 'computing' | 'available' | 'failed' | 'expired' | 'frozen'
  reason: AnyOutcome | null
  /** Identifiers that the platform says it received and could read; null when it does not say (yet). */
  accepted: number | null
  /** People it covers; null while it computes. */
  covered: number | null
  /** What must still happen before it can be used; the push then calls `advance`. */
  pending: 'data' | 'publish' | 'push' | null
  /** Epoch seconds before which `advance` would be refused (once-a-day publishing); null when at once. */
  not_before: number | null
}

/** What a call sent and was answered, kept per part; secrets are left out, bodies are cut short. */
export interface CallSample {
  at: number
  method: string
  path: string
  request: string
  status: number | null
  answer: string
  took_ms: number
}

/** The part of a push that one upload carries. Its values never change once it is planned. */
export interface Part {
  /** Unique for ever: 1 to 64 digits, letters, `_` and `-`. It names the file, and makes the platform's idempotency key. */
  key: string
  op: 'add' | 'remove'
  count: number
  /** The values in the form they are sent, in batches; may be read again from the start. */
  values(): AsyncIterable<readonly string[]>
}

/** The platform's ids of an audience, as far as known; stored after every step. */
export interface AudienceRef {
  audience_id: string | null
  /** Video: the data source behind it. */
  source_id: string | null
}

/** A platform that takes audiences: its adapter, with its number and limits from PLATFORMS. */
export interface AudiencePlatform extends AudienceAdapter {
  code: AudienceCode
  limits: AudienceLimits
}

/**
 * What a push does with one audience on a platform. Each step may be called again after a crash: it looks for what it
 * would make, by key or name, before it makes it, so that nothing is made twice. All throw PlatformFault.
 */
export interface AudienceAdapter {
  /** Platforms that parse files before there is an audience take the data first. */
  order: 'audience-first' | 'data-first'
  /** Null with a reason why values of the type cannot be sent. */
  formOf(type: IdentifierType): { form: SendForm; reason: null } | { form: null; reason: AnyOutcome }
  /** Sends a part's file; answers a receipt that `ensureAudience` (data first) or `applied` asks for. */
  sendPart(account: AccountSession, ref: AudienceRef, type: IdentifierType, part: Part, on: StepHooks): Promise<string>
  /**
   * Makes the audience, or finds the one that an earlier call made under the same key. `receipts` where data come first.
   * The key: 1 to 128 digits, letters and `_`. Fault 'nameTaken' when an audience under another key has the name.
   */
  ensureAudience(
    account: AccountSession,
    wanted: { key: string; name: string; description: string; type: IdentifierType; receipts: readonly string[] },
    on: StepHooks,
  ): Promise<AudienceRef>
  /**
   * The audience that an earlier call made under the key, whose answer was lost; makes none. Where data come first a
   * platform may not show it before it has read them.
   */
  findAudience(
    account: AccountSession,
    wanted: { key: string; name: string },
    on: StepHooks,
  ): Promise<AudienceRef | null>
  /** Data-first platforms, an existing audience: has it take over uploaded parts of one op. Others do nothing. */
  applyParts(
    account: AccountSession,
    ref: AudienceRef,
    change: { key: string; op: 'add' | 'remove'; receipts: readonly string[] },
    on: StepHooks,
  ): Promise<void>
  /** How a sent part fares: counts as the platform gives them. */
  partState(
    account: AccountSession,
    ref: AudienceRef,
    receipt: string,
    on: StepHooks,
  ): Promise<{ state: 'waiting' | 'done' | 'failed'; accepted: number | null; reason: AnyOutcome | null }>
  look(account: AccountSession, ref: AudienceRef, on: StepHooks): Promise<{ ref: AudienceRef; state: AudienceState }>
  /** Publishes or pushes an audience that waits for it; a second call does nothing. */
  advance(account: AccountSession, ref: AudienceRef, on: StepHooks): Promise<void>
  /** Renames an audience; a second call does nothing. The video engine has no such call. */
  rename?(account: AccountSession, ref: AudienceRef, name: string, on: StepHooks): Promise<void>
  /** Throws PlatformFault 'inUse' when an ad or another audience uses it; a missing audience counts as deleted. */
  remove(account: AccountSession, ref: AudienceRef, on: StepHooks): Promise<void>
  /** Audiences that the account has now, for its quota. */
  countAudiences(account: AccountSession, on: StepHooks): Promise<number>
}

export interface StepHooks {
  signal: AbortSignal
  /** Called with every call that was made. */
  sample(sample: CallSample): void
}

export type PlatformFaultKind =
  /** Only a new authorisation helps: the push pauses and resumes by itself after it. */
  | 'unauthorised'
  /** Try again after `retry_after` seconds: throttled, busy, the network, 5xx. */
  | 'later'
  /** The day's or the audience's limit: not before `not_before`. */
  | 'notYet'
  | 'nameTaken'
  | 'quota'
  | 'inUse'
  | 'gone'
  /** The platform will never take this as it is: ends the push with the platform's own words. */
  | 'refused'
  /** Our mistake or our configuration. */
  | 'configuration'

/** A platform refused or did not answer; `kind` says what can be done about it. */
export class PlatformFault extends Error {
  readonly kind: PlatformFaultKind
  readonly outcome: AnyOutcome
  readonly code: number | string | null
  readonly retryAfter: number | null
  /** True when the call may have been carried out all the same (a time-out, a dropped connection). */
  readonly isUncertain: boolean
  constructor(
    kind: PlatformFaultKind,
    outcome: AnyOutcome,
    more: { code?: number | string | null; retryAfter?: number | null; isUncertain?: boolean; cause?: unknown } = {},
  ) {
    super(sentenceOf(outcome), { cause: more.cause })
    this.name = 'PlatformFault'
    this.kind = kind
    this.outcome = outcome
    this.code = more.code ?? null
    this.retryAfter = more.retryAfter ?? null
    this.isUncertain = more.isUncertain ?? false
  }
}
