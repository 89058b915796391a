import { z } from 'zod'
import type { TagNode } from '#contract/targeting-tags.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { idNumber } from '../lossless-json.ts'
import { DistrictRow, rowsOf } from './dictionary-rows.ts'
import type { VideoWire } from './wire.ts'

/** The code of the whole country. No document of the vendor shows it. */
const COUNTRY = 'CN'
const VERSION = 'V2_3_2'
/** What is known of the regions serves for a day. */
const KEPT_MS = 86_400_000

const Info = z.object({ districts: rowsOf(DistrictRow), version: z.string().min(1) })

/** The administrative division, as the vendor's platforms share it. */
export function adminInfo(wire: VideoWire, nowMs: () => number) {
  let tree: { read_at: number; regions: TagNode[] } | null = null
  let version: { read_at: number; text: string } | null = null
  const isFresh = (kept: { read_at: number } | null) => kept !== null && nowMs() - kept.read_at < KEPT_MS

  async function read(account: AccountSession, sub_district: 'NONE' | 'THREE_LEVEL', on: StepHooks) {
    const query = {
      advertiser_id: idNumber(account.external_id),
      ...{ codes: [COUNTRY], language: 'ZH_CN', sub_district, version: VERSION },
    }
    const info = await wire.get(Info, { account, on, path: '2/tools/admin/info/', query })
    version = { read_at: nowMs(), text: info.version.replace(/^V/, '').replaceAll('_', '.') }
    return info.districts
  }

  async function regions(account: AccountSession, on: StepHooks): Promise<TagNode[]> {
    const districts = await read(account, 'THREE_LEVEL', on)
    tree = { read_at: nowMs(), regions: districts.flatMap(({ children }) => children) }
    return tree.regions
  }

  return {
    /** Provinces with their cities and districts, read anew. */
    regions,
    /** The same, as they were read within a day. */
    knownRegions: async (account: AccountSession, on: StepHooks): Promise<readonly TagNode[]> =>
      tree !== null && isFresh(tree) ? tree.regions : regions(account, on),
    /** The version that goes with the codes of regions, such as 2.3.2. */
    async regionVersion(account: AccountSession, on: StepHooks): Promise<string> {
      if (version === null || !isFresh(version)) await read(account, 'NONE', on)
      return (version as { text: string } | null)?.text ?? ''
    },
  }
}
export type AdminInfo = ReturnType<typeof adminInfo>
