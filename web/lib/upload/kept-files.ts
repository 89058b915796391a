const DATABASE = 'renqun-uploads'
const STORE = 'files'
const KEPT_MS = 24 * 3600 * 1000

interface Kept {
  blob: Blob
  at: number
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function inStore<T>(mode: IDBTransactionMode, work: (files: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await done(opening)
  try {
    return await work(database.transaction(STORE, mode).objectStore(STORE))
  } finally {
    database.close()
  }
}

/**
 * Keeps files being uploaded in IndexedDB, so that uploads continue after a reload. What is kept is the content to send
 * (already hashed where hashing is on), until it is sent, for a day at most. If the browser cannot store it (no space, a
 * private window), the page asks for the file again.
 */
export const keptFiles = {
  async put(id: string, blob: Blob): Promise<void> {
    await inStore('readwrite', (files) => done(files.put({ blob, at: Date.now() } satisfies Kept, id))).catch(() => {})
  },

  async get(id: string): Promise<Blob | null> {
    const kept = await inStore('readonly', (files) => done<Kept | undefined>(files.get(id))).catch(() => undefined)
    // The browser may have dropped the content but kept the entry.
    const isThere = await kept?.blob
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      )
    return kept && isThere ? kept.blob : null
  },

  async remove(id: string): Promise<void> {
    await inStore('readwrite', (files) => done(files.delete(id))).catch(() => {})
  },

  /** Deletes files left by closed pages. */
  async sweep(): Promise<void> {
    await inStore('readwrite', async (files) => {
      const [ids, all] = [await done(files.getAllKeys()), await done<Kept[]>(files.getAll())]
      for (const [i, { at }] of all.entries()) {
        const id = ids[i]
        if (id !== undefined && at < Date.now() - KEPT_MS) files.delete(id)
      }
    }).catch(() => {})
  },
}
