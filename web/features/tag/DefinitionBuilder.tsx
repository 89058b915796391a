import type { ReactNode } from 'react'
import { AttributeDefinition } from './AttributeDefinition.tsx'
import type { DefinitionProps } from './DefinitionRow.tsx'
import type { DefinitionDraft, DraftKind } from './definition-draft.ts'
import { EventDefinition } from './EventDefinition.tsx'

const DEFINITIONS: Record<DraftKind, (props: DefinitionProps) => ReactNode> = {
  attribute: AttributeDefinition,
  event: EventDefinition,
}

/** Builds a tag's definition from the imported attributes and events. */
export function DefinitionBuilder(
  props: Omit<DefinitionProps, 'set'> & { onChange: (draft: DefinitionDraft) => void },
) {
  const { draft, onChange, advId, problems } = props
  const set = (change: Partial<DefinitionDraft>) => onChange({ ...draft, ...change })
  const Definition = DEFINITIONS[draft.kind]
  return <Definition draft={draft} set={set} advId={advId} problems={problems} />
}
