import { App } from 'antd'
import { type Dispatch, useMemo, useState } from 'react'
import { emptyLeavesOf } from '#contract/rule.ts'
import { today } from '../../../lib/zone.ts'
import type { CrowdDocument, EditorAction } from '../state/editor-state.ts'
import { type FormFaults, faultsOf } from '../state/form-rules.ts'

/** Checks the document before it is saved. Faults are shown from the first attempt on. */
export function useSubmit(
  { rule, form }: CrowdDocument,
  takenName: string | null,
  dispatch: Dispatch<EditorAction>,
  save: () => void,
) {
  const { message } = App.useApp()
  const [isTried, setTried] = useState(false)
  const warn = (content: string) => void message.warning({ key: 'refused', content })

  const faults: FormFaults = {
    ...(isTried ? faultsOf(form, today()) : {}),
    ...(takenName === form.name ? { name: '同级目录下不允许重名' } : {}),
  }
  const emptyLeaves = useMemo(() => new Set(isTried ? emptyLeavesOf(rule) : []), [isTried, rule])

  /** Shows what is missing. */
  function isComplete(): boolean {
    setTried(true)
    const [emptyLeaf] = emptyLeavesOf(rule)
    if (emptyLeaf) {
      dispatch({ type: 'focus', cursor: { node: emptyLeaf } })
      warn('人群标签不能为空')
      return false
    }
    const wrong = faultsOf(form, today())
    const first = (['name', 'day', 'dirId'] as const).map((field) => wrong[field]).find(Boolean)
    if (first) warn(first)
    return !first
  }

  return { faults, emptyLeaves, isComplete, submit: () => isComplete() && save() }
}
