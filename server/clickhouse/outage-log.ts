import { networkReason } from '../network/network-reason.ts'

/** Logs once that the warehouse is away, and once that it is back. */
export function outageLog() {
  let losses = 0
  let isAway = false
  return {
    /** Read it before a statement is sent and pass it to `answered`. */
    losses: () => losses,
    lost(cause: unknown) {
      losses++
      if (isAway) return
      isAway = true
      console.error(`数据仓库暂时不可用：${networkReason(cause)}。恢复后任务会自动继续`)
    },
    /** Only a statement that was sent after the last loss shows that the warehouse is back. */
    answered(lossesBefore: number) {
      if (!isAway || losses !== lossesBefore) return
      isAway = false
      console.log('数据仓库已恢复')
    },
  }
}
export type OutageLog = ReturnType<typeof outageLog>
