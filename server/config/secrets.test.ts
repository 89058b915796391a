import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { openSecrets, secretPath } from './secrets.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'renqun-secrets-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('a generated key is readable only by its owner, and opens sealed values after a restart', async () => {
  const sealed = (await openSecrets(dataDir, undefined)).seal('令牌')
  expect((await openSecrets(dataDir, undefined)).open(sealed)).toBe('令牌')
  expect(statSync(secretPath(dataDir)).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

test('an incomplete key, as a full disk leaves it, is refused', async () => {
  writeFileSync(secretPath(dataDir), '')
  await expect(openSecrets(dataDir, undefined)).rejects.toThrow(StartError)
  await expect(openSecrets(dataDir, undefined)).rejects.toThrow('secret.key 不完整')
})
