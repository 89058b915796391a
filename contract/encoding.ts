import { z } from 'zod'
import { keysOf } from './common.ts'
import { TEXT_ENCODINGS } from './text-encoding.ts'

/** Apart from the encodings themselves: the threads that read texts would load zod for longer than they read. */
export const Encoding = z.enum(keysOf(TEXT_ENCODINGS))
