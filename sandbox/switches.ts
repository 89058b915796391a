import { z } from 'zod'
import type { Database } from './database.ts'

const rate = z.number().min(0).max(1)
const count = z.int().min(0)

/** Settings for faults and limits. Rates are chances per call. */
export const Switches = z.strictObject({
  /** Setting the seed restarts the same sequence of random choices. */
  seed: z.int().default(1),
  /** Seconds that a file, a publication or a push takes. Files wait for the first fifth of it. */
  processing_seconds: z.number().min(0).default(2),
  /** Chance that a file takes ten times as long. */
  slow_rate: rate.default(0),
  /** Answered with the platform's rate code and headers. */
  throttle_rate: rate.default(0),
  /** HTTP 500, 502 or 503 with a page instead of JSON; the call is not carried out. */
  error_rate: rate.default(0),
  /** The same, but the call is carried out. */
  error_after_rate: rate.default(0),
  /** The platform's own "busy" answer in its envelope; the call is not carried out. */
  busy_rate: rate.default(0),
  /** The connection is cut; the call is not carried out. */
  drop_before_rate: rate.default(0),
  /** The connection is cut instead of an answer; the call is carried out. */
  drop_after_rate: rate.default(0),
  /** No answer for `timeout_seconds`, then the connection is cut; half of these calls are carried out. */
  timeout_rate: rate.default(0),
  timeout_seconds: z.number().min(0).default(30),
  /** Chance that only the first half of a file is taken. */
  half_accept_rate: rate.default(0),
  /** `error`: such a file fails. `short`: it succeeds with half of its lines valid. */
  half_accept_as: z.enum(['error', 'short']).default('error'),
  /** Whether chances apply to token calls too. */
  faults_on_oauth: z.boolean().default(false),
  access_token_seconds: count.default(86_400),
  refresh_token_seconds: count.default(2_592_000),
  /** Social: whether callback addresses with a port are refused. */
  strict_redirect: z.boolean().default(false),
  social_audiences: count.default(500),
  /** Files that an account may send per day; 0: no limit. */
  social_files_per_day: count.default(0),
  /** Calls of the application to one interface per minute; 0: no limit. */
  social_calls_per_minute: count.default(1000),
  /** Targeting that the newer generation opens to some industries alone is taken. */
  social_restricted_targeting: z.boolean().default(true),
  /** Whether changes of stored targetings have limits per account and minute. */
  social_targeting_limits: z.boolean().default(true),
  /** Rows that report calls of the application may match in ten seconds at one level; 0: no limit. */
  social_report_rows: count.default(40_000),
  /** Ad groups of an account that may be switched on; 0: no limit. */
  social_plans: count.default(0),
  video_audiences: count.default(400),
  /** Targeting packages of an account. */
  video_packages: count.default(200),
  /** Projects of an account that are not deleted. */
  video_projects: count.default(200),
  /** Whether a project's name must be free in its account; no document says. */
  video_project_names_unique: z.boolean().default(false),
  /** Plans of a commerce account that may run. */
  commerce_plans: count.default(500),
  video_sources_per_day: count.default(100),
  video_publish_every_seconds: count.default(86_400),
  /** Whether data sources of an account must have different names. */
  video_unique_names: z.boolean().default(true),
  /** Calls to one interface per second, by advertiser and by application; 0: no limit. */
  video_advertiser_qps: count.default(20),
  video_application_qps: count.default(50),
  /** This many of 100 distinct values match a person. */
  coverage_percent: z.int().min(0).max(100).default(70),
})
export type Switches = z.infer<typeof Switches>
export const SwitchChange = z.strictObject(
  Object.fromEntries(Object.entries(Switches.shape).map(([name, type]) => [name, type.unwrap().optional()])),
)

export type SwitchBoard = ReturnType<typeof switchBoard>

/** The switches, stored in the database, and random choices by their chances. */
export function switchBoard(db: Database) {
  let state = Switches.parse(JSON.parse(db.kept('switches') ?? '{}'))
  let draw = generator(state.seed)
  return {
    get now(): Switches {
      return state
    },
    change(change: Record<string, unknown>) {
      state = Switches.parse({ ...state, ...change })
      if (change.seed !== undefined) draw = generator(state.seed)
      db.keep('switches', JSON.stringify(state))
    },
    reset() {
      state = Switches.parse({})
      draw = generator(state.seed)
      db.keep('switches', JSON.stringify(state))
    },
    happens: (chance: number) => chance > 0 && draw() < chance,
    oneOf: <T>(choices: readonly [T, ...T[]]): T => choices[Math.floor(draw() * choices.length)] ?? choices[0],
  }
}

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
