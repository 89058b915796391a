import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'
import { UnitSequence } from './scripts/unit-sequence.ts'
import { unitWorkers } from './scripts/unit-workers.ts'

// chDB aborts in worker threads, so test files run in processes.
const node = { pool: 'forks' as const, environment: 'node', testTimeout: 90_000, hookTimeout: 120_000 }
const exclude = [...configDefaults.exclude, '**/.types/**', '**/dist/**']
/**
 * Scenarios that kill or start servers again and again or search for odd values, and files of rarer settings that take
 * long: a command of their own runs them, so that the usual tests stay short.
 */
const LONG = '**/*.long.test.ts'
const onStores = {
  // Worker threads are begun often, and most of their time is compiling.
  env: {
    UV_THREADPOOL_SIZE: '32',
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
  },
  // A process takes one file after the other: modules are loaded once, and databases are handed on.
  isolate: false,
  restoreMocks: true,
  // Many of these kill and pause processes on a machine that others use too. The report names what needed it.
  retry: 1,
}
const suite = (name: string, include: string[], rest = {}) => ({ test: { name, include, exclude, ...node, ...rest } })

export default defineConfig({
  test: {
    maxWorkers: unitWorkers({ cores: availableParallelism(), memory: availableMemory() }),
    globalSetup: './scripts/unit-setup.ts',
    sequence: { sequencer: UnitSequence },
    projects: [
      suite('contract', ['contract/**/*.test.ts'], { isolate: false }),
      suite('server', ['server/**/*.test.ts', 'sandbox/**/*.test.ts', 'bench/**/*.test.ts'], {
        ...onStores,
        exclude: [...exclude, LONG],
      }),
      suite('long', [LONG], onStores),
      suite('tools', ['cli/**/*.test.ts', 'scripts/**/*.test.ts', 'e2e/**/*.test.ts']),
      suite('web', ['web/**/*.test.{ts,tsx}'], { isolate: false }),
    ],
  },
})
