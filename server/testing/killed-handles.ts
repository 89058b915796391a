import type { Handles } from '../clickhouse/handles.ts'

/** Handles whose process is killed before or after the given statement: it and the next ones fail. */
export function killed(when: 'before' | 'after', at: number, handles: Handles): Handles {
  let count = 0
  const guard = <T extends object>(on: T): T =>
    new Proxy(on, {
      get: (target, name, receiver) => {
        const own = Reflect.get(target, name, receiver)
        if (typeof own !== 'function') return own
        return async (...given: unknown[]) => {
          const number = count++
          if (number < at) return own.apply(target, given)
          if (number === at && when === 'after') await own.apply(target, given)
          throw new Error('killed')
        }
      },
    })
  return {
    acrossShards: guard(handles.acrossShards),
    oneNode: guard(handles.oneNode),
    everyShard: guard(handles.everyShard),
  }
}
