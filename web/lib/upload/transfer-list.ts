import type { Transfer } from './transfer.ts'

/** Progress changes many times a second; the page is updated less often. */
const TELL_EVERY_MS = 150

/** The transfers of a page, in order. Changes of phase are reported immediately, progress at intervals. */
export function openTransferList<T extends Transfer>(given: readonly T[], onChange: (items: readonly T[]) => void) {
  let items = given
  let timer: ReturnType<typeof setTimeout> | null = null
  /** The latest work on each transfer; earlier work stops when it finds that it is outdated. */
  const turns = new Map<string, symbol>()

  const find = (id: string) => items.find((item) => item.id === id)

  function tellSoon() {
    timer ??= setTimeout(() => {
      timer = null
      onChange(items)
    }, TELL_EVERY_MS)
  }

  function replace(id: string, next: T) {
    const before = find(id)
    if (!before) return
    items = items.map((item) => (item.id === id ? next : item))
    if (before.phase === next.phase) tellSoon()
    else onChange(items)
  }

  return {
    all: () => items,
    find,
    replace,

    patch(id: string, part: Partial<T>) {
      const item = find(id)
      if (item) replace(id, { ...item, ...part })
    },

    add(more: readonly T[]) {
      items = [...items, ...more]
      onChange(items)
    },

    remove(id: string) {
      items = items.filter((item) => item.id !== id)
      onChange(items)
    },

    /** Starts work on a transfer; the returned function says whether it is still the latest. */
    begin(id: string): () => boolean {
      const turn = Symbol(id)
      turns.set(id, turn)
      return () => turns.get(id) === turn
    },

    close() {
      if (timer) clearTimeout(timer)
    },
  }
}
export type TransferList<T extends Transfer> = ReturnType<typeof openTransferList<T>>
