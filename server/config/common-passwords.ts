import { dictionary } from '@zxcvbn-ts/language-common'

/** The 49,000 passwords that leaks hold most often, in lower case: the commonest 10,000 and what follows them. */
const COMMON = new Set(dictionary['passwords-common'])

/** Whether a password, in any case, is among those that are tried first. */
export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase())
