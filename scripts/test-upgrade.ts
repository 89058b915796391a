import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, run } from './run.ts'

/** Kills servers of an older commit while they work, and continues with this code on their DATA_DIRs. */
const [commit, ...args] = process.argv.slice(2)
if (!commit) {
  console.error('用法：npm run test:upgrade -- <旧版本的 commit>')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'renqun-upgrade-'))
const checkout = join(folder, 'old')
try {
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', checkout, commit], { cwd: ROOT, stdio: 'inherit' })
  execFileSync('node', ['boot.mjs'], { cwd: checkout, stdio: 'inherit' })
  const isFine = await run('vitest', ['run', '--project', 'server', 'server/scenarios/upgrade.test.ts', ...args], {
    RENQUN_OLD_CODE: checkout,
  })
  process.exitCode = isFine ? 0 : 1
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: ROOT })
  rmSync(folder, { recursive: true, force: true })
}
