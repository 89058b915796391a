import { expect, test } from 'vitest'
import { guessChoice } from './guess-column.ts'
import type { IdentifierType } from './identifier.ts'

const phone = (at: number) => `1380013${8000 + at}`
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

test.each<[string, IdentifierType, string[], object]>([
  ['one phone a line', 'HASH_MOBILE_PHONE', [phone(1), phone(2)], { separator: null, has_header: false }],
  ['one column with its name', 'HASH_MOBILE_PHONE', ['手机号', phone(1)], { separator: null, has_header: true }],
  [
    'phones and names',
    'HASH_MOBILE_PHONE',
    ['手机号,姓名', `${phone(1)},张三`],
    { separator: ',', column: 0, has_header: true },
  ],
  [
    'names first, no header',
    'HASH_MOBILE_PHONE',
    [`张三\t${phone(1)}`, `李四\t${phone(2)}`],
    { separator: '\t', column: 1, has_header: false },
  ],
  [
    'quoted cells',
    'HASH_MOBILE_PHONE',
    ['"a,b","tel"', `"c,d","+86 ${phone(1)}"`],
    { separator: ',', column: 1, has_header: true },
  ],
  [
    'hashes among other columns',
    'HASH_IMEI',
    ['id;imei_md5', `1;${md5}`],
    { separator: ';', column: 1, has_header: true },
  ],
  [
    'no usable value, but a name',
    'HASH_MOBILE_PHONE',
    ['姓名,手机号', '张三,x'],
    { separator: ',', column: 1, has_header: true },
  ],
  ['OAIDs with their name', 'OAID', ['oaid', 'a-1', 'b-2'], { separator: null, has_header: true }],
  ['OAIDs without it', 'OAID', ['a-1', 'b-2'], { separator: null, has_header: false }],
  [
    'a first line that is only malformed',
    'HASH_MOBILE_PHONE',
    ['12345', phone(1)],
    { separator: null, has_header: false },
  ],
  ['nothing', 'IMEI', [], { separator: null, has_header: false }],
])('%s', (_, type, lines, wanted) => {
  expect(guessChoice(type, lines, 'utf-8', true)).toMatchObject(wanted)
})
