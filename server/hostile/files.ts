import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { GivenFile } from '../testing/custom-crowds.ts'
import { zipped } from '../testing/zipped.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const good = md5('a')
const MB = 1024 ** 2
export const EMPTY_LINES = 4_000_000
export const AMONG_EMPTY_LINES = 2500

/** Identifier files (MD5 of IMEIs). Every file must end in a report that adds up or in a sentence. */
export async function hostileIdentifierFiles(): Promise<GivenFile[]> {
  const zip = (entries: Record<string, string | Buffer>) => zipped(entries)
  return [
    { name: '空行.zip', content: await zip(emptyLines()) },
    { name: 'dense.zip', content: await zip({ 'a.txt': '\n'.repeat(EMPTY_LINES) }) },
    { name: 'bomb.zip', content: await zip({ 'a.txt': Buffer.alloc(40 * MB, 'a') }) },
    { name: 'zip in zip.zip', content: await zip({ 'a.zip': await zip({ 'a.txt': good }) }) },
    {
      name: 'paths.zip',
      content: await renamed(await zip({ '__/__/x.txt': `${good}\n` }), '__/__/x.txt', '../../x.txt'),
    },
    { name: 'broken.zip', content: (await zip({ 'a.txt': `${good}\n`.repeat(999) })).subarray(0, -40) },
    { name: 'no texts.zip', content: await zip({ 'a.exe': 'MZ' }) },
    { name: 'binary.csv', content: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000, 7)]) },
    { name: 'gzip.txt', content: gzipSync(`${good}\n`.repeat(100)) },
    { name: 'random.txt', content: Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 256)) },
    { name: 'utf16.txt', content: Buffer.from(`\ufeff${good}\n`.repeat(50), 'utf16le') },
    { name: 'surrogates.txt', content: Buffer.from(`${good}\n\xed\xa0\x80\n`.repeat(9), 'latin1') },
    { name: 'gbk.txt', content: Buffer.from(`${good}\n\xc4\xe3\xba\xc3\n`.repeat(9), 'latin1') },
    { name: 'nuls.txt', content: `${good}\n${'x'.repeat(4000)}\n\0\0\n${good}\0\n` },
    { name: 'giant line.txt', content: `${'a'.repeat(5 * MB)}\n${good}\n` },
    { name: 'columns.csv', content: `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(',')}\n${good},1\n` },
    { name: 'formulas.csv', content: `=cmd|'/c calc'!A1\n+1\n-1\n@SUM(A1)\n＝1\n${good}\n` },
    { name: 'returns.txt', content: `${good}\r\r\r${md5('b')}\r` },
    { name: 'only a mark.txt', content: '\ufeff' },
    { name: '../../../etc/passwd.txt', content: `${good}\n` },
    { name: 'a\u0000b=1.txt', content: `${good}\n` },
  ]
}

/** An archive of less than 60 KB that is not dense enough to be refused: identifiers beside many empty lines. */
function emptyLines(): Record<string, string> {
  const identifiers = Array.from({ length: AMONG_EMPTY_LINES }, (_, n) => `${md5(`${n}`)}\n`)
  const parts = Array.from({ length: 5 }, (_, n) => [`${n}.txt`, '\n'.repeat(EMPTY_LINES / 5)])
  return { ...Object.fromEntries(parts), 'identifiers.txt': identifiers.join('') }
}

/** Files of users for imports; `id` names their people. */
export function hostileImportFiles(): GivenFile[] {
  const wide = (cells: (n: number) => string) => Array.from({ length: 10_000 }, (_, n) => cells(n)).join(',')
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  return [
    { name: 'deep.ndjson', content: `{"id":"u1"}\n{"id":"u2","a":${deep}}\n{"id":"u3"}\n` },
    {
      name: 'odd.ndjson',
      content: '{"id":"\\ud800"}\n{"id":"a\\u0000b"}\n{"id":1e308}\n{"id":[1]}\n[]\nnull\n{"__proto__":1,"id":"p"}\n',
    },
    { name: 'columns.csv', content: `id,${wide((n) => `c${n}`)}\nu1,${wide(() => '1')}\n` },
    { name: 'giant.csv', content: `id,a\nu1,${'x'.repeat(3 * MB)}\nu2,1\n` },
    { name: 'formulas.csv', content: `id,a\n,=1+1\n,＋1\nu1,@x\n` },
    { name: 'ragged.csv', content: 'id,a\nu1\nu2,1,2,3\n"u3,1\nu4,1\n' },
    { name: 'repeated.csv', content: 'id,id\nu1,u2\n' },
    { name: 'empty.csv', content: '\n' },
    { name: 'header.csv', content: 'id,a\n' },
    { name: 'nuls.csv', content: 'id,a\nu\0 1,1\nu2,\u001f\n' },
    { name: 'surrogates.csv', content: Buffer.from('id,a\nu1,\xed\xa0\x80\nu2,2\n', 'latin1') },
    { name: 'utf16.csv', content: Buffer.from('\ufeffid,a\nu1,1\n'.repeat(20), 'utf16le') },
    { name: 'binary.csv', content: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000, 7)]) },
    { name: 'not parquet.parquet', content: 'PAR1 none PAR1' },
    { name: 'bomb.csv.gz', content: gzipSync(Buffer.concat([Buffer.from('id,a\n'), Buffer.alloc(60 * MB, 10)])) },
    { name: 'broken.csv.gz', content: gzipSync('id,a\nu1,1\n'.repeat(5000)).subarray(0, 40) },
    { name: '../../../x.csv', content: 'id,a\nu1,1\n' },
  ]
}

/** Changes a name of the same length inside an archive, since the library that makes archives refuses such names. */
async function renamed(zip: Buffer, from: string, to: string): Promise<Buffer> {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}
