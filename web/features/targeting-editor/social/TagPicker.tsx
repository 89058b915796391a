import { TAGS_MAX } from '#contract/targeting/common.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { EditorField } from '../parts/EditorField.tsx'
import { type ChosenTag, TagChooser } from '../pickers/TagChooser.tsx'
import { TreeChooser } from '../pickers/TreeChooser.tsx'
import { Custom } from './Choices.tsx'
import { useSocial } from './use-social.ts'

const KINDS = {
  behavior: { tree: 'BEHAVIOR', keywords: 'BEHAVIOR_KEYWORDS', name: '行为' },
  interest: { tree: 'INTEREST', keywords: 'INTEREST_KEYWORDS', name: '兴趣' },
} as const

/** Behaviours or interests: categories by number, and keywords, which this platform knows by their text. */
export function TagPicker({ kind }: { kind: keyof typeof KINDS }) {
  const { form, change } = useSocial()
  const categories = form[`${kind}_categories`].map((tag): ChosenTag => ({ kind: 'category', ...tag }))
  const keywords = form[`${kind}_keywords`].map((text): ChosenTag => ({ kind: 'keyword', id: text, name: text }))
  const set = (tags: readonly ChosenTag[]) => {
    const of = (wanted: ChosenTag['kind']) => tags.filter((tag) => tag.kind === wanted)
    const categoriesNow = of('category').map(({ id, name }) => ({ id, ...(name !== undefined && { name }) }))
    change({
      [`${kind}_categories`]: categoriesNow,
      [`${kind}_keywords`]: of('keyword').map(({ id }) => id),
    } as Partial<SocialForm>)
  }
  return (
    <EditorField field={`${kind}_categories`} with={`${kind}_keywords`} isWide>
      <TagChooser
        {...KINDS[kind]}
        keywordsAreTexts
        max={TAGS_MAX}
        chosen={[...categories, ...keywords]}
        onChange={set}
      />
    </EditorField>
  )
}

/** What people intend to do. */
export function IntentionPicker() {
  const { form, change } = useSocial()
  return (
    <Custom field="intention" isWide>
      <TreeChooser
        type="INTENTION"
        name="意向"
        max={TAGS_MAX}
        chosen={form.intention ?? []}
        onChange={(intention) => change({ intention })}
      />
    </Custom>
  )
}
