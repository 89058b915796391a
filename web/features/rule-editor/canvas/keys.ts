import type { RuleOp } from '#contract/rule.ts'
import type { Direction } from '../state/cursor.ts'

export type Command =
  | { type: 'step'; to: Direction }
  /** Moves the box at the cursor past its neighbour, out of its box or into the one beside it. */
  | { type: 'move'; to: 'left' | 'right' | 'up' | 'down' }
  /** Sets the operator of the box at the cursor; `before`: the one that joins it to the part before it. */
  | { type: 'op'; op: RuleOp; before: boolean }
  | { type: 'menu' | 'delete' | 'add' | 'fold' | 'cut' | 'paste' | 'release' | 'search' | 'help' }

export type History = 'undo' | 'redo' | 'save'

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

const STEPS: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
}

const PLAIN: Record<string, Command['type'] & ('menu' | 'delete' | 'add' | 'fold' | 'release' | 'search' | 'help')> = {
  Enter: 'menu',
  Delete: 'delete',
  Backspace: 'delete',
  a: 'add',
  '+': 'add',
  ' ': 'fold',
  Escape: 'release',
  '/': 'search',
  '?': 'help',
}

/** The command of a key on the canvas. */
export function commandOf(press: Press): Command | null {
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  if (press.altKey) return null
  if (press.ctrlKey || press.metaKey) {
    if (key === 'x') return { type: 'cut' }
    if (key === 'v') return { type: 'paste' }
    return null
  }
  const to = STEPS[key]
  if (to) return press.shiftKey && to !== 'first' && to !== 'last' ? { type: 'move', to } : { type: 'step', to }
  if (key === 'n' || key === 'u' || key === 'e') return { type: 'op', op: key, before: press.shiftKey }
  const plain = PLAIN[key]
  return plain ? { type: plain } : null
}

/** The command of a key anywhere in the editor except in a text field. */
export function historyOf(press: Press): History | null {
  if (!(press.ctrlKey || press.metaKey) || press.altKey) return null
  const key = press.key.toLowerCase()
  if (key === 'z') return press.shiftKey ? 'redo' : 'undo'
  if (key === 'y') return 'redo'
  return key === 's' ? 'save' : null
}

export const KEYS: { keys: string[]; effect: string }[] = [
  { keys: ['Tab'], effect: '在标签、表单与画布之间移动' },
  { keys: ['↑', '↓'], effect: '移到外层、进入内层（规则内的标签也是一层）' },
  { keys: ['←', '→'], effect: '移到前一个、后一个' },
  { keys: ['Home', 'End'], effect: '移到第一条、最后一条规则' },
  { keys: ['/'], effect: '搜索标签；在标签上按 Enter 加入当前规则' },
  { keys: ['Ctrl Enter'], effect: '在历史人群上：载入它的整个规则' },
  { keys: ['A'], effect: '添加规则，选择交、并或差' },
  { keys: ['Shift ←', 'Shift →'], effect: '把当前框移到前一个之前、后一个之后' },
  { keys: ['Shift ↑', 'Shift ↓'], effect: '把当前框移出外层、移入旁边的框' },
  { keys: ['N', 'U', 'E'], effect: '当前框改为 交、并、差' },
  { keys: ['Shift N', 'Shift U', 'Shift E'], effect: '当前框与前面的关系改为 交、并、差' },
  { keys: ['Enter'], effect: '打开当前框的运算符菜单' },
  { keys: ['Delete'], effect: '删除当前标签或规则' },
  { keys: ['Ctrl X', 'Ctrl V'], effect: '剪切标签，移到另一条规则' },
  { keys: ['空格'], effect: '收起或展开当前框' },
  { keys: ['Ctrl Z', 'Ctrl Y'], effect: '撤销、重做' },
  { keys: ['Ctrl S'], effect: '保存' },
]
