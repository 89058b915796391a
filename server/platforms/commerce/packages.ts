import { z } from 'zod'
import { PLATFORMS } from '#contract/platform.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import type { PlatformPackage, TargetingPackages } from '../targeting-platform.ts'
import type { VideoWire } from '../video/wire.ts'
import { countedRows, wholeList } from '../whole-list.ts'
import { contentOfRow, contentOfTargeting } from './package-content.ts'
import { targetingOfContent } from './package-targeting.ts'

const PAGE = 100

const Row = z
  .looseObject({
    orientation_id: WireId,
    orientation_name: z.string().nullish(),
    orientation_info: z.string().nullish(),
    ad_num: WireCount.nullish(),
    // The platform's own spelling.
    InActive_retargeting_tags: z
      .array(z.object({ retargeting_tag: WireId, retargeting_name: z.string().nullish() }))
      .nullish(),
  })
  .transform(
    ({ orientation_id, orientation_name, orientation_info, ad_num, InActive_retargeting_tags, ...fields }) =>
      ({
        targeting_id: orientation_id,
        name: orientation_name || orientation_id,
        // The platform has none.
        description: '',
        content: contentOfRow(fields),
        // Contents have everything that a row holds.
        others: [],
        words: orientation_info || null,
        lost_crowds: (InActive_retargeting_tags ?? []).map(({ retargeting_tag: id, retargeting_name }) => ({
          id,
          name: retargeting_name || id,
        })),
        plans: ad_num ?? null,
      }) satisfies PlatformPackage,
  )
const Page = z.object({ list: countedRows(Row), page_info: z.object({ total_number: WireCount }).nullish() })

/**
 * Packages that people made on the commerce platform. It has no call that writes any: ours are only kept here, and go
 * inline with the plans that use them.
 */
export const commercePackages = (wire: VideoWire): TargetingPackages => ({
  // Not published.
  max: null,
  scopes: PLATFORMS.commerce.scopes,
  list: (account, on) =>
    wholeList<PlatformPackage>(
      PAGE,
      ({ targeting_id }) => targeting_id,
      async (page) => {
        const query = { advertiser_id: idNumber(account.external_id), page, page_size: PAGE }
        const path = 'v1.0/qianchuan/orientation_package/get/'
        const { list, page_info } = await wire.get(Page, { account, on, path, query })
        return { ...list, total: page_info?.total_number }
      },
    ),
  contentOf: (targeting) => contentOfTargeting(targeting as FiveTabTargeting),
  targetingOf: (content) => ({ ...targetingOfContent(content) }),
  // Only their number is told, in the list.
  use: null,
  writing: null,
})
