import type { TagNode } from '#contract/targeting-tags.ts'
import { prunedTree } from '../../../domain/targeting/choice/tree-choice.ts'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { TreeChooser } from '../pickers/TreeChooser.tsx'
import { RegionPlans } from '../region-plans/RegionPlans.tsx'
import { useFiveTab } from './use-five-tab.ts'

const withoutDistricts = (tree: readonly TagNode[]) => prunedTree(tree, ({ level }) => level !== 'DISTRICT')

/** Provinces and cities, and under 区县 their districts too. */
export function RegionPicker() {
  const { accountId, form, change } = useFiveTab()
  const names = useRegionNames(accountId, form)
  const { regions, regionsPlan } = form.regions
  const set = (part: Partial<typeof form.regions>) => change({ regions: { ...form.regions, ...part } })
  return (
    <EditorField field="regions" isWide>
      <RegionPlans
        regions={regions}
        chosen={regionsPlan}
        onAdd={(plan) => set({ regionsPlan: [...regionsPlan, plan] })}
        onRemove={(id) => set({ regionsPlan: regionsPlan.filter((plan) => plan.id !== id) })}
      />
      <TreeChooser
        type="REGION"
        name="地域"
        {...(!form.district.includes('COUNTY') && { pruned: withoutDistricts })}
        chosen={regions.map((id) => ({ id, name: names.get(id) }))}
        onChange={(chosen) => set({ regions: chosen.map(({ id }) => id) })}
      />
    </EditorField>
  )
}
