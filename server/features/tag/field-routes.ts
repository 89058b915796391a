import * as contract from '#contract/tag-field.ts'
import { serve } from '../../http/serve.ts'
import type { AttributeRemoval } from './attribute-removal.ts'
import type { FieldLists } from './field-lists.ts'
import type { FieldSettings } from './field-settings.ts'
import type { FieldValues } from './field-values.ts'

export const tagFieldRoutes = (
  fields: FieldLists,
  settings: FieldSettings,
  values: FieldValues,
  removal: AttributeRemoval,
) => [
  serve(contract.listFields, ({ viewer, query }) => fields.fields(viewer, query)),
  serve(contract.getAttribute, ({ viewer, query }) => fields.attribute(viewer, query)),
  serve(contract.updateAttribute, async ({ viewer, body }) => {
    await settings.updateAttribute(viewer, body)
    return null
  }),
  serve(contract.deleteAttribute, async ({ viewer, query }) => {
    await removal.request(viewer, query)
    return null
  }),
  serve(contract.getEvent, ({ viewer, query, signal }) => fields.event(viewer, query, signal)),
  serve(contract.getPropertyValues, ({ viewer, query }) => fields.propertyValues(viewer, query)),
  serve(contract.updateEvent, async ({ viewer, body }) => {
    await settings.updateEvent(viewer, body)
    return null
  }),
  serve(contract.listFieldValues, ({ viewer, query, signal }) => values.suggest(viewer, query, signal)),
]
