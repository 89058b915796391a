import { plain } from './entry.ts'

/** Why an import failed, other than faults of its file. */
export const IMPORT_OUTCOMES = {
  import_disk_full: plain('磁盘空间不足，文件已读完但没有全部计入；请清理磁盘后重试，重试会接着完成', 'retry'),
  import_database_away: plain('数据库连接中断，导入没有完成；请在数据库恢复后重试', 'retry'),
  import_out_of_memory: plain('内存不足，导入没有完成；请在空闲时重试，或把文件拆小', 'retry'),
  import_unexpected: plain('导入时出现意外错误，没有完成；可以重试一次，若仍然失败，请联系管理员查看服务日志', 'retry'),
} as const
