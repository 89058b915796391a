import { isCallError } from '../../lib/call.ts'

const CODES = ['password_common', 'password_is_name']

/** Whether a call was refused because of the new password. */
export const isPasswordRefusal = (refusal: unknown): boolean =>
  isCallError(refusal) && CODES.includes(refusal.outcome?.code ?? '')
