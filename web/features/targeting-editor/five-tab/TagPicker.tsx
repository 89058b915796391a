import { TAGS_MAX } from '#contract/targeting/common.ts'
import type { Tag } from '#contract/targeting/five-tab/schema.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { type ChosenTag, TagChooser } from '../pickers/TagChooser.tsx'
import { useFiveTab } from './use-five-tab.ts'

const KINDS = {
  action_tags: { tree: 'BEHAVIOR', keywords: 'BEHAVIOR_KEYWORDS', name: '行为' },
  interest_tags: { tree: 'INTEREST', keywords: 'INTEREST_KEYWORDS', name: '兴趣' },
} as const

const TYPES = { category: 1, keyword: 2 } as const
const chosenOf = ({ type, id, name }: Tag): ChosenTag => ({
  kind: type === TYPES.category ? 'category' : 'keyword',
  id,
  name,
})
const tagOf = ({ kind, id, name }: ChosenTag): Tag => ({ id, type: TYPES[kind], ...(name !== undefined && { name }) })

/** Behaviours or interests; those of behaviours are counted in the chosen scenes and days. */
export function TagPicker({ field }: { field: keyof typeof KINDS }) {
  const { form, change } = useFiveTab()
  const window = [
    { field: 'action_days' as const, values: [form.action_days] },
    { field: 'action_scene' as const, values: [...form.action_scene] },
  ]
  return (
    <EditorField field={field} isWide>
      <TagChooser
        {...KINDS[field]}
        {...(field === 'action_tags' && { window })}
        max={TAGS_MAX}
        chosen={form[field].map(chosenOf)}
        onChange={(tags) => change({ [field]: tags.map(tagOf) })}
      />
    </EditorField>
  )
}
