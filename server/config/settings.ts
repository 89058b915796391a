import { resolve } from 'node:path'
import { z } from 'zod'
import { keysOf } from '#contract/common.ts'
import { PLATFORMS, type Platform } from '#contract/platform.ts'
import { StartError } from '../start-error.ts'
import { isAddressOrRange, LOOPBACK } from './address-list.ts'
import { memory } from './memory.ts'

/** A platform's variable, such as PLATFORM_SOCIAL_URL. */
const variableOf = (platform: Platform, part: 'URL' | 'APP_ID' | 'SECRET') =>
  `PLATFORM_${platform.toUpperCase()}_${part}`

const url = (what: string, ...protocols: string[]) =>
  z
    .string()
    .refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), {
      error: `要写成 ${what}`,
    })
    .optional()

const timezone = z.string().transform((name, { addIssue }) => {
  const spelled = timezoneName(name)
  if (spelled) return spelled
  addIssue('不是时区名，例如 Asia/Shanghai')
  return z.NEVER
})

/** Ambiguous abbreviations are refused: CST is Chicago in Node, but Shanghai to users here. */
const AMBIGUOUS = /^(?!UTC|GMT|PRC)[a-z]{3}$/i

/** The name as the warehouse, which is case-sensitive, knows it; undefined if it is not a name (such as `+08:00`). */
export function timezoneName(name: string): string | undefined {
  if (/^[+-]/.test(name) || AMBIGUOUS.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const UNITS = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 } as const

/** `512M`, `4G`, or plain bytes. */
const bytes = z
  .string()
  .regex(/^\d+(\.\d+)?[KMG]?B?$/i, { error: '要写成大小，例如 512M 或 4G' })
  .transform((text) => {
    const unit = /[KMG]/i.exec(text)?.[0].toUpperCase() as keyof typeof UNITS | undefined
    return Math.floor(Number.parseFloat(text) * (unit ? UNITS[unit] : 1))
  })

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `要写成 ${least} 到 ${most} 的整数` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `要写成 ${least} 到 ${most} 的整数` })

const choice = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `只能是 ${values.join('、')}` })

const origin = z.string().refine((text) => URL.parse(text)?.origin === text && /^https?:/.test(text), {
  error: '要写成来源，用逗号分隔，例如 https://ads.example.com',
})

/** A list separated by commas. */
const origins = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .pipe(z.array(origin))

/** Addresses and ranges, separated by commas. */
const addresses = z
  .string()
  .default(LOOPBACK.join(','))
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z.string().refine(isAddressOrRange, { error: '要写成地址或网段，用逗号分隔，例如 10.0.0.5,172.16.0.0/12' }),
    ),
  )

/** The console is served at the root of its origin, so a path or query would be lost. */
const publicUrl = url('http://… 或 https://…', 'http:', 'https:').refine(
  (text) => {
    const at = URL.parse(text ?? '')
    return !at || (at.pathname === '/' && !at.search && !at.hash && !at.username)
  },
  { error: '只写到主机与端口，例如 https://ads.example.com，不能带路径' },
)

/** Read by computed names below, so the type needs no keys. */
const PlatformVariables: Record<never, z.ZodType> = Object.fromEntries(
  keysOf(PLATFORMS).flatMap((platform) => [
    [variableOf(platform, 'URL'), url('http://… 或 https://…', 'http:', 'https:')],
    [variableOf(platform, 'APP_ID'), z.string().optional()],
    [variableOf(platform, 'SECRET'), z.string().optional()],
  ]),
)

const Environment = z.object({
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  FORGOTTEN_FILE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  DATABASE_URL: url('postgres://用户:密码@主机/库名', 'postgres:', 'postgresql:'),
  CLICKHOUSE_URL: url('http://用户:密码@主机:8123/库名', 'http:', 'https:'),
  CLICKHOUSE_CLUSTER: z.string().optional(),
  OBJECT_STORE_URL: url('https://AccessKey:SecretKey@主机/桶名', 'http:', 'https:'),
  ADOPT_WAREHOUSE: z
    .string()
    .regex(/^[0-9a-f]{8}$/, { error: '要写成启动时提示的 8 个字符' })
    .optional(),
  // The first start alone uses it, and refuses one that is easily guessed; later ones must not fail because of it.
  ADMIN_PASSWORD: z.string().min(8, { error: '至少 8 个字符' }).optional(),
  DEMO: choice('1', '0')
    .default('1')
    .transform((text) => text === '1'),
  DEPLOYMENT: choice('saas', 'rps').default('saas'),
  SECRET_KEY: z.string().min(32, { error: '至少 32 个字符' }).optional(),
  TIMEZONE: timezone.default('Asia/Shanghai'),
  EMBED_ORIGINS: origins,
  WEBHOOK_ALLOW: origins,
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, { error: '至少 16 个字符，不含空格' })
    .optional(),
  ROLE: choice('all', 'web', 'worker').default('all'),
  PUBLIC_URL: publicUrl,
  TRUSTED_PROXIES: addresses,
  BITMAP_MEMORY: bytes
    .refine((size) => size <= memory, { error: `大于本机的内存（${(memory / UNITS.G).toFixed(1)}G）` })
    .default(Math.floor(memory / 4)),
  PEOPLE_QUOTA: integer(1, 1_000_000).default(1000),
  TRACKING_RATE: integer(1, 1_000_000).default(20_000),
  PUSH_PACE: z
    .string()
    .regex(/^(0\.\d+|1(\.0+)?)$/, { error: '要写成 0 到 1 之间的小数' })
    .default('1')
    .transform(Number),
  ...PlatformVariables,
  PLATFORM_SOCIAL_PACKAGES: choice('1', '0')
    .default('0')
    .transform((text) => text === '1'),
})

