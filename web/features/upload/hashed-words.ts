import { formatCount } from '../../lib/format.ts'

interface Hashed {
  /** What the lines were, such as 手机号明文. */
  from: string
  lines: number
  already: number
  normalised: number
  malformed: number
}

/** What hashing in the browser made of a file. */
export function hashedWords({ from, lines, already, normalised, malformed }: Hashed): string {
  const isAllHashed = already > 0 && already === lines - malformed
  const parts = [
    isAllHashed
      ? `原本已是密文，原样发送：共 ${formatCount(lines)} 行`
      : `已在浏览器内加密（${from}）：共 ${formatCount(lines)} 行`,
    already > 0 && !isAllHashed && `${formatCount(already)} 行已是密文`,
    normalised > 0 && `${formatCount(normalised)} 行规范写法后加密`,
    malformed > 0 && `${formatCount(malformed)} 行无效（只在本机，未上传）`,
  ]
  return parts.filter(Boolean).join('，')
}
