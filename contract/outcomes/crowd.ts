import { z } from 'zod'
import { IDENTIFIERS, IdentifierType } from '../identifier.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

/** Why an uploaded crowd or a rule crowd has no new result. */
export const CROWD_OUTCOMES = {
  check_disk_full: plain('磁盘空间不足，请清理磁盘后重试', 'retry'),
  check_unexpected: plain('校验时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志', 'retry'),
  crowd_deleted: plain('人群已删除'),
  check_stopped_by_delete: plain('校验因人群被删除而中止，请重新上传'),
  warehouse_lost: plain('数据仓库已更换，原来的标识已丢失，请重新上传'),
  line_empty: plain('空行'),
  line_malformed: entry({ type: IdentifierType }, ({ type }) => IDENTIFIERS[type].wants),
  history_crowd_expired: entry(
    { name: z.string() },
    ({ name }) => `引用的历史人群「${name}」已失效，请移除或延长其失效时间`,
  ),
  history_crowd_failed: entry(
    { name: z.string(), cause: AnyOutcome },
    ({ name, cause }, say) => `引用的历史人群「${name}」计算失败：${say(cause)}`,
  ),
} as const
