import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PEERS = join(import.meta.dirname, '.peers')
const require = createRequire(import.meta.url)

/** Where this Node's headers are, for packages that compile; they are part of its own package. */
function nodeHome(): string | undefined {
  try {
    return dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`))
  } catch {
    return undefined
  }
}

/** A package used only for comparison; installed beside the benchmark at its first run, never a dependency. */
export function peer(name: string, version: string): unknown {
  const installed = join(PEERS, 'node_modules', name)
  if (!existsSync(join(installed, 'package.json'))) {
    console.log(`Installing ${name} ${version} to compare with …`)
    mkdirSync(PEERS, { recursive: true })
    writeFileSync(join(PEERS, 'package.json'), JSON.stringify({ private: true, allowScripts: { [name]: true } }))
    const home = nodeHome()
    execFileSync('npm', ['install', '--no-save', '--loglevel=error', `${name}@${version}`], {
      cwd: PEERS,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(home ? { npm_config_nodedir: home } : {}) },
    })
  }
  return require(installed)
}
