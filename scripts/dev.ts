import { run } from './run.ts'

/**
 * Where the console is opened during development. Vite forwards calls to the server, which restarts when its files
 * change.
 */
const PORT = process.env.PORT ?? '3000'

const watched = ['server', 'contract', 'cli'].map((folder) => `--watch-path=${folder}`)
await Promise.all([
  run('node', [...watched, '--watch-preserve-output', 'server/main.ts'], { PORT, WEB_BUILD: '0' }),
  run('vite', ['--config', 'vite.config.ts', '--host', '127.0.0.1'], { RENQUN_SERVER: `http://127.0.0.1:${PORT}` }),
])
