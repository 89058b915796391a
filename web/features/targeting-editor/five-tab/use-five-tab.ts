import { type FiveTabPlatform, fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import type { FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import { type Editing, useEditing } from '../editor-context.ts'

/** What the parts of this editor work on. */
export function useFiveTab(): Editing<FiveTabForm> & { platform: FiveTabPlatform } {
  const editing = useEditing<FiveTabForm>()
  const platform = fiveTabPlatform(editing.editor.platform)
  if (platform === null) throw new Error('a part of the five-tab editor stands in another one')
  return { ...editing, platform }
}
