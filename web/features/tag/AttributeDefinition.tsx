import { Select } from 'antd'
import { leftOutText } from '#contract/tag.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { type DefinitionProps, DefinitionRow, labelOf } from './DefinitionRow.tsx'

/** The attribute of an attribute tag, and the condition on its value. */
export function AttributeDefinition({ draft, set, fields, problems }: DefinitionProps) {
  const info = fields.attributes.find((one) => one.name === draft.attribute)
  return (
    <>
      <DefinitionRow label="属性" problem={problems.attribute} note={leftOutText(info?.left_out ?? [])}>
        <Select
          aria-label="属性"
          placeholder="选择属性"
          value={draft.attribute}
          onChange={(attribute) =>
            set({ attribute, condition: { ...draft.condition, value: '', values: [], from: '', to: '' } })
          }
          showSearch={{ optionFilterProp: 'label' }}
          options={fields.attributes.map((one) => ({ value: one.name, label: labelOf(one) }))}
        />
      </DefinitionRow>
      <DefinitionRow label="条件" problem={problems.condition}>
        <ConditionFields
          value={draft.condition}
          onChange={(condition) => set({ condition })}
          suggestions={info?.values ?? []}
          type={info?.type ?? null}
          hasProblem={Boolean(problems.condition)}
        />
      </DefinitionRow>
    </>
  )
}
