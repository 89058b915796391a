import { multipart } from '../multipart.ts'
import type { Call } from '../wire.ts'
import { badRequest } from './envelope.ts'

export type Form = ReturnType<typeof formOf>

/** The parts of an upload. */
export function formOf(call: Call, isWanted: boolean) {
  const parts = isWanted ? multipart(call.headers['content-type'] ?? '', call.body) : []
  if (!parts) throw badRequest('Content-Type: 应为 multipart/form-data')
  const read = new Set<string>()
  const find = (name: string) => {
    read.add(name)
    return parts.find((part) => part.name === name)
  }
  return {
    text: (name: string): string | undefined => find(name)?.content.toString('utf8'),
    file: (name: string) => {
      const part = find(name)
      return part && part.filename !== null ? { name: part.filename, content: part.content } : undefined
    },
    unknown: () => parts.map(({ name }) => name).filter((name) => !read.has(name)),
  }
}
