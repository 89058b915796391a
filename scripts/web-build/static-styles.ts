import type { Plugin } from 'vite'
import { antdStyles } from './antd-styles.ts'
import type { Declared, Node } from './contract-parts.ts'

const STYLES = /\/node_modules\/antd\/es\/.*\bstyle\b/
const HOOKS = ['genStyleHooks', 'genComponentStyleHook']

/**
 * Makes the styles of the components that are drawn first at build time, as a file. antd would otherwise make them in the
 * page, which takes longer than to draw it. The code that makes them is left out.
 */
export function staticStyles(): Plugin {
  const { css, components } = antdStyles()
  const found = new Set<string>()
  let name = ''
  return {
    name: 'static-styles',
    apply: 'build',
    transform(code, id) {
      if (!STYLES.test(id) || !HOOKS.some((hook) => code.includes(hook))) return null
      const { text, names } = withoutStyles(code, this.parse(code) as unknown as Declared, components)
      for (const one of names) found.add(one)
      return names.length > 0 ? { code: text, map: null } : null
    },
    generateBundle() {
      const missed = [...components].filter((one) => !found.has(one))
      if (missed.length > 0) this.error(`antd makes the styles of ${missed.join(', ')} in another way than before`)
      name = this.getFileName(this.emitFile({ type: 'asset', name: 'antd.css', source: css }))
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'link', attrs: { rel: 'stylesheet', crossorigin: true, href: `/${name}` }, injectTo: 'head-prepend' },
        // Styles that antd makes in the page come after this, so that they win against those of the file as they always do.
        {
          tag: 'style',
          attrs: { 'data-rc-order': 'prependQueue', 'data-rc-priority': '-9999' },
          injectTo: 'head-prepend',
        },
      ],
    },
  }
}

/** The code of a style module without the functions that make the styles of `components`, and which of these it had. */
export function withoutStyles(code: string, program: Declared, components: ReadonlySet<string>) {
  const calls: { name: string; maker: Node }[] = []
  visit(program.body, (node) => {
    const [component, maker] = (node.arguments ?? []) as Node[]
    if (node.type !== 'CallExpression' || !HOOKS.includes((node.callee as Node).name as string)) return
    const name = component && nameOf(component)
    if (maker && name && components.has(name)) calls.push({ name, maker })
  })
  const text = calls
    .toSorted((one, other) => other.maker.start - one.maker.start)
    .reduce((whole, { maker }) => `${whole.slice(0, maker.start)}() => []${whole.slice(maker.end)}`, code)
  return { text, names: calls.map(({ name }) => name) }
}

/** `'Menu'` is the component and its part in one; a part of its own is `['Layout', 'Sider']`. */
function nameOf(node: Node): string | null {
  if (node.type === 'Literal') return `${node.value}-${node.value}`
  if (node.type === 'ArrayExpression') return (node.elements as Node[]).map(({ value }) => value).join('-')
  return null
}

function visit(part: unknown, see: (node: Node) => void): void {
  if (Array.isArray(part)) for (const one of part) visit(one, see)
  else if (typeof part === 'object' && part !== null) {
    if ('type' in part) see(part as Node)
    for (const one of Object.values(part)) visit(one, see)
  }
}
