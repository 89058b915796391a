/** Statuses of a push as stored; a push that waits for its next attempt is `running`. */
export const PUSH_STATUS = {
  waiting: '等待中',
  running: '推送中',
  paused: '已暂停',
  done: '推送成功',
  failed: '失败',
  cancelled: '已取消',
} as const
export type PushStatus = keyof typeof PUSH_STATUS
/** Statuses of an unfinished push. */
export const OPEN_PUSH = ['waiting', 'running', 'paused'] as const satisfies PushStatus[]

/** States of an audience's newest push, as lists show them. */
export const PUSH_STATE = {
  waiting: '等待推送',
  running: '推送中',
  retrying: '等待重试',
  paused: '推送已暂停',
  done: '推送成功',
  failed: '推送失败',
  cancelled: '推送已取消',
} as const
export type PushState = keyof typeof PUSH_STATE
