import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files, which come first so that none runs alone at the end; a fresh clone has no measured durations. */
const LONGEST = [
  'server/scenarios/push-storm.long.test.ts',
  'server/scenarios/kill.long.test.ts',
  'server/features/report/report.test.ts',
  'server/scenarios/hostile-keys.long.test.ts',
  'server/features/tracking/identity.long.test.ts',
  'server/process/start.long.test.ts',
  'server/features/import/undo.long.test.ts',
  'server/scenarios/third-platform.long.test.ts',
  'server/scenarios/package-kill.long.test.ts',
  'server/features/push/push.test.ts',
  'server/features/activity/there/there.test.ts',
  'server/features/tag/field-settings.long.test.ts',
  'server/features/targeting-package/mirror/mirror.test.ts',
  'server/reports/reports.test.ts',
  'server/ingest/load-reports.test.ts',
  'server/hostile/hostile.long.test.ts',
  'server/scenarios/undo-kill.long.test.ts',
  'server/clickhouse/rule/evaluate.long.test.ts',
  'server/commands/imports.long.test.ts',
  'server/features/custom-crowd/kill.long.test.ts',
  'server/demo/demo.long.test.ts',
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
