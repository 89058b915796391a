import { App } from 'antd'
import { atMost } from './at-most.ts'

/** What of a new choice a picker holds; says so where it is full. `name`: of what it chooses. */
export function useAtMost(name: string, max: number | undefined) {
  const { message } = App.useApp()
  return <T>(next: readonly T[], before: readonly T[], keyOf: (one: T) => string): T[] => {
    if (max === undefined) return [...next]
    const held = atMost(next, before, max, keyOf)
    if (held.length < next.length) void message.warning({ key: `full ${name}`, content: `${name}最多选择${max}项` })
    return held
  }
}
