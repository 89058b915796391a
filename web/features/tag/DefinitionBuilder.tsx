import { AttributeDefinition } from './AttributeDefinition.tsx'
import type { DefinitionProps } from './DefinitionRow.tsx'
import type { DefinitionDraft } from './definition-draft.ts'
import { EventDefinition } from './EventDefinition.tsx'

/** Builds a tag's definition from the imported attributes and events. */
export function DefinitionBuilder(
  props: Omit<DefinitionProps, 'set'> & { onChange: (draft: DefinitionDraft) => void },
) {
  const { draft, onChange, fields, problems } = props
  const set = (change: Partial<DefinitionDraft>) => onChange({ ...draft, ...change })
  const Definition = draft.kind === 'attribute' ? AttributeDefinition : EventDefinition
  return <Definition draft={draft} set={set} fields={fields} problems={problems} />
}
