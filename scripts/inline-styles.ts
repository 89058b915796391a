import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { type Finding, isNode, type Node, walk } from './syntax.ts'

/** Attributes that become inline styles; antd's `styles` holds one object for each part of a component. */
const STYLES = new Set(['style', 'styles'])

/**
 * Finds constants in inline styles. Layout belongs into the feature's `*.module.css`, looks into antd's tokens; only
 * what is computed while the page runs, such as the height of a virtual list, is an inline style.
 */
export function inlineStylesIn(file: string, source: string): Finding[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Finding[] = []
  walk(program as unknown as Node, (node) => {
    const value = styleOf(node)
    if (value === null) return
    walk(value, (part) => {
      if (part.type !== 'Property' || !isConstant(part.value)) return
      const line = source.slice(0, part.start).split('\n').length
      found.push({ file, line, text: source.slice(part.start, part.end) })
    })
  })
  return found
}

export const inlineStylesInFile = (root: string, file: string) =>
  inlineStylesIn(file, readFileSync(join(root, file), 'utf8'))

/** The object of `style={{…}}`, or of `{ style: {…} }`, as antd takes it for cells and menus. */
function styleOf(node: Node): Node | null {
  const [name, value] =
    node.type === 'JSXAttribute'
      ? [nameOf(node.name), isNode(node.value) ? node.value.expression : null]
      : node.type === 'Property'
        ? [nameOf(node.key), node.value]
        : ['', null]
  return STYLES.has(name) && isNode(value) && value.type === 'ObjectExpression' ? value : null
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === 'string' ? node.name : '')

/** A literal, or a colour or size of antd's theme, which the module reads as `var(--ant-…)`. */
function isConstant(value: unknown): boolean {
  if (!isNode(value)) return false
  if (value.type === 'UnaryExpression') return isConstant(value.argument)
  if (value.type === 'TemplateLiteral') return (value.expressions as unknown[]).every(isConstant)
  if (value.type === 'MemberExpression') return nameOf(value.object) === 'token'
  return value.type === 'Literal'
}
