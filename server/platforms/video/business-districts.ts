import { z } from 'zod'
import type { RegionLevel, TagNode } from '#contract/targeting-tags.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import type { TargetingDictionaries } from '../targeting-platform.ts'
import { rowsOf } from './dictionary-rows.ts'
import type { VideoWire } from './wire.ts'

const LEVEL = 'REGION_LEVEL_'
const Place = z.object({
  id: WireId,
  name: z.string(),
  parent_id: z
    .union([WireId, z.number()])
    .nullish()
    .transform((id) => (id == null ? '' : String(id))),
  region_level: z.enum([`${LEVEL}PROVINCE`, `${LEVEL}CITY`, `${LEVEL}DISTRICT`, `${LEVEL}BUSINESS_DISTRICT`]),
})
const Places = z.object({ list: rowsOf(Place) })

/** Provinces with cities, districts and 商圈, which come as rows with their parents. */
export const businessDistricts =
  (wire: VideoWire): NonNullable<TargetingDictionaries['businessDistricts']> =>
  async (account, on) => {
    const query = { advertiser_id: idNumber(account.external_id), region_type: 'BUSINESS_DISTRICT' }
    const { list } = await wire.get(Places, { account, on, path: '2/tools/region/get/', query })
    const nodes = new Map<string, TagNode>()
    for (const { id, name, region_level } of list) {
      const level = region_level.slice(LEVEL.length) as RegionLevel
      nodes.set(id, { value: id, label: name, num: null, level, children: [] })
    }
    const roots: TagNode[] = []
    for (const { id, parent_id, region_level } of list) {
      const node = nodes.get(id) as TagNode
      const parent = nodes.get(parent_id)
      if (parent && parent !== node) parent.children.push(node)
      else if (region_level === `${LEVEL}PROVINCE`) roots.push(node)
    }
    return roots
  }
