import type { Command } from './command.ts'
import { importEvents, importReports, importUsers } from './import.ts'
import { listAllImports, undoOneImport } from './imports.ts'
import { resetPassword } from './reset-password.ts'
import { rebuildTags } from './tags.ts'
import { makeWriteKey } from './write-key.ts'

/** Every command of `npm run renqun -- …`. */
export const COMMANDS: Command[] = [
  importUsers,
  importEvents,
  importReports,
  listAllImports,
  undoOneImport,
  resetPassword,
  rebuildTags,
  makeWriteKey,
]

/** The command that the words start with, and the remaining words. */
export function findCommand(words: string[], commands = COMMANDS): { command: Command; argv: string[] } | undefined {
  const longestFirst = commands.toSorted((a, b) => b.name.length - a.name.length)
  for (const command of longestFirst) {
    const name = command.name.split(' ')
    if (name.every((word, at) => words[at] === word)) return { command, argv: words.slice(name.length) }
  }
  return undefined
}
