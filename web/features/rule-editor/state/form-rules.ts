import { ItemName } from '#contract/common.ts'
import type { CrowdForm } from './editor-state.ts'

export type FormFaults = Partial<Record<keyof CrowdForm, string>>

/** The form's faults, with the server's messages. */
export function faultsOf(form: CrowdForm, today: string): FormFaults {
  const name = ItemName.safeParse(form.name)
  return {
    ...(name.success ? {} : { name: name.error.issues[0]?.message ?? '' }),
    ...(form.day === null ? { day: '请选择失效时间' } : form.day < today ? { day: '失效时间不能早于今天' } : {}),
    ...(form.dirId === null ? { dirId: '请选择存储路径' } : {}),
  }
}
