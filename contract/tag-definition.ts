import { z } from 'zod'
import type { Outcome } from './outcome.ts'
import { conditionFault, conditionText, ValueCondition } from './tag-condition.ts'
import { EventDefinition, eventFaults, eventText, Field } from './tag-event.ts'

/** Everyone whose attribute meets the condition. */
export const AttributeDefinition = z.object({
  kind: z.literal('attribute').describe('属性条件'),
  attribute: Field.describe('属性名称'),
  condition: ValueCondition.describe('对属性值的条件'),
})
export type AttributeDefinition = z.infer<typeof AttributeDefinition>
const EveryoneDefinition = z.object({ kind: z.literal('everyone').describe('该广告主的全部用户') })

export const TagDefinition = z
  .discriminatedUnion('kind', [AttributeDefinition, EventDefinition, EveryoneDefinition])
  .meta({ id: 'TagDefinition', description: '标签的定义：属性条件、事件条件，或全部用户' })
export type TagDefinition = z.infer<typeof TagDefinition>
export type TagKind = TagDefinition['kind']

/** What is wrong with a definition beside its schema; null if nothing is. */
export function definitionFault(definition: TagDefinition): Outcome | null {
  switch (definition.kind) {
    case 'attribute':
      return conditionFault(definition.condition)
    case 'event':
      return eventFaults(definition)[0]?.reason ?? null
    case 'everyone':
      return null
  }
}

/** Display names of fields; if left out, the names on the wire. */
export interface FieldNames {
  attribute?: (name: string) => string
  event?: (name: string) => string
  property?: (event: string, name: string) => string
  /** The name of an attribute's value. */
  value?: (attribute: string, value: string) => string
  /** The name of a value of an event's property. */
  propertyValue?: (event: string, property: string, value: string) => string
}

/** What a tag means, as one Chinese phrase. */
export function definitionText(definition: TagDefinition, names: FieldNames = {}): string {
  switch (definition.kind) {
    case 'everyone':
      return '该广告主的全部用户'
    case 'attribute':
      return conditionText(
        names.attribute?.(definition.attribute) ?? definition.attribute,
        definition.condition,
        (value) => names.value?.(definition.attribute, value) ?? value,
      )
    case 'event':
      return eventText(definition, {
        event: names.event?.(definition.event) ?? definition.event,
        property: (name) => names.property?.(definition.event, name) ?? name,
        value: (property, value) => names.propertyValue?.(definition.event, property, value) ?? value,
      })
  }
}
