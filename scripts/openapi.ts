import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiText } from '../server/openapi.ts'

const path = join(import.meta.dirname, '..', 'docs', 'openapi.json')
mkdirSync(join(path, '..'), { recursive: true })
writeFileSync(path, await openApiText())
console.log(`已写入 ${path}`)
