import { editorOf } from '#contract/targeting/five-tab/platforms.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { PlacePicker } from '../pickers/PlacePicker.tsx'
import { useFiveTab } from './use-five-tab.ts'

/** Places on the map, on platforms that have one. */
export function Places() {
  const { platform, form, change } = useFiveTab()
  const { radius } = editorOf(platform)
  if (radius === null) return null
  return (
    <EditorField field="custom_locations" isWide>
      <PlacePicker
        places={form.custom_locations}
        radius={radius}
        onChange={(custom_locations) => change({ custom_locations })}
      />
    </EditorField>
  )
}
