import type { z } from 'zod'
import type { SuppressionQuestion } from '#contract/suppression.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { isCallError, isFault } from '../../lib/call.ts'

/**
 * Runs an addition; where the server asks first, shows the number and runs it again with the key once it was confirmed.
 * Null when the viewer said no.
 */
export function useAskedAddition() {
  const confirm = useConfirm()
  return async function add<T>(run: (key: string | undefined) => Promise<T>): Promise<T | null> {
    try {
      return await run(undefined)
    } catch (error) {
      if (!isFault(error, 'suppressionAsks') || !isCallError(error)) throw error
      const { confirm: key } = error.data as z.output<typeof SuppressionQuestion>
      return new Promise<T | null>((done, failed) => {
        confirm({
          title: '屏蔽的人较多，确定加入？',
          content: `${error.message || '操作失败'}。`,
          okText: '加入',
          isDanger: true,
          // A second refusal is the form's to show.
          onOk: () => run(key).then(done, failed),
          onCancel: () => done(null),
        })
      })
    }
  }
}
