import type { Parts } from './parts.ts'

export type Processing = ReturnType<typeof processing>
export function processing(_: Parts) {
  return { wake() {}, async settle() {}, async close() {} }
}
