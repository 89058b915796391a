import { hash, verify } from '@node-rs/argon2'
import { outcome } from '#contract/outcome.ts'
import { isOwnName } from '#contract/viewer.ts'
import { isCommonPassword } from '../../config/common-passwords.ts'
import { AppError } from '../../errors.ts'

/** argon2id with OWASP's second recommended setting: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Why a new password is refused: it is guessed first. */
export function passwordFault(username: string, password: string) {
  if (isOwnName(username, password)) return outcome('password_is_name')
  return isCommonPassword(password) ? outcome('password_common') : null
}

/** The hash of a viewer's new password. */
export async function hashNewPassword(username: string, password: string): Promise<string> {
  const reason = passwordFault(username, password)
  if (reason) throw new AppError('badInput', { reason })
  return hash(password, COST)
}

/** Takes as long when there is no such user, so that the time of an answer does not reveal names. */
export async function checkPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) return verify(stored, password)
  await hash(password, COST)
  return false
}
