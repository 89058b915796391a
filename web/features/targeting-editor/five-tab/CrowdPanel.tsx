import { TAGS_MAX } from '#contract/targeting/common.ts'
import { crowdState } from '#contract/targeting/five-tab/change.ts'
import type { CrowdRole } from '#contract/targeting/five-tab/crowd-row.ts'
import { editorOf } from '#contract/targeting/five-tab/platforms.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { CrowdPicker } from '../pickers/CrowdPicker.tsx'
import { useFiveTab } from './use-five-tab.ts'

/** The crowds that a package aims at or leaves out. One that the other panel holds cannot be chosen. */
export function CrowdPanel({ panel }: { panel: CrowdRole }) {
  const { platform, form, change } = useFiveTab()
  const field = `retargeting_tags_${panel}` as const
  return (
    <EditorField field={field} isWide>
      <CrowdPicker
        noun={panel === 'include' ? '定向人群' : '排除人群'}
        max={TAGS_MAX}
        chosen={form[field]}
        rows={form[`${field}_local`]}
        hasKinds={editorOf(platform).hasCuratedCrowds}
        stateOf={(row) => crowdState(form, row, panel)}
        onChange={(ids, rows) => change({ [field]: ids, [`${field}_local`]: rows })}
      />
    </EditorField>
  )
}
