import type { IdentifierType } from '#contract/identifier.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AudienceCode, AudienceLimits } from '#contract/platform.ts'
import type { SendTransform } from '../identifiers/forms-sql.ts'
import type { CallSample } from '../postgres/schema-custom.ts'

/** An account's current authorisation. The token is requested for each call, since it may have been refreshed. */
export interface AccountSession {
  /** Our id for the platform account. */
  account_id: number
  /** The platform's own id for it: 64 bits, as text. */
  external_id: string
  /** A currently valid token; throws PlatformFault 'unauthorised' if only a person can help. */
  token(): Promise<string>
  /** Called when the platform says that the token has expired; the next `token()` returns another one. */
  tokenExpired(token: string): Promise<void>
  /**
   * Called when the platform no longer accepts the authorisation and only a person can help. `token`: the one that it
   * refused, for every account that shares it; null if it refused the account alone.
   */
  refused?(reason: AnyOutcome, token: string | null): Promise<void>
}

/** The form in which values of a type are sent, and how each value is converted. */
export interface SendForm {
  /** The platform's own name or number for the form. */
  wire: string
  transform: SendTransform
}

export interface AudienceState {
  status: 'computing' | 'available' | 'failed' | 'expired' | 'frozen'
  reason: AnyOutcome | null
  /** Identifiers that the platform reports as received and readable; null while it does not report any. */
  accepted: number | null
  /** People it covers; null while it computes. */
  covered: number | null
  /** The step still needed before the audience can be used; the push then calls `advance`. */
  pending: 'data' | 'publish' | 'push' | null
  /** Epoch seconds before which `advance` would be refused (publishing once a day); null if it can be called now. */
  not_before: number | null
  /** The platform says that nothing was ever brought into it. */
  isEmpty?: boolean
}

/** The part of a push that one upload sends. Its values never change once it is planned. */
export interface Part {
  /**
   * Unique for ever: 1 to 64 digits, letters, `_` and `-`. Used as the file's name and for the platform's idempotency
   * key.
   */
  key: string
  op: 'add' | 'remove'
  count: number
  /** The values as they are sent, in batches; can be read again from the start. */
  values(): AsyncIterable<readonly string[]>
}

/** The platform's ids for an audience, as far as known; stored after every step. */
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
 * The steps of a push with one audience on a platform. Each step may be called again after a crash, so before it creates
 * something it looks for it by key or name; nothing is created twice. All throw PlatformFault.
 */
export interface AudienceAdapter {
  /** Whether the data is sent before the audience is created, for platforms that parse files first. */
  order: 'audience-first' | 'data-first'
  /** The form in which values of a type are sent; null, with the reason, if they cannot be sent. */
  formOf(type: IdentifierType): { form: SendForm; reason: null } | { form: null; reason: AnyOutcome }
  /** Sends a part's file; returns a receipt for `ensureAudience` (data first) or `applied`. */
  sendPart(account: AccountSession, ref: AudienceRef, type: IdentifierType, part: Part, on: StepHooks): Promise<string>
  /**
   * Creates the audience, or finds the one that an earlier call created under the same key. `receipts` only where data
   * comes first. The key: 1 to 128 digits, letters and `_`. Fault 'nameTaken' if an audience with another key has the name.
   */
  ensureAudience(
    account: AccountSession,
    wanted: { key: string; name: string; description: string; type: IdentifierType; receipts: readonly string[] },
    on: StepHooks,
  ): Promise<AudienceRef>
  /**
   * The audience that an earlier call created under the key, if that call's answer was lost; creates none. Where data
   * comes first, a platform may not list the audience before it has read the data.
   */
  findAudience(
    account: AccountSession,
    wanted: { key: string; name: string },
    on: StepHooks,
  ): Promise<AudienceRef | null>
  /** Where data comes first: applies uploaded parts of one op to an existing audience. Others do nothing. */
  applyParts(
    account: AccountSession,
    ref: AudienceRef,
    change: { key: string; op: 'add' | 'remove'; receipts: readonly string[] },
    on: StepHooks,
  ): Promise<void>
  /** The state of a sent part, with the platform's counts. */
  partState(
    account: AccountSession,
    ref: AudienceRef,
    receipt: string,
    on: StepHooks,
  ): Promise<{ state: 'waiting' | 'done' | 'failed'; accepted: number | null; reason: AnyOutcome | null }>
  readAudience(
    account: AccountSession,
    ref: AudienceRef,
    on: StepHooks,
  ): Promise<{ ref: AudienceRef; state: AudienceState }>
  /** Publishes or pushes an audience that is ready for it; a second call does nothing. */
  advance(account: AccountSession, ref: AudienceRef, on: StepHooks): Promise<void>
  /** Renames an audience; a second call does nothing. The video engine has no such call. */
  rename?(account: AccountSession, ref: AudienceRef, name: string, on: StepHooks): Promise<void>
  /** Throws PlatformFault 'inUse' if an ad or another audience uses it; a missing audience counts as deleted. */
  remove(account: AccountSession, ref: AudienceRef, on: StepHooks): Promise<void>
  /** The number of audiences in the account, for its quota. */
  countAudiences(account: AccountSession, on: StepHooks): Promise<number>
}

export interface StepHooks {
  signal: AbortSignal
  /** Called after each call. */
  sample(sample: CallSample): void
}

export type PlatformFaultKind =
  /** Only a new authorisation helps; after it the paused push continues by itself. */
  | 'unauthorised'
  /** Retry after `retry_after` seconds: throttled, busy, a network error, 5xx. */
  | 'later'
  /** A limit per day or per audience: retry not before `not_before`. */
  | 'notYet'
  | 'nameTaken'
  | 'quota'
  | 'inUse'
  | 'gone'
  /** The platform will never accept this: ends the push with the platform's own words. */
  | 'refused'
  /** A mistake in our code or configuration. */
  | 'configuration'

/** A refusal or a missing answer of a platform; `kind` says what can be done about it. */
export class PlatformFault extends Error {
  readonly kind: PlatformFaultKind
  readonly outcome: AnyOutcome
  readonly code: number | string | null
  readonly retryAfter: number | null
  /** True if the call may have been carried out nevertheless (a timeout, a dropped connection). */
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
