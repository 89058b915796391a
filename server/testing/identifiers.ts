import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IdentifierType } from '#contract/identifier.ts'
import { identifierStore } from '../identifiers/identifiers.ts'
import type { BuildRequest, CheckRun, FileReport } from '../identifiers/types.ts'
import { testWarehouse } from './warehouse.ts'

export const CROWD = { adv_id: 1, crowd_id: 100 }

/** The identifiers of one uploaded crowd over a warehouse for this test file. */
export async function testIdentifiers(limits: { valuesAtOnce?: number; pieceBytes?: number } = {}) {
  const warehouse = await testWarehouse()
  const dataDir = mkdtempSync(join(tmpdir(), 'renqun-identifiers-'))
  const key = Buffer.alloc(32, 7)
  const store = identifierStore({ warehouse, dataDir, personKey: key, ...limits })
  let files = 0
  return {
    warehouse,
    dataDir,
    key,
    store,

    /** A file as after an upload. */
    aFile(content: string | Buffer, name = 'a.txt') {
      const file_id = ++files
      const path = join(dataDir, `upload-${file_id}`)
      writeFileSync(path, content)
      return { file_id, path, name }
    },

    async check(
      type: IdentifierType,
      given: readonly { file_id: number; path: string; name: string }[],
      version = 1,
      run: CheckRun & { store?: typeof store } = {},
    ) {
      const reports: FileReport[] = []
      const totals = await (run.store ?? store).check(
        { ...CROWD, version, type, files: given },
        { signal: new AbortController().signal, ...run, fileDone: (_, report) => void reports.push(report) },
      )
      return { totals, reports }
    },

    build: (type: IdentifierType, version: number, rest: Partial<BuildRequest> = {}) =>
      store.build(
        { ...CROWD, version, type, kind: 'create', base_version: 0, ...rest },
        { signal: new AbortController().signal },
      ),

    async values(type: IdentifierType, version: number): Promise<string[]> {
      const rows = await warehouse.load.acrossShards.query<{ value: string }>(
        `SELECT value FROM (${store.valuesSql({ ...CROWD, version, type })}) ORDER BY value`,
      )
      return rows.map((row) => row.value)
    },

    async close() {
      await warehouse.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
