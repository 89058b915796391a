/**
 * Repeats the work on `workers` at once until it returns false. After a failure no work begins any more, and it is
 * thrown once all have stopped.
 */
export async function sideBySide(workers: number, work: (worker: number) => Promise<boolean>): Promise<void> {
  let isOver = false
  const all = Array.from({ length: workers }, async (_, worker) => {
    try {
      while (!isOver) if (!(await work(worker))) break
    } catch (error) {
      isOver = true
      throw error
    }
  })
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
