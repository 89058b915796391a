/** The tray button's label, from the counts of all tasks. */
export function trayLabel({ running, failed, paused }: { running: number; failed: number; paused: number }): string {
  const says = [
    ...(running ? [`${running} 个进行中`] : []),
    ...(failed ? [`${failed} 个失败`] : []),
    ...(paused ? [`${paused} 个已暂停`] : []),
  ]
  return says.length ? `任务：${says.join('，')}` : '任务'
}
