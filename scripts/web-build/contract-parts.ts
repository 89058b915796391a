/** The parts of the syntax tree that are looked at. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
export interface Declared {
  body: Node[]
}

/** A statement of a module with the names that it declares and uses. */
interface Statement {
  text: string
  declares: string[]
  uses: Set<string>
  isExported: boolean
  isImport: boolean
  isReexport: boolean
}

/** What the console needs of a call: its schemas and its words are for the server and the API document. */
const KEPT = ['method', 'path', 'changes']
/** Functions that make schemas, beside zod's own. */
const MAKES_SCHEMAS = ['z', 'itemName', 'withSpellings']

/** Cuts a module of the contract, whose types are gone already, into what needs schemas and the rest. */
export function partsOf(code: string, program: Declared) {
  const statements = program.body.map((node) => statementOf(code, node))
  const imports = statements.filter((one) => one.isImport)
  const schemas = new Set(imports.flatMap((one) => one.declares).filter(isSchemaName))
  const declared = statements.filter((one) => one.declares.length > 0 && !one.isImport)
  const needsSchemas = (one: Statement) => [...one.uses].some((name) => schemas.has(name))
  // Until nothing is added: what uses a schema is one of them.
  for (let before = -1; before !== schemas.size; ) {
    before = schemas.size
    for (const one of declared) if (needsSchemas(one)) for (const name of one.declares) schemas.add(name)
  }
  const own = declared.filter(needsSchemas)
  const plain = statements.filter((one) => !own.includes(one))
  const plainNames = plain.filter((one) => !one.isImport).flatMap((one) => one.declares)
  const textOf = (those: readonly Statement[]) => those.map((one) => one.text).join('\n')
  const exported = (those: readonly Statement[]) => those.filter((one) => one.isExported).flatMap((one) => one.declares)
  const reexport = (names: readonly string[], from: string) =>
    names.length > 0 ? `export { ${names.join(', ')} } from ${JSON.stringify(from)}\n` : ''
  return {
    // All that is declared is exported: the schemas use it.
    plain: `${textOf(plain.filter((one) => !one.isReexport))}\nexport { ${hidden(plain).join(', ')} }`,
    schemas: (from: string) =>
      `import { ${plainNames.join(', ')} } from ${JSON.stringify(from)}\n${textOf([...imports, ...own])}`,
    names: (id: string) =>
      reexport(exported(plain), `${id}?plain`) +
      reexport(exported(own), `${id}?schemas`) +
      textOf(plain.filter((one) => one.isReexport)),
  }
}

/** Schemas have names like types: `Rule`, not `RULE_MAX` or `ruleOf`. */
const isSchemaName = (name: string) => MAKES_SCHEMAS.includes(name) || /^[A-Z]+[a-z]/.test(name)

const hidden = (statements: readonly Statement[]) =>
  statements.filter((one) => !one.isExported && !one.isImport).flatMap((one) => one.declares)

function statementOf(code: string, node: Node): Statement {
  const isExport = node.type === 'ExportNamedDeclaration'
  const declaration = (node.declaration ?? node) as Node
  const isReexport = (isExport && !node.declaration) || node.type === 'ExportAllDeclaration'
  const edits: { start: number; end: number; text: string }[] = []
  const uses = new Set<string>()
  for (const { id, init } of (declaration.declarations ?? []) as { id: Node; init: Node | null }[]) {
    const lean = init && leanCall(code, init)
    if (lean) edits.push(lean.edit)
    for (const used of lean ? lean.kept : init ? [init] : []) collect(used, uses)
    collect(id, uses)
  }
  if (declaration.type === 'FunctionDeclaration') collect(declaration, uses)
  const text = edits.reduceRight(
    (whole, edit) => whole.slice(0, edit.start - node.start) + edit.text + whole.slice(edit.end - node.start),
    code.slice(node.start, node.end),
  )
  const declares = isReexport ? [] : namesIn(declaration)
  for (const name of declares) uses.delete(name)
  return {
    text,
    declares,
    uses,
    isExported: isExport && !isReexport,
    isImport: node.type === 'ImportDeclaration',
    isReexport,
  }
}

function namesIn(declaration: Node): string[] {
  if (declaration.type === 'FunctionDeclaration') return [(declaration.id as Node).name as string]
  if (declaration.type === 'ImportDeclaration')
    return (declaration.specifiers as { local: { name: string } }[]).map(({ local }) => local.name)
  return ((declaration.declarations ?? []) as { id: Node }[]).flatMap(({ id }) =>
    id.type === 'Identifier' ? [id.name as string] : [],
  )
}

/** A call that only declares: a console's call as a plain object, or anything else marked as left out when unused. */
function leanCall(
  code: string,
  call: Node,
): { edit: { start: number; end: number; text: string }; kept: Node[] } | null {
  if (call.type !== 'CallExpression') return null
  const { start, end } = call
  const given = (call.arguments as Node[])[0]
  if ((call.callee as Node).name !== 'endpoint' || given?.type !== 'ObjectExpression')
    return { edit: { start, end, text: `/* @__PURE__ */ (() => ${code.slice(start, end)})()` }, kept: [call] }
  const kept = (given.properties as Node[]).filter(
    ({ type, key }) => type === 'SpreadElement' || KEPT.includes((key as Node).name as string),
  )
  return { edit: { start, end, text: `({ ${kept.map((one) => code.slice(one.start, one.end)).join(', ')} })` }, kept }
}

/** The names that a part of the tree uses, properties left out. */
function collect(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) for (const one of part) collect(one, names)
  else if (typeof part === 'object' && part !== null) {
    const node = part as Node
    if (node.type === 'Identifier') names.add(node.name as string)
    for (const [key, value] of Object.entries(node)) {
      const isName = (key === 'property' || key === 'key') && !node.computed
      if (!isName) collect(value, names)
    }
  }
}
