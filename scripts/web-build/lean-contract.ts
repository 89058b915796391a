import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { type Declared, partsOf } from './contract-parts.ts'

/** What a module of the contract is cut into: what needs schemas, and the rest. */
const PART = /\/contract\/[^?]*\.ts\?(plain|schemas)$/
const isContract = (id: string) => /\/contract\/[^?]*\.ts$/.test(id)
const isOurs = (id: string) => /\/web\/[^?]*\.tsx?$/.test(id) && !id.includes('/node_modules/')

/** What calls lose, see `contract-parts.ts`. */
const DROPPED = 'params|query|body|data|summary|group|also|access|readers|holdsSecret|isRepeated'

/**
 * The contract declares each call once, for the server too. In the console's build a call keeps what is sent, and schemas
 * are modules of their own: a page fetches those that it checks an input with, and the first page none and no zod.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    resolveId: (id) => (PART.test(id) ? id : null),
    load: (id) => (PART.test(id) ? readFileSync(id.replace(/\?.*/, ''), 'utf8') : null),
    transform(code, id) {
      const part = PART.exec(id)?.[1]
      if (part || isContract(id)) {
        const parts = partsOf(code, this.parse(code) as unknown as Declared)
        const text = part === 'plain' ? parts.plain : part === 'schemas' ? parts.schemas(plainOf(id)) : parts.names(id)
        return { code: text, map: null, moduleSideEffects: false }
      }
      if (isOurs(id))
        for (const lost of lostUses(code))
          this.error(`${lost} is not in the console's build: export the schema by a name of its own`)
      return null
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !SCHEMALESS.includes(chunk.name)) continue
        const schemas = chunk.moduleIds.filter((id) => id.endsWith('?schemas'))
        if (schemas.length > 0)
          this.error(`the first page would fetch zod: ${chunk.name} holds ${schemas.map(fileOf).join(', ')}`)
      }
    },
  }
}

/** The pieces that the first page is drawn with. */
const SCHEMALESS = ['shell', 'index', 'lists']
const fileOf = (id: string) => id.replace(/^.*(?=\/contract\/)/, '').replace('?schemas', '')

const plainOf = (id: string) => id.replace('?schemas', '?plain')

/** Uses of what calls lose, such as `createTag.body.shape`; `code` has no types any more. */
export function lostUses(code: string): string[] {
  const imports = code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](?:#contract|[^"']*\/contract)\/[^"']*["']/g)
  const names = [...imports].flatMap(([, list = '']) => list.split(',').map((name) => name.trim().split(' as ').at(-1)))
  const calls = names.filter((name) => name && /^[a-z]/.test(name))
  return calls.flatMap((name) => code.match(new RegExp(`\\b${name}\\.(?:${DROPPED})\\b(?!\\()`))?.[0] ?? [])
}
