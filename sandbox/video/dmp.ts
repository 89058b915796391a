import type { Parts } from '../parts.ts'
import type { Interface } from './access.ts'
export const dmpCalls = (_: Parts): Record<string, Interface> => ({})
