import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { TreeChooser } from '../pickers/TreeChooser.tsx'
import { RegionPlans } from '../region-plans/RegionPlans.tsx'
import { useSocial } from './use-social.ts'

/** Provinces, cities and districts. */
export function RegionPicker() {
  const { accountId, form, change } = useSocial()
  const names = useRegionNames(accountId, form)
  return (
    <EditorField field="regions" isWide>
      <RegionPlans
        regions={form.regions}
        onAdd={(plan) => change({ regions: [...new Set([...form.regions, ...plan.regions])] })}
      />
      <TreeChooser
        type="REGION"
        name="地域"
        chosen={form.regions.map((id) => ({ id, name: names.get(id) }))}
        onChange={(chosen) => change({ regions: chosen.map(({ id }) => id) })}
      />
    </EditorField>
  )
}
