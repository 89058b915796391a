import { z } from 'zod'
import { Seconds } from '../common.ts'
import { FAULTS, type Fault, faultSentence } from '../errors.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

/** Outcomes of every area: refusals of the API, and how jobs end. */
export const TASK_OUTCOMES = {
  forget_not_confirmed: plain('再写一遍的 One ID 与这个用户的不同，没有删除'),
  forget_disk_full: plain('磁盘空间不足，删除没有完成；清理磁盘后会自动继续', 'retry'),
  forget_unexpected: plain('删除时出现意外错误，没有完成；会自动再试，若仍然失败，请联系管理员查看服务日志', 'retry'),
  /** Text stored before outcomes had codes. */
  legacy: entry({ text: z.string().min(1) }, ({ text }) => text),
  /** A refusal of the API, by its name in FAULTS. The sentence of `cause` is its word `reason`. */
  fault: entry(
    {
      fault: z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]),
      words: z.record(z.string(), z.union([z.string(), z.number()])),
      cause: AnyOutcome.optional(),
    },
    ({ fault, words, cause }, say) => faultSentence(fault, cause ? { ...words, reason: say(cause) } : words),
  ),
  task_unexpected: plain('处理时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志', 'retry'),
  task_disk_full: plain('服务器的磁盘空间不足，没有完成；请清理磁盘后重试', 'retry'),
  task_interrupted: plain('任务已中断，请重试', 'retry'),
  task_waits_for_warehouse: plain('等待数据仓库恢复'),
  task_retries_after: entry(
    { seconds: z.number(), at: Seconds, is_disk_full: z.boolean().optional() },
    ({ seconds, is_disk_full }) => `${is_disk_full ? '服务器的磁盘空间不足' : '出错'}，${seconds} 秒后自动重试`,
    'wait_until',
  ),
  task_process_gone: plain('处理此任务的进程多次中途退出，已停止重试', 'retry'),
} as const
