import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { FAULTS } from '#contract/errors.ts'
import { PLAIN_CALLS, type PlainCall } from '#contract/plain-calls.ts'
import { addExamples } from './api-examples.ts'
import { spellingsOf } from './mount.ts'

type Json = Record<string, unknown>
type TransformObject = ReturnType<typeof createJsonSchemaTransformObject>

/** Markdown rows of every refusal, by code. */
const errorTable = (): string =>
  Object.values(FAULTS)
    .toSorted((one, other) => one.code - other.code)
    .map(({ code, status, msg }) => `| ${code} | ${status} | ${msg} |`)
    .join('\n')

const DESCRIPTION = `所有回答都是 \`{code, msg, data}\`：code 为 0 表示成功，否则 msg 是可直接展示的说明，outcome 是它的 \`{code, params}\`，供程序判断。

用登录得到的会话 Cookie 或接口令牌（\`Authorization: Bearer 令牌\`）调用；修改类调用要么来自本站页面，要么带令牌。修改类调用的内容中有不认识的参数时拒绝，并指出参数名。

时间是 Unix 时间戳（秒），时长注明单位；ID 是整数，平台的编号是文字。\`/api/v1/\` 开头的调用也可以写作 \`/v1/\`。

### 错误码

花括号里的内容因情况而定。

| code | HTTP 状态 | msg |
|---|---|---|
${errorTable()}
`

/** Bodies refuse keys that they do not name, and so does their description. */
function override({ zodSchema, jsonSchema }: { zodSchema: { _zod: { def: { type: string } } }; jsonSchema: Json }) {
  if (zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties ??= false
}
const zodToJsonConfig = { override }

/** An operation of the document for a call beside the table of endpoints. */
function operationOf({ method, path, group, summary, isPublic, parameters, body, answer }: PlainCall): Json {
  const headers = Object.entries(answer.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const bytes = { schema: { type: 'string', format: 'binary' } }
  return {
    operationId: `${method} ${path}`,
    tags: [group],
    summary,
    ...(isPublic ? { security: [] } : {}),
    parameters: parameters.map((one) => ({ ...one, schema: { type: 'string' } })),
    ...(body
      ? { requestBody: { required: true, description: body.description, content: { [body.type]: bytes } } }
      : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
        ...(answer.type ? { content: { [answer.type]: bytes } } : {}),
      },
      ...Object.fromEntries(
        ['4XX', '5XX'].map((status) => [
          status,
          {
            description: '失败',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        ]),
      ),
    },
  }
}

/** The paths of the calls beside the table of endpoints. */
function plainPaths(): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const call of PLAIN_CALLS) {
    for (const path of spellingsOf(call.path)) {
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
    }
  }
  return paths
}

/** The schemas that the document uses: the library writes each twice, for input and for output. */
function usedSchemas(schemas: Record<string, Json>, paths: unknown): Record<string, Json> {
  const used = new Set<string>()
  const waiting: unknown[] = [paths]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      waiting.push(schemas[name] ?? {})
    }
  }
  // Sorted, since the order of the library's list depends on what was imported first.
  return Object.fromEntries([...used].toSorted().map((name) => [name, schemas[name] ?? {}]))
}

const withSchemas = createJsonSchemaTransformObject({ zodToJsonConfig })

const transformObject: TransformObject = (document) => {
  const made = withSchemas(document) as Json & { components: { schemas: Record<string, Json> }; paths: Json }
  const paths = { ...made.paths, ...plainPaths() }
  const schemas = usedSchemas(made.components.schemas, paths)
  addExamples([paths, schemas])
  return { ...made, paths, components: { ...made.components, schemas } } as ReturnType<TransformObject>
}

/** The API document at `/api/docs` and in `docs/openapi.json`, made from the contract. */
export const apiDocument: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: '人群 Renqun', version: '1', description: DESCRIPTION },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'renqun_session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
    security: [{ session: [] }, { token: [] }],
  },
  transform: createJsonSchemaTransform({ zodToJsonConfig }),
  // Writes the schemas that have an id once, under components.
  transformObject,
}
