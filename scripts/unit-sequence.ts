import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files, which come first so that none runs alone at the end; a fresh clone has no measured durations. */
const LONGEST = [
  'server/scenarios/push-storm.test.ts',
  'server/scenarios/kill.test.ts',
  'server/process/start.test.ts',
  'server/features/import/undo.test.ts',
  'server/scenarios/third-platform.test.ts',
  'server/scenarios/package-kill.test.ts',
  'server/features/push/push.test.ts',
  'server/hostile/hostile.test.ts',
  'server/scenarios/undo-kill.test.ts',
  'server/clickhouse/rule/evaluate.test.ts',
  'server/commands/imports.test.ts',
  'server/features/custom-crowd/kill.test.ts',
  'server/demo/demo.test.ts',
  'server/ingest/load.test.ts',
]

export class UnitSequence extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}
