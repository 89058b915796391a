import { leftOutText } from '#contract/tag.ts'
import type { OperatorKey } from '#contract/tag-condition.ts'
import { ConditionFields } from './condition/ConditionFields.tsx'
import { type DefinitionProps, DefinitionRow } from './DefinitionRow.tsx'
import { startCondition } from './definition-draft.ts'
import { FieldSelect } from './FieldSelect.tsx'
import { useAttribute } from './use-fields.ts'

const VALUELESS = '没有值的人不计入；也要包含他们时，另建一个「为空」的标签取并集。'
const NOTES: Partial<Record<OperatorKey, string>> = {
  not_equals: VALUELESS,
  not_in: VALUELESS,
  empty: '该广告主中没有这个属性值的所有人。',
}

/** The attribute of an attribute tag, and the condition on its value. */
export function AttributeDefinition({ draft, set, advId, problems }: DefinitionProps) {
  const info = useAttribute(advId, draft.attribute)
  return (
    <>
      <DefinitionRow label="属性" problem={problems.attribute} note={leftOutText(info?.left_out ?? [])}>
        <FieldSelect
          advId={advId}
          kind="attributes"
          label="属性"
          value={draft.attribute === null ? null : (info ?? { name: draft.attribute, display_name: '' })}
          onChange={({ name, type }) => set({ attribute: name, condition: startCondition(draft.condition, type) })}
        />
      </DefinitionRow>
      <DefinitionRow label="条件" problem={problems.condition} note={NOTES[draft.condition.is]}>
        <ConditionFields
          value={draft.condition}
          onChange={(condition) => set({ condition })}
          source={draft.attribute === null ? null : { adv_id: advId, attribute: draft.attribute }}
          type={info?.type ?? null}
          hasProblem={Boolean(problems.condition)}
        />
      </DefinitionRow>
    </>
  )
}
