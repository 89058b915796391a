import { App } from 'antd'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { listSuppression, removeSuppressionEntries, type SuppressionEntry } from '#contract/suppression.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { filterOf, type SuppressionListState } from './list-state.ts'

export const HIDDEN_VALUE = '密文已隐藏，您没有查看手机号的权限'

/** The entry as people know it: the phone, or its first form. */
export function entryName({ phone, forms: [first] }: SuppressionEntry): string {
  if (phone !== null) return `手机号 ${phone}`
  return first ? `${IDENTIFIERS[first.type].label} ${first.value ?? `（${HIDDEN_VALUE}）`}` : ''
}

const EFFECT = '移出后，下次推送会再次包含。'

/** Asks with the number, then removes entries from the list. */
export function useRemoval(advId: number, onRemoved: () => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const remove = useAction(removeSuppressionEntries, [listSuppression])
  const ask = (title: string, content: string, body: { keys?: string[]; count: number; keyword?: string }) =>
    confirm({
      title,
      content,
      okText: '移出',
      isDanger: true,
      onOk: () =>
        remove.mutateAsync({ body: { adv_id: advId, ...body } }).then(
          ({ removed }) => {
            onRemoved()
            void message.success(`已移出 ${formatCount(removed)} 个`)
          },
          () => {},
        ),
    })
  return {
    chosen: (entries: readonly SuppressionEntry[]) => {
      const [first] = entries
      const about = entries.length === 1 && first ? `${entryName(first)}。` : ''
      return ask(
        entries.length === 1 ? '移出屏蔽名单？' : `移出选中的 ${formatCount(entries.length)} 个？`,
        `${about}${EFFECT}`,
        { keys: entries.map((entry) => entry.key), count: entries.length },
      )
    },
    matching: (state: SuppressionListState, count: number) => {
      const filter = filterOf(state)
      const isAll = Object.keys(filter).length === 0
      return ask(
        isAll ? `移出名单中的全部 ${formatCount(count)} 个？` : `移出符合条件的全部 ${formatCount(count)} 个？`,
        EFFECT,
        { ...filter, count },
      )
    },
  }
}
