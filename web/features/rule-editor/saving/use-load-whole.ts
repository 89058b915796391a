import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import type { RuleNode } from '#contract/rule.ts'
import { useConfirm } from '../../../components/use-confirm.ts'
import { type ShownTag, shownTagsOf } from '../state/shown-tags.ts'
import { loadCrowd } from './load-crowd.ts'

/** Replaces the rule on the canvas with that of a history crowd, once confirmed. */
export function useLoadWhole(onLoaded: (rule: RuleNode, shown: Iterable<ShownTag>) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const client = useQueryClient()
  return ({ id, name }: ShownTag) =>
    confirm({
      title: `载入「${name}」的规则？`,
      content: '画布上现有的规则将被它覆盖。载入后可以撤销。',
      okText: '载入',
      onOk: async () => {
        const loaded = await loadCrowd(client, id).catch(
          (failure: Error) => void message.error(failure.message || '请求失败'),
        )
        if (loaded?.rule.def) onLoaded(loaded.rule.def, shownTagsOf(loaded.rule).values())
      },
    })
}
