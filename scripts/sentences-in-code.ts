import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { type Finding, isNode, type Node, walk } from './syntax.ts'

const HAN = /\p{Script=Han}/u
const SEARCHES = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'split',
  'replace',
  'replaceAll',
  'localeCompare',
])
const COMPARES = new Set(['===', '!==', '==', '!='])

/**
 * Finds where Chinese text is compared, searched for, cut, or matched by a regular expression. Code must depend on the
 * code of an outcome, since its sentence may change at any time.
 */
export function sentencesInCode(file: string, source: string, exported: ChineseExports = new Map()): Finding[] {
  const program = parsed(file, source)
  const names = new Set([...chineseNames(program), ...importedNames(file, program, exported)])
  const found = new Map<number, Finding>()
  const report = (node: Node) => {
    const before = source.slice(0, node.start)
    found.set(node.start, { file, line: before.split('\n').length, text: source.slice(node.start, node.end) })
  }
  walk(program, (node) => {
    if (
      node.type === 'Literal' &&
      isNode(node) &&
      node.regex !== undefined &&
      HAN.test(source.slice(node.start, node.end))
    )
      report(node)
    const compared =
      node.type === 'BinaryExpression' && COMPARES.has(node.operator as string)
        ? [node.left, node.right]
        : node.type === 'SwitchCase'
          ? [node.test]
          : node.type === 'CallExpression' && SEARCHES.has(methodOf(node))
            ? [...(node.arguments as unknown[]).slice(0, 1), ...listSearched(node)]
            : node.type === 'NewExpression' && (node.callee as Node).name === 'RegExp'
              ? (node.arguments as unknown[])
              : []
    if (compared.some((one) => isChinese(one, names))) report(node)
  })
  return [...found.values()]
}

export const sentencesInFile = (root: string, file: string, exported: ChineseExports) =>
  sentencesInCode(file, readFileSync(join(root, file), 'utf8'), exported)

/** By file: the names of exported constants that are Chinese text. */
export type ChineseExports = ReadonlyMap<string, ReadonlySet<string>>

export const chineseExports = (root: string, files: readonly string[]): ChineseExports =>
  new Map(files.map((file) => [file, exportsIn(file, readFileSync(join(root, file), 'utf8'))]))

/** The exported constants of one source that are Chinese text. */
export function exportsIn(file: string, source: string): ReadonlySet<string> {
  // Parsing is slow, and most files have none.
  if (!HAN.test(source)) return new Set()
  const program = parsed(file, source)
  const names = chineseNames(program)
  const exported = new Set<string>()
  walk(program, (node) => {
    if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return
    for (const { id } of (node.declaration.declarations ?? []) as { id: Node }[]) {
      if (names.has(id.name as string)) exported.add(id.name as string)
    }
  })
  return exported
}

/** Local names of imported constants that are Chinese text. */
function importedNames(file: string, program: Node, exported: ChineseExports): string[] {
  const found: string[] = []
  walk(program, (node) => {
    if (node.type !== 'ImportDeclaration') return
    const from = exported.get(sourceOf(file, (node.source as Node).value as string))
    for (const { imported, local } of node.specifiers as { imported?: Node; local: Node }[]) {
      if (imported && from?.has(imported.name as string)) found.push(local.name as string)
    }
  })
  return found
}

/** The file that an import names: `#contract/…` or a relative path. */
const sourceOf = (file: string, path: string): string =>
  path.startsWith('#') ? path.slice(1) : normalize(join(dirname(file), path))

function parsed(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program as unknown as Node
}

const methodOf = ({ callee }: Node): string => {
  const property = isNode(callee) && callee.type === 'MemberExpression' ? callee.property : undefined
  return isNode(property) && property.type === 'Identifier' ? (property.name as string) : ''
}

/** `['可用', '失败'].includes(words)` is a comparison too. */
function listSearched({ callee }: Node): unknown[] {
  const list = isNode(callee) && callee.type === 'MemberExpression' ? callee.object : undefined
  return isNode(list) && list.type === 'ArrayExpression' ? (list.elements as unknown[]) : []
}

/** Whether it is a literal or a template with Chinese in it, or a constant with such a value. */
function isChinese(node: unknown, names: ReadonlySet<string>): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return names.has(node.name as string)
  if (node.type === 'Literal') return typeof node.value === 'string' && HAN.test(node.value)
  if (node.type === 'TemplateLiteral') {
    return (node.quasis as Node[]).some(({ value }) => HAN.test((value as { raw: string }).raw))
  }
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return isChinese(node.expression, names)
  return false
}

function chineseNames(program: Node): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || node.id.type !== 'Identifier') return
    if (isChinese(node.init, names)) names.add(node.id.name as string)
  })
  return names
}
