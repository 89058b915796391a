import type { PlatformFaultKind } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { type HoldScope, refusedWith, type Verdict } from '../call.ts'
import { untilNextDay } from '../platform-day.ts'

interface Meaning {
  kind: PlatformFaultKind
  /** Seconds. */
  wait?: number | 'nextDay'
  hold?: HoldScope
  again?: 'token'
  /** The token itself is refused, which all accounts of its login share. */
  isOfToken?: true
  /** True if the call may have been carried out. */
  isUncertain?: true
}

const unauthorised: Meaning = { kind: 'unauthorised' }

/** Calls beyond the application's rate are all refused for this long, seconds. */
const PENALTY = 300

/** 40100 and 40110 count the whole application's calls of an interface, 40130 one advertiser's. */
const MEANINGS: Record<number, Meaning> = {
  40002: unauthorised,
  40100: { kind: 'later', wait: 300, hold: 'interface' },
  40102: { kind: 'unauthorised', again: 'token' },
  40103: unauthorised,
  40104: { kind: 'unauthorised', isOfToken: true },
  40105: { kind: 'unauthorised', isOfToken: true },
  40107: unauthorised,
  40110: { kind: 'later', wait: PENALTY, hold: 'interface' },
  40113: { kind: 'configuration' },
  40115: unauthorised,
  40118: { kind: 'refused' },
  40119: { kind: 'refused' },
  40130: { kind: 'later', wait: 60, hold: 'account' },
  50000: { kind: 'later', wait: 10, isUncertain: true },
  50001: { kind: 'later', wait: 30 },
  50002: { kind: 'later', wait: 30 },
}

/**
 * Nearly all business refusals have the same code; only their messages differ. The first match counts. No list of the
 * messages is published; an unknown one is a plain refusal in the platform's own words.
 */
export const BUSINESS = 40000
const WORDS: readonly (readonly [RegExp, Meaning])[] = [
  [
    /名称.{0,12}(重复|已存在|被占用|已被使用)|(重复|已存在).{0,6}名称|name.{0,30}(duplicat|exist|taken)/i,
    { kind: 'nameTaken' },
  ],
  [/24\s*(个)?(小时|h)|发布.{0,12}(一次|频繁)|publish.{0,30}(once|24)/i, { kind: 'notYet' }],
  [/每[日天]|当[日天]|今[日天]|一天|daily|per day/i, { kind: 'notYet', wait: 'nextDay' }],
  [/正在.{0,8}(使用|投放)|使用中|被.{0,20}(使用|引用|绑定)|in use|being used/i, { kind: 'inUse' }],
  [/(超过|超出|达到|已满).{0,12}(上限|限制|数量|额度|配额)|配额|上限|quota/i, { kind: 'quota' }],
  [
    /(人群|定向包|数据源|项目|计划|audience|source).{0,12}(不存在|已(被)?删除|not (be )?(found|exist))/i,
    { kind: 'gone' },
  ],
  [/(处理|解析|计算|发布|推送)中|正在(处理|解析|计算|发布|推送)|稍后|processing|busy/i, { kind: 'later', wait: 60 }],
]

/** The meaning of a non-zero code for the call. `asked`: seconds that the answer's headers ask to wait. */
export function verdictOf(
  { code, message }: { code: number; message?: string | null | undefined },
  { now, asked }: { now: number; asked: number | null },
): Verdict {
  const said = message || null
  const meaning =
    MEANINGS[code] ??
    (code === BUSINESS ? WORDS.find(([words]) => words.test(said ?? ''))?.[1] : undefined) ??
    ({ kind: 'refused' } satisfies Meaning)
  const wait = meaning.wait === 'nextDay' ? untilNextDay(now) : meaning.wait
  const retryAfter = asked ?? wait ?? null
  // The platform gives no wait, so ours grows with each refusal.
  const grows = asked === null && meaning.kind === 'later'
  const fault = new PlatformFault(meaning.kind, refusedWith(said, code), {
    code,
    retryAfter,
    isUncertain: meaning.isUncertain ?? false,
  })
  return {
    fault,
    ...(meaning.again && { again: meaning.again }),
    ...(meaning.isOfToken && { isOfToken: true as const }),
    ...(meaning.hold &&
      retryAfter !== null && { hold: { scope: meaning.hold, seconds: retryAfter, ...(grows && { grows }) } }),
  }
}
