import { z } from 'zod'
import type { Generation } from '#contract/targeting/social/platform.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { lengthOf, shorten } from '../audience-name.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../audience-platform.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import {
  type PackageUse,
  type PackageWriting,
  type PlatformPackage,
  packageMark,
  type TargetingPackages,
  type WantedPackage,
} from '../targeting-platform.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import { countedRows, wholeList } from '../whole-list.ts'
import { contentOfTargeting, normalised } from './package-content.ts'
import { targetingOfContent } from './package-targeting.ts'
import { pagesOf } from './pages.ts'
import { plain } from './plain.ts'
import { requestIdOf } from './request-id.ts'
import { targetingObject } from './targeting-object.ts'
import type { SocialWire } from './wire.ts'

/** The only generation that writes packages. */
const VERSION = 'v1.3' satisfies Generation
const PAGE = 100
/** Newer documents say 150 for the name; none gives the bound of a description. */
const NAME = { max: 120, unit: 'bytes' } as const
const DESCRIPTION = { max: 250, unit: 'bytes' } as const
/** Seconds between two changes of an account: 180, 60 and 60 a minute. */
const PAUSE = { add: 0.35, update: 1, delete: 1 } as const
/** Targetings belong to the ads, which crowds alone do not cover. */
const SCOPES = ['ads_management']
const RUNNING = 'AD_STATUS_NORMAL'

const Row = z.object({
  targeting_id: WireId,
  targeting_name: z.string().nullish(),
  description: z.string().nullish(),
  targeting: z.record(z.string(), z.unknown()).nullish(),
  targeting_translation: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
})
const PageInfo = z.object({ total_page: WireCount }).optional()
const Page = z.object({ list: countedRows(Row), page_info: z.object({ total_number: WireCount }).nullish() })
const Adgroup = z.object({
  adgroup_id: WireId,
  adgroup_name: z.string().nullish(),
  targeting_id: WireId.nullish(),
  configured_status: z.string().nullish(),
})
const AdgroupPage = z.object({ list: rowsOf(Adgroup), page_info: PageInfo })

/** Gone is the package alone: what else is missing, such as a crowd of its targeting, makes a refusal. */
const PACKAGE_GONE = 69005
function aboutPackage(error: unknown): unknown {
  if (!(error instanceof PlatformFault) || error.kind !== 'gone' || error.code === PACKAGE_GONE) return error
  return new PlatformFault('refused', error.outcome, { code: error.code, cause: error })
}

/** A package as our editor's rules take it; null for one that was deleted. */
function packageOf({ targeting_id, is_deleted, ...row }: z.output<typeof Row>): PlatformPackage | null {
  if (is_deleted) return null
  return {
    targeting_id,
    name: row.targeting_name || targeting_id,
    description: row.description ?? '',
    content: normalised(row.targeting ?? {}),
    // Contents have everything that a targeting holds here.
    others: [],
    words: row.targeting_translation || null,
    lost_crowds: null,
    plans: null,
  }
}

/** Both generations list packages, the newer one by POST. */
const listOf =
  (wire: SocialWire, version: Generation): TargetingPackages['list'] =>
  async (account, on) => {
    const call = { account, on, path: 'targetings/get', version }
    const rows = await wholeList(
      PAGE,
      (row: z.output<typeof Row>) => row.targeting_id,
      async (page) => {
        const asked = { page, page_size: PAGE }
        const { list, page_info } =
          version === VERSION
            ? await wire.get(Page, { ...call, query: { account_id: account.external_id, ...asked } })
            : await wire.post(Page, {
                ...call,
                body: { json: { account_id: idNumber(account.external_id), ...asked } },
              })
        return { ...list, total: page_info?.total_number }
      },
    )
    return rows.flatMap((row) => packageOf(row) ?? [])
  }

/** What both generations have alike. */
const reading = (wire: SocialWire, version: Generation) =>
  ({
    // Not published.
    max: null,
    scopes: SCOPES,
    list: listOf(wire, version),
    contentOf: (targeting) => contentOfTargeting(targeting as SocialTargeting),
    targetingOf: (content, kept) => ({ ...targetingOfContent(content, kept as SocialTargeting | null) }),
  }) satisfies Partial<TargetingPackages>

/**
 * Packages as the platform's current generation shows them. It has no call that writes any, and says neither which ads use
 * a package nor whether they lock it: its ads hold their targeting themselves, without naming a package.
 */
export const socialPackagesRead = (wire: SocialWire): TargetingPackages => ({
  ...reading(wire, 'v3.0'),
  use: null,
  writing: null,
})

/** Targeting packages that the platform's older generation stores. */
export function socialPackages(wire: SocialWire): TargetingPackages {
  const write = <T>(
    shape: z.ZodType<T>,
    account: AccountSession,
    what: keyof typeof PAUSE,
    json: Record<string, unknown>,
    on: StepHooks,
    requestId?: string,
  ) =>
    wire.post(shape, {
      ...{ account, on, path: `targetings/${what}`, version: VERSION, pause: PAUSE[what] },
      body: { json: { account_id: idNumber(account.external_id), ...json } },
      ...(requestId !== undefined && { requestId }),
    })

  const bodyOf = ({ key, name, targeting }: WantedPackage) => {
    const mark = packageMark(key)
    const room = { ...DESCRIPTION, max: DESCRIPTION.max - lengthOf(mark, DESCRIPTION.unit) }
    return {
      targeting_name: plain(name),
      description: shorten(plain(name), room) + mark,
      targeting: targetingObject(targeting as SocialTargeting, VERSION),
    }
  }

  async function use(account: AccountSession, targeting_id: string, on: StepHooks): Promise<PackageUse[]> {
    const uses: PackageUse[] = []
    const asked = { account, on, path: 'adgroups/get', version: VERSION } as const
    for await (const { list } of pagesOf(wire, AdgroupPage, asked)) {
      for (const row of list) {
        if (row.targeting_id !== targeting_id) continue
        const { adgroup_id, adgroup_name, configured_status } = row
        uses.push({ plan_id: adgroup_id, name: adgroup_name || adgroup_id, live: configured_status === RUNNING })
      }
    }
    return uses
  }

  /** A refusal of a package that running ads lock; no document gives its code. */
  async function orLocked<T>(account: AccountSession, targeting_id: string, on: StepHooks, work: Promise<T>) {
    try {
      return await work
    } catch (thrown) {
      const error = aboutPackage(thrown)
      if (!(error instanceof PlatformFault) || error.kind !== 'refused') throw error
      const isLive = (await use(account, targeting_id, on)).some(({ live }) => live)
      throw isLive ? new PlatformFault('inUse', error.outcome, { code: error.code, cause: error }) : error
    }
  }

  const writing: PackageWriting = {
    name: NAME,
    async create(account, wanted, on) {
      const made = z.object({ targeting_id: WireId })
      try {
        const body = bodyOf(wanted)
        return (await write(made, account, 'add', body, on, requestIdOf(wanted.key, body))).targeting_id
      } catch (error) {
        throw aboutPackage(error)
      }
    },
    async update(account, targeting_id, wanted, on) {
      const json = { targeting_id: idNumber(targeting_id), ...bodyOf(wanted) }
      await orLocked(account, targeting_id, on, write(z.unknown(), account, 'update', json, on))
    },
    async delete(account, targeting_id, on) {
      const json = { targeting_id: idNumber(targeting_id) }
      await orLocked(account, targeting_id, on, write(z.unknown(), account, 'delete', json, on))
    },
  }

  return { ...reading(wire, VERSION), use, writing }
}
