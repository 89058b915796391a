import { quoteName } from '../clickhouse/bind.ts'
import type { EveryShard } from '../clickhouse/handles.ts'

const PREFIX = 'crowd_check_'

export type StagePart = 'raw' | 'lines0' | 'lines1' | 'exceptions' | 'values' | 'change'

/** Tables of a version that is being checked and built; only that job reads them. */
export const stageOf = (crowd_id: number, version: number, part: StagePart) => `${PREFIX}${crowd_id}_${version}_${part}`

async function stagesBelow(load: EveryShard, prefix: string): Promise<string[]> {
  const rows = await load.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})`,
    { prefix },
  )
  return rows.flat().map((row) => row.name)
}

/** Drops the stages of a version, if there are any. */
export async function dropStages(load: EveryShard, crowd_id: number, version: number): Promise<void> {
  for (const name of await stagesBelow(load, `${PREFIX}${crowd_id}_${version}_`))
    await load.command(`DROP TABLE IF EXISTS ${quoteName(name)} SYNC`)
}

/** Versions that have stages. */
export async function stagedVersions(load: EveryShard): Promise<{ crowd_id: number; version: number }[]> {
  const found = new Map<string, { crowd_id: number; version: number }>()
  for (const name of await stagesBelow(load, PREFIX)) {
    const [, crowd_id, version] = new RegExp(`^${PREFIX}(\\d+)_(\\d+)_`).exec(name) ?? []
    if (crowd_id && version)
      found.set(`${crowd_id}_${version}`, { crowd_id: Number(crowd_id), version: Number(version) })
  }
  return [...found.values()]
}
