import { hash, verify } from '@node-rs/argon2'

/** argon2id with OWASP's second recommended setting: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** Takes as long when there is no such user, so that the time of an answer does not reveal names. */
export async function checkPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) return verify(stored, password)
  await hash(password, COST)
  return false
}
