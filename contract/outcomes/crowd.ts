import { z } from 'zod'
import { CUSTOM_STATUS, CustomStatus } from '../audience.ts'
import { IDENTIFIERS, IdentifierType } from '../identifier.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

/** Why an uploaded crowd or a rule crowd has no new result, or cannot be changed. */
export const CROWD_OUTCOMES = {
  check_disk_full: plain('磁盘空间不足，请清理磁盘后重试', 'retry'),
  check_unexpected: plain('校验时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志', 'retry'),
  crowd_deleted: plain('人群已删除'),
  check_stopped_by_delete: plain('校验因人群被删除而中止，请重新上传'),
  warehouse_lost: plain('数据仓库已更换，原来的标识已丢失，请重新上传'),
  /** `files` are the first of `total`. */
  crowd_files_unreadable: entry(
    { files: z.array(z.object({ name: z.string(), cause: AnyOutcome })), total: z.int().positive() },
    ({ files, total }, say) =>
      files.map(({ name, cause }) => `${name}：${say(cause)}`).join('；') +
      (total > files.length ? ` 等 ${total} 个文件` : ''),
  ),
  line_empty: plain('空行'),
  line_forgotten: plain('已删除的用户'),
  line_malformed: entry({ type: IdentifierType }, ({ type }) => IDENTIFIERS[type].wants),
  line_malformed_phone: entry(
    { type: IdentifierType },
    ({ type }) => `不是 11 位手机号，也不是 ${IDENTIFIERS[type].form === 'md5' ? 'MD5' : 'SHA256'}`,
  ),
  line_without_cell: plain('没有所选的列'),
  history_crowd_expired: entry(
    { name: z.string() },
    ({ name }) => `引用的历史人群「${name}」已失效，请移除或延长其失效时间`,
  ),
  history_crowd_failed: entry(
    { name: z.string(), cause: AnyOutcome },
    ({ name, cause }, say) => `引用的历史人群「${name}」计算失败：${say(cause)}`,
  ),

  crowd_not_editable: entry({ status: CustomStatus }, ({ status }) => `${CUSTOM_STATUS[status]}的人群不可编辑`),
  crowd_not_editable_for_child: entry({ child: z.string() }, ({ child }) => `子人群「${child}」正在计算中，不可编辑`),
  crowd_type_fixed: entry(
    { type: IdentifierType },
    ({ type }) => `人群的数据类型是 ${IDENTIFIERS[type].label}，不能修改`,
  ),
  crowd_of_other_advertiser: plain('人群不属于该广告主'),
  advertiser_name_differs: plain('「adv_id」与「adv_name」不是同一个广告主'),
  crowd_update_type_missing: plain('请选择更新类型'),
  crowd_has_children: entry(
    { count: z.int().positive() },
    ({ count }) => `在平台账户下还有 ${count} 个子人群，请先删除子人群`,
  ),
  crowd_viewed_by_children: plain('请展开后查看各平台账户的子人群'),
  child_moves_with_crowd: plain('子人群跟随所属的人群，请移动所属的人群'),

  rule_crowd_in_use_not_editable: plain('使用中的定向包不可编辑，可复制后修改'),
  rule_crowd_in_use_not_deletable: plain('使用中的定向包不可删除，请先解绑或关闭计划'),
  rule_crowd_expired: plain('已失效，请先编辑并延长失效时间'),
  rule_crowd_computing: plain('正在计算'),
  rule_crowd_ver_missing: plain('缺少 ver：请重新打开编辑页'),
  rule_of_other_advertiser: plain('规则不属于该广告主'),

  export_column_unknown: entry({ column: z.string() }, ({ column }) => `没有可以导出的列「${column}」，请重新选择列`),
  export_columns_missing: plain('请选择要导出的列'),
  export_tags_too_many: entry(
    { count: z.int().positive(), max: z.int().positive() },
    ({ count, max }) => `所选的分类共有 ${count} 个标签，一次最多导出 ${max} 个，请少选几个分类`,
  ),
} as const
