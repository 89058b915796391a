import type { Parts } from '../parts.ts'
import type { Interface } from './access.ts'
export const fileCalls = (_: Parts): Record<string, Interface> => ({})
