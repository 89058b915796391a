import { RADIUS } from '#contract/targeting/social/platform.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { PlacePicker } from '../pickers/PlacePicker.tsx'
import { useSocial } from './use-social.ts'

/** Places on the map. */
export function Places() {
  const { form, change } = useSocial()
  return (
    <EditorField field="custom_locations" isWide>
      <PlacePicker
        places={form.custom_locations}
        radius={RADIUS}
        onChange={(custom_locations) => change({ custom_locations })}
      />
    </EditorField>
  )
}
