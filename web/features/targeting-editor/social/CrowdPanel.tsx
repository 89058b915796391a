import { TAGS_MAX } from '#contract/targeting/common.ts'
import type { CrowdRole } from '#contract/targeting/five-tab/crowd-row.ts'
import { CROWD_FIELDS, crowdState } from '#contract/targeting/social/change.ts'
import { CrowdPicker } from '../pickers/CrowdPicker.tsx'
import { Custom } from './Choices.tsx'
import { useSocial } from './use-social.ts'

/** The crowds that a package aims at or leaves out. One that the other panel holds cannot be chosen. */
export function CrowdPanel({ panel }: { panel: CrowdRole }) {
  const { form, change } = useSocial()
  const field = CROWD_FIELDS[panel]
  return (
    <Custom field={field} isWide>
      <CrowdPicker
        noun={panel === 'include' ? '定向人群' : '排除人群'}
        max={TAGS_MAX}
        chosen={form[field] ?? []}
        rows={form[`${field}_local`]}
        hasKinds={false}
        stateOf={(row) => crowdState(form, row, panel)}
        onChange={(ids, rows) => change({ [field]: ids, [`${field}_local`]: rows })}
      />
    </Custom>
  )
}
