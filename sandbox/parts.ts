import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { People } from './people.ts'
import type { SwitchBoard } from './switches.ts'
import type { Tokens } from './tokens.ts'

/** The parts that every stand-in is built from. */
export interface Parts {
  db: Database
  clock: Clock
  switches: SwitchBoard
  people: People
  tokens: Tokens
}
