/** Formats that are often chosen as texts, by what the screens call them. */
export const BINARIES = {
  zip: '压缩包或 Excel 工作簿',
  excel_97: ' Excel 97-2003 工作簿',
  gzip: ' gzip 压缩文件',
  rar: ' RAR 压缩包',
  seven_zip: ' 7z 压缩包',
  pdf: ' PDF 文档',
  image: '图片',
  program: '程序',
  other: '二进制数据',
} as const
export type Binary = keyof typeof BINARIES

/** Bytes that a caller should give; fewer are enough for a short file. */
export const BINARY_LOOK_BYTES = 1024

const SIGNATURES: readonly [format: Binary, begins: string][] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['excel_97', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['gzip', '\x1f\x8b\x08'],
  ['rar', 'Rar!\x1a\x07'],
  ['seven_zip', "7z\xbc\xaf'\x1c"],
  ['pdf', '%PDF-'],
  ['image', '\x89PNG\r\n'],
  ['image', '\xff\xd8\xff'],
  ['image', 'GIF8'],
  ['program', '\x7fELF'],
]

/** The format of a file that is no text, by its first bytes; null when it may be a text. */
export function binaryFormat(bytes: Uint8Array): Binary | null {
  const head = String.fromCharCode(...bytes.subarray(0, 8))
  const known = SIGNATURES.find(([, begins]) => head.startsWith(begins))
  if (known) return known[0]
  const looked = bytes.subarray(0, BINARY_LOOK_BYTES)
  if (head.startsWith('MZ') && looked.includes(0)) return 'program'
  if ((looked[0] === 0xff && looked[1] === 0xfe) || (looked[0] === 0xfe && looked[1] === 0xff)) return null
  return isControlled(looked) ? 'other' : null
}

/** Whether many bytes are control characters. In UTF-16 every other byte may be zero, but on one side only. */
function isControlled(bytes: Uint8Array): boolean {
  const zeros = [0, 0] as [number, number]
  let controls = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
    else if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) controls++
  }
  return bytes.length >= 4 && (Math.min(...zeros) + controls) * 8 > bytes.length
}
