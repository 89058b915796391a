import { z } from 'zod'
import { PLATFORMS } from '#contract/platform.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { shorten } from '../audience-name.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import {
  type PackageUse,
  type PackageWriting,
  type PlatformPackage,
  packageMark,
  type TargetingPackages,
  type WantedPackage,
} from '../targeting-platform.ts'
import { countedRows, wholeList } from '../whole-list.ts'
import type { AdminInfo } from './admin-info.ts'
import { rowsOf } from './dictionary-rows.ts'
import { contentOfTargeting, REGION, type VideoContent } from './package-content.ts'
import { targetingOfContent } from './package-targeting.ts'
import { PackageRow, updateOf, wireOf } from './package-wire.ts'
import type { VideoWire } from './wire.ts'

const PAGE = 100
/** More than any account has; ends a list whose pages never do. */
const PAGES_MOST = 50
/** No document gives the bounds of names and descriptions; the console's own name is never longer. */
const NAME = { max: 30, unit: 'characters' } as const
const DESCRIPTION = { max: 60, unit: 'characters' } as const
const PACKAGES_MAX = 200
const ENABLED = 'PROJECT_STATUS_ENABLE'

const Paged = { page_info: z.object({ total_number: WireCount }).nullish() }
const PackagePage = z.object({ audience_packages: countedRows(PackageRow), ...Paged })
const BindPage = z.object({
  list: rowsOf(z.object({ project_id: WireId, project_name: z.string().nullish() })),
  ...Paged,
})
const ProjectPage = z.object({
  list: rowsOf(z.object({ project_id: WireId, name: z.string().nullish(), status_first: z.string().nullish() })),
})

/** Targeting packages that the video engine stores. */
export function videoPackages(wire: VideoWire, admin: AdminInfo): TargetingPackages {
  /** The rows of all pages. */
  async function allOf<T>(read: (page: number) => Promise<{ rows: T[]; total: number | undefined }>): Promise<T[]> {
    const all: T[] = []
    for (let page = 1; page <= PAGES_MOST; page++) {
      const { rows, total } = await read(page)
      all.push(...rows)
      if (rows.length === 0 || page * PAGE >= (total ?? 0)) break
    }
    return all
  }

  const list = (account: AccountSession, on: StepHooks) =>
    wholeList<PlatformPackage>(
      PAGE,
      ({ targeting_id }) => targeting_id,
      async (page) => {
        const query = { advertiser_id: idNumber(account.external_id), page, page_size: PAGE }
        const path = 'v3.0/audience_package/get/'
        const { audience_packages, page_info } = await wire.get(PackagePage, { account, on, path, query })
        return { ...audience_packages, total: page_info?.total_number }
      },
    )

  async function bodyOf(account: AccountSession, wanted: WantedPackage, on: StepHooks, isUpdate: boolean) {
    const targeting = wanted.targeting as FiveTabTargeting
    const content = contentOfTargeting(targeting)
    const mark = packageMark(wanted.key)
    const room = { ...DESCRIPTION, max: DESCRIPTION.max - [...mark].length }
    return {
      advertiser_id: idNumber(account.external_id),
      name: wanted.name,
      description: shorten(wanted.name, room) + mark,
      ...(isUpdate ? updateOf(content, targeting) : wireOf(content, targeting)),
      ...(content.district === REGION && { region_version: await admin.regionVersion(account, on) }),
    }
  }
  const write = <T>(shape: z.ZodType<T>, account: AccountSession, what: string, json: object, on: StepHooks) =>
    wire.post(shape, { account, on, path: `2/audience_package/${what}/`, body: { json: { ...json } } })

  /** A refusal that names something missing is about the package only where the package is missing. */
  async function aboutPackage(fault: unknown, account: AccountSession, targeting_id: string, on: StepHooks) {
    if (!(fault instanceof PlatformFault) || fault.kind !== 'gone') return fault
    const isThere = (await list(account, on)).some((one) => one.targeting_id === targeting_id)
    return isThere ? refusal(fault) : fault
  }
  const refusal = (fault: PlatformFault) =>
    new PlatformFault('refused', fault.outcome, { code: fault.code, cause: fault })

  const writing: PackageWriting = {
    name: NAME,
    async create(account, wanted, on) {
      const json = await bodyOf(account, wanted, on, false)
      try {
        const made = await write(z.object({ audience_package_id: WireId }), account, 'create', json, on)
        return made.audience_package_id
      } catch (error) {
        throw error instanceof PlatformFault && error.kind === 'gone' ? refusal(error) : error
      }
    },

    async update(account, targeting_id, wanted, on) {
      const json = await bodyOf(account, wanted, on, true)
      try {
        await write(z.unknown(), account, 'update', { audience_package_id: idNumber(targeting_id), ...json }, on)
      } catch (error) {
        throw await aboutPackage(error, account, targeting_id, on)
      }
    },

    async delete(account, targeting_id, on) {
      const json = {
        advertiser_id: idNumber(account.external_id),
        audience_package_id: idNumber(targeting_id),
      }
      await write(z.unknown(), account, 'delete', json, on)
    },
  }

  return {
    max: PACKAGES_MAX,
    scopes: PLATFORMS.video.scopes,
    list,
    contentOf: (targeting) => ({ ...contentOfTargeting(targeting as FiveTabTargeting) }),
    targetingOf: (content, kept) => targetingOfContent(content as VideoContent, kept as FiveTabTargeting | null),
    writing,

    async use(account, targeting_id, on) {
      const advertiser_id = idNumber(account.external_id)
      const bound = await allOf(async (page) => {
        const query = { advertiser_id, audience_package_id: idNumber(targeting_id), page, page_size: PAGE }
        const path = 'v3.0/audience_package_bindinfo/get/'
        const { list: rows, page_info } = await wire.get(BindPage, { account, on, path, query })
        return { rows, total: page_info?.total_number }
      })
      const uses: PackageUse[] = []
      for (let at = 0; at < bound.length; at += PAGE) {
        const ids = bound.slice(at, at + PAGE).map(({ project_id }) => idNumber(project_id))
        const query = {
          advertiser_id,
          filtering: { ids },
          fields: ['project_id', 'name', 'status_first'],
          page: 1,
          page_size: PAGE,
        }
        const { list: projects } = await wire.get(ProjectPage, { account, on, path: 'v3.0/project/list/', query })
        for (const { project_id, name, status_first } of projects) {
          uses.push({ plan_id: project_id, name: name || project_id, live: status_first === ENABLED })
        }
      }
      return uses
    },
  }
}
