import { forgetAllKeptLines } from './hash/kept-store.ts'

/** Values kept in the browser: session storage completes URLs and keeps unfinished work, local storage keeps preferences. */
type Kept = 'session' | 'local'

const store = (kept: Kept) => (kept === 'session' ? window.sessionStorage : window.localStorage)

/** Storage may be forbidden or full; the page works without it. */
function slot<T>(kept: Kept, name: string, read: (value: unknown) => T | null) {
  return {
    name,
    get(): T | null {
      try {
        const text = store(kept).getItem(name)
        return text === null ? null : read(JSON.parse(text))
      } catch {
        return null
      }
    },
    set(value: T) {
      try {
        store(kept).setItem(name, JSON.stringify(value))
      } catch {}
    },
    clear() {
      try {
        store(kept).removeItem(name)
      } catch {}
    },
  }
}

const asId = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null)
const asCount = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null)
const asFlag = (value: unknown) => (typeof value === 'boolean' ? value : null)
const asRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

const asEmbedding = (value: unknown) => {
  const { session, origin } = asRecord(value) ?? {}
  return typeof session === 'string' && typeof origin === 'string' ? { session, origin } : null
}

export type ThemeChoice = 'light' | 'dark' | 'system'
const asTheme = (value: unknown): ThemeChoice | null =>
  value === 'light' || value === 'dark' || value === 'system' ? value : null

export const saved = {
  /** The folder chosen in the crowd assets; 0 for all folders. */
  peopleTreeId: slot('session', 'peopleTreeId', asCount),
  /** The folder chosen in the custom crowds; 0 for all folders. */
  customCrowdTreeId: slot('session', 'customCrowdTreeId', asCount),
  /** The platform account of the last push. */
  pushChoice: slot('session', 'pushChoice', asRecord),
  /** Unsaved work in the rule editor. */
  cowdMessage: slot('session', 'cowdMessage', asRecord),
  /** What the dialog of a new targeting package chose, by the ticket in the editor's address. */
  gdtCowdMessage: slot('session', 'gdtCowdMessage', asRecord),
  /** Unsaved work in the editor of targeting packages. */
  targetingWork: slot('session', 'targetingWork', asRecord),
  /** A file uploaded on the data access page and not imported yet. */
  importUpload: slot('session', 'importUpload', asRecord),

  /** The viewer whose values these are. */
  viewer: slot('session', 'viewer', asId),

  /** A frame's session and the site around it. */
  embedding: slot('session', 'embedding', asEmbedding),

  sideBarFolded: slot('local', 'sideBarFolded', asFlag),
  theme: slot('local', 'theme', asTheme),
  advertiser: slot('local', 'advertiser', asId),
  /** The columns of the last export of people, by viewer and advertiser. */
  exportColumns: slot('local', 'exportColumns', asRecord),
}

/** Sets who is signed in, and drops unfinished work that another viewer left in this tab. */
export function switchViewer(viewer_id: number): void {
  const before = saved.viewer.get()
  if (before !== null && before !== viewer_id) {
    const left = [saved.pushChoice, saved.cowdMessage, saved.gdtCowdMessage, saved.targetingWork, saved.importUpload]
    for (const one of left) one.clear()
    forgetAllKeptLines()
  }
  saved.viewer.set(viewer_id)
}

const columnsKey = (adv_id: number) => `${saved.viewer.get() ?? 0} ${adv_id}`

/** The columns that the viewer exported last of an advertiser's people; none if there are none. */
export const exportColumns = {
  get(adv_id: number): string[] {
    const kept = saved.exportColumns.get()?.[columnsKey(adv_id)]
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  },
  set(adv_id: number, columns: readonly string[]) {
    saved.exportColumns.set({ ...saved.exportColumns.get(), [columnsKey(adv_id)]: columns })
  },
}
