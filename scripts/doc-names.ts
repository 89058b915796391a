import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** The repository as the documents are compared with it. */
export interface Sources {
  /** Paths of all files, and of the folders that hold them with a slash at the end. */
  paths: readonly string[]
  /** Every word of the code, comments left out. */
  words: ReadonlySet<string>
  /** All code and configuration as one text, comments left out; addresses of calls are searched in it. */
  text: string
  /** The names of npm's scripts. */
  commands: ReadonlySet<string>
}

/** A name in a document that the sources do not have. */
export interface MissingName {
  line: number
  name: string
}

const ROOTS = ['contract', 'server', 'web', 'cli', 'sandbox', 'scripts', 'e2e', 'bench', 'docs']
const exclude = ['**/node_modules/**', '**/dist/**', '**/.types/**', 'bench/.peers/**']
const WORD = /[A-Za-z_][A-Za-z0-9_]*/g
const HIDDEN = '.dependency-cruiser.mjs'

export function sourcesOf(root: string, except: (file: string) => boolean): Sources {
  const files = [
    ...ROOTS.flatMap((name) => globSync(`${name}/**/*.*`, { cwd: root, exclude })),
    ...globSync('*', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name),
    HIDDEN,
  ]
  const texts = files
    .filter((file) => /\.(tsx?|m?ts|mjs|json|css)$/.test(file) && !/^docs\/|package-lock/.test(file) && !except(file))
    .map((file) => withoutComments(file, readFileSync(join(root, file), 'utf8')))
  const text = texts.join('\n')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  return {
    paths: [...new Set(files.flatMap((file) => [file, ...foldersOf(file)]))],
    words: new Set(text.match(WORD)),
    text,
    commands: new Set(Object.keys(manifest.scripts)),
  }
}

/** `server/jobs/open.ts` is in `server/` and `server/jobs/`. */
const foldersOf = (file: string) => {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
}

/** A name that only a comment still mentions is gone from the code. */
function withoutComments(file: string, source: string): string {
  if (!/\.(tsx?|mts|mjs)$/.test(file)) return source
  const { comments } = parseSync(file, source)
  let text = ''
  let from = 0
  for (const { start, end } of comments) {
    text += source.slice(from, start)
    from = end
  }
  return text + source.slice(from)
}

/** The names between backticks and the targets of links that the sources do not have. Blocks of code are not read. */
export function missingNames(markdown: string, folder: string, sources: Sources): MissingName[] {
  const missing: MissingName[] = []
  let isBlock = false
  for (const [index, text] of markdown.split('\n').entries()) {
    if (/^\s*```/.test(text)) isBlock = !isBlock
    if (isBlock) continue
    const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => (span as string).replaceAll('\\|', '|'))
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link as string)
    const names = [
      ...spans.filter((span) => !/^[+−-]\d+$/.test(span)).flatMap((span) => missingInSpan(span, sources)),
      ...links.filter((link) => !sources.paths.includes(join(folder, link))),
    ]
    for (const name of new Set(names)) missing.push({ line: index + 1, name })
  }
  return missing
}

const PATH = /^[\w@.<>|*{},-]*\/[\w@.<>|*{},/-]*$|^[\w.*-]+\.(tsx?|mjs|json|md|css)$/
const HYPHENATED = /^[A-Za-z]+(-[A-Za-z]+)+$/

function missingInSpan(span: string, { paths, words, text, commands }: Sources): string[] {
  const command = /^npm run ([\w:]+)/.exec(span)?.[1]
  if (command) return commands.has(command) ? [] : [span]
  // The address of a call; a parameter or … ends what is compared.
  if (/^\/[a-z]/.test(span)) return text.includes(span.replace(/\/?(…|<).*$/, '')) ? [] : [span]
  if (PATH.test(span)) return paths.some((path) => pathPattern(span).test(path)) ? [] : [span]
  // A package, a header or a CSS class.
  if (HYPHENATED.test(span)) return text.includes(span) || text.includes(span.toLowerCase()) ? [] : [span]
  return (span.match(WORD) ?? []).filter((word) => word.length > 1 && !isWord(words, word))
}

/** The beginning or end of a composed name, such as `_URL`, counts where it is part of a word. */
function isWord(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word) || words.has(word.replace(/^_/, ''))) return true
  return word.endsWith('_') && [...words].some((known) => known.startsWith(word))
}

/** A path may be given from a folder further down, and with `*`, `<any name>`, `<a|b>` or `{a,b}` in it. */
function pathPattern(span: string): RegExp {
  const pattern = span
    .replace(/^\.\//, '')
    .replace(/\./g, '\\.')
    .replace(/\*+/g, '[^/]*')
    .replace(/<[^>]*>/g, '[^/]+')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`)
  return new RegExp(`(^|/)${pattern}/?$`)
}
