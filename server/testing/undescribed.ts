interface Schema {
  description?: string
  $ref?: string
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  prefixItems?: Schema[]
}

interface Operation {
  parameters?: { name: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Properties and parameters of an OpenAPI document that have no description: `POST /api/tag.definition.kind`. */
export function undescribedProperties({ paths, components }: Document): string[] {
  const found = new Set<string>()
  const referred = (ref: string) => components.schemas[ref.split('/').at(-1) ?? '']
  const parts = (schema: Schema) => [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]

  const isDescribed = (schema: Schema): boolean => {
    if (schema.description) return true
    if (schema.$ref) return Boolean(referred(schema.$ref)?.description)
    const choices = parts(schema).filter(({ type }) => type !== 'null')
    return choices.length > 0 && choices.every(isDescribed)
  }

  const walk = (schema: Schema, at: string): void => {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!isDescribed(property)) found.add(`${at}.${name}`)
      walk(property, `${at}.${name}`)
    }
    const { items, additionalProperties, prefixItems = [] } = schema
    const inner = typeof additionalProperties === 'object' ? [additionalProperties] : []
    for (const one of [...inner, ...parts(schema), ...prefixItems, ...(items ? [items] : [])]) walk(one, at)
  }

  for (const [name, schema] of Object.entries(components.schemas)) walk(schema, name)
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody, responses = {} }] of Object.entries(operations)) {
      const at = `${method.toUpperCase()} ${path}`
      for (const { name, description } of parameters) if (!description) found.add(`${at}.${name}`)
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      for (const { schema } of contents.flatMap((content) => Object.values(content ?? {}))) walk(schema, at)
    }
  }
  return [...found]
}
