import type { Parts } from '../parts.ts'
import type { Interface } from './access.ts'
export const audienceCalls = (_: Parts): Record<string, Interface> => ({})
