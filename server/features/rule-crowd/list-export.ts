import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { CUSTOM_STATUS } from '#contract/audience.ts'
import type { RuleListExport } from '#contract/crowd-list-export.ts'
import { platformInfo } from '#contract/platform.ts'
import { RULE_CROWD_STATUS } from '#contract/rule-crowd.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import { listedIds, listLines, numberCell } from '../../crowds/list-export.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import { childrenOf } from '../audience/children.ts'
import { filteredCrowds } from './filtered.ts'
import { crowdRows, present } from './store.ts'

const HEAD = [
  ...['名称', 'ID', '标签 ID', '状态', '失败原因', '失效日期', '平台人群', '人数', '人数截至'],
  ...['广告主', '创建人', '创建时间'],
]

/** What the list shows, all pages, as a file; audited. */
export const exportList =
  ({ db, timezone }: { db: Kysely<Database>; timezone: string }) =>
  async (viewer: Viewer, query: z.output<typeof RuleListExport>): Promise<SentFile> => {
    const mine = listedAdvertisers(viewer, query.adv_id)
    const at = now()
    const ids =
      mine.length === 0
        ? []
        : await listedIds((await filteredCrowds(db, viewer, mine, query, at)).rows, 'rule', query.sort)
    await audit(db, viewer, 'export.rule_crowds', { adv_ids: mine, rows: ids.length })
    const say = phonesFor(viewer)

    async function cellsOf(part: readonly number[]) {
      const rows = await crowdRows(db, at)
        .where('people.id', 'in', [...part])
        .execute()
      const audiences = await childrenOf(db, 'rule', part)
      return new Map(
        rows.map((row) => {
          const crowd = present(row, at)
          const pushed = (audiences.get(row.id) ?? []).map(
            ({ cnt_type, adv_name, status }) => `${platformInfo(cnt_type).name}「${adv_name}」${CUSTOM_STATUS[status]}`,
          )
          const cells = [
            ...[say(crowd.name), String(crowd.id), String(crowd.tagId), RULE_CROWD_STATUS[crowd.status]],
            ...[
              say(crowd.failReason ?? ''),
              timeText(crowd.invalidTime, timezone).slice(0, 10),
              say(pushed.join('；')),
            ],
            ...[numberCell(crowd.magnitude), crowd.computedAt === null ? '' : timeText(crowd.computedAt, timezone)],
            ...[say(crowd.adv_name), crowd.creator, timeText(crowd.createTime, timezone)],
          ]
          return [row.id, [cells]]
        }),
      )
    }
    return { name: '组合定向包列表.csv', content: listLines(HEAD, ids, cellsOf) }
  }
