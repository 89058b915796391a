import { configDefaults, defineConfig } from 'vitest/config'
import { UnitSequence } from './scripts/unit-sequence.ts'

// chDB aborts in worker threads, so test files run in processes.
const node = { pool: 'forks' as const, environment: 'node', testTimeout: 30_000, hookTimeout: 60_000 }
const exclude = [...configDefaults.exclude, '**/.types/**', '**/dist/**']
const suite = (name: string, include: string[], rest = {}) => ({ test: { name, include, exclude, ...node, ...rest } })

export default defineConfig({
  test: {
    // A file with stores open weighs several hundred MB. Some wait for servers of their own more than they compute: two
    // cores are busy with three.
    maxWorkers: 3,
    globalSetup: './scripts/unit-disk.ts',
    sequence: { sequencer: UnitSequence },
    projects: [
      suite('contract', ['contract/**/*.test.ts']),
      suite('server', ['server/**/*.test.ts', 'sandbox/**/*.test.ts', 'bench/**/*.test.ts'], {
        env: { UV_THREADPOOL_SIZE: '32' },
        // A process takes one file after the other: modules are loaded once, and databases are handed on.
        isolate: false,
        restoreMocks: true,
      }),
      suite('tools', ['cli/**/*.test.ts', 'scripts/**/*.test.ts']),
      suite('web', ['web/**/*.test.{ts,tsx}']),
    ],
  },
})