export type Settings = ReturnType<typeof readSettings>

/**
 * Reads the environment. An empty variable counts as unset. A wrong one stops the start with a sentence that names it.
 */
export function readSettings(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const read = Environment.safeParse(given)
  if (!read.success) {
    throw new StartError(
      read.error.issues.map(({ path, message }) => `设置 ${String(path[0])} 不正确：${message}`).join('；'),
    )
  }
  const is = read.data
  const embedded = [!is.DATABASE_URL && 'DATABASE_URL', !is.CLICKHOUSE_URL && 'CLICKHOUSE_URL'].filter(Boolean)
  if (is.ROLE !== 'all' && embedded.length) {
    throw new StartError(
      `设置 ROLE=${is.ROLE} 需要独立的数据库服务：请同时设置 ${embedded.join(' 和 ')}，内置存储只能由一个进程使用`,
    )
  }
  if (is.CLICKHOUSE_CLUSTER && !is.CLICKHOUSE_URL) {
    throw new StartError('设置 CLICKHOUSE_CLUSTER 需要同时设置 CLICKHOUSE_URL')
  }
  for (const platform of keysOf(PLATFORMS)) checkPlatform(platform, given)
  return {
    port: is.PORT,
    host: is.HOST,
    dataDir: is.DATA_DIR,
    /** A second file of who was forgotten, outside of what is restored from backups. */
    forgottenFile: is.FORGOTTEN_FILE,
    databaseUrl: is.DATABASE_URL,
    clickhouseUrl: is.CLICKHOUSE_URL,
    clickhouseCluster: is.CLICKHOUSE_CLUSTER,
    objectStoreUrl: is.OBJECT_STORE_URL,
    /** Declares that this database and warehouse belong together from this start on. */
    adoptWarehouse: is.ADOPT_WAREHOUSE,
    adminPassword: is.ADMIN_PASSWORD,
    demo: is.DEMO,
    deployment: is.DEPLOYMENT,
    secretKey: is.SECRET_KEY,
    timezone: is.TIMEZONE,
    isTimezoneGiven: given.TIMEZONE !== undefined,
    embedOrigins: is.EMBED_ORIGINS,
    /** Origins in an inner network to which notifications may be sent. */
    webhookAllow: is.WEBHOOK_ALLOW,
    metricsToken: is.METRICS_TOKEN,
    role: is.ROLE,
    publicUrl: is.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Proxies whose X-Forwarded-For counts while PUBLIC_URL is set. */
    trustedProxies: is.TRUSTED_PROXIES,
    /** Bytes that the hot copies of bitmaps may use. */
    bitmapMemory: is.BITMAP_MEMORY,
    peopleQuota: is.PEOPLE_QUOTA,
    /** Messages per second that one write key may send. */
    trackingRate: is.TRACKING_RATE,
    /** Multiplies a push's pauses between tries or polls; 1 except in fast tests. */
    pushPace: is.PUSH_PACE,
    /** Whether the social platform's older generation stores targeting packages. */
    socialStoresPackages: is.PLATFORM_SOCIAL_PACKAGES,
    /** A platform without a URL is served by the sandbox. */
    platforms: Object.fromEntries(
      keysOf(PLATFORMS).map((platform) => [
        platform,
        {
          url: given[variableOf(platform, 'URL')],
          appId: given[variableOf(platform, 'APP_ID')],
          secret: given[variableOf(platform, 'SECRET')],
        },
      ]),
    ) as Record<Platform, { url?: string | undefined; appId?: string | undefined; secret?: string | undefined }>,
  }
}

/**
 * Refuses incomplete settings, with which the console would silently use the sandbox, or call a platform without an
 * application.
 */
function checkPlatform(platform: Platform, given: Record<string, string | undefined>) {
  const url = variableOf(platform, 'URL')
  const appId = variableOf(platform, 'APP_ID')
  const secret = variableOf(platform, 'SECRET')
  const isSandbox = given[url]?.startsWith('http://') && !given[appId] && !given[secret]
  const missing = [url, appId, secret].filter((one) => !given[one])
  if (missing.length === 0 || missing.length === 3 || isSandbox) return
  throw new StartError(`设置 ${missing.join('、')} 缺少：${url}、${appId} 与 ${secret} 要同时设置，都不设置则连接沙箱`)
}
