import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiText } from '../server/http/openapi.ts'
import { ROOT } from './run.ts'

const OUTPUT = join(ROOT, 'docs', 'openapi.json')

writeFileSync(OUTPUT, await openApiText())
console.log(OUTPUT)
