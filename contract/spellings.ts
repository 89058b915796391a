import { globalRegistry, z } from 'zod'
// Not from outcome.ts, whose areas import schemas that have spellings.
import { INPUT_OUTCOMES } from './outcomes/input.ts'

/** Another spelling of a key. */
interface Spelling {
  /** The key that it stands for. */
  for: string
  /** Its own form. */
  schema: z.ZodType
  /** Its value as a value of that key; the same value if left out. */
  read?: (value: never) => unknown
}

const { sentence: differ } = INPUT_OUTCOMES.input_spellings_differ

type Renamed<A extends Record<string, Spelling>> = A[keyof A]['for']
type Input<O extends z.ZodObject, A extends Record<string, Spelling>> = Omit<z.input<O>, Renamed<A>> &
  Partial<Pick<z.input<O>, Renamed<A> & keyof z.input<O>>> & { [K in keyof A]?: z.input<A[K]['schema']> | undefined }

/**
 * Lets callers spell keys of an object in other ways too. Two spellings of a key with different values are refused; the
 * object is then checked with its own keys.
 */
export function withSpellings<O extends z.ZodObject, const A extends Record<string, Spelling>>(
  object: O,
  spellings: A,
): z.ZodType<z.output<O>, Input<O, A>> {
  const shape: Record<string, z.ZodType> = { ...object.shape }
  for (const [key, spelling] of Object.entries(spellings)) {
    // A default would stand for what the other spelling says.
    const own = shape[spelling.for] as z.ZodType
    const bare = own instanceof z.ZodDefault ? (own.unwrap() as z.ZodType) : own
    shape[spelling.for] = bare.optional().describe(globalRegistry.get(own)?.description ?? '')
    shape[key] = spelling.schema
      .optional()
      .describe(`同 ${spelling.for}：${globalRegistry.get(spelling.schema)?.description ?? '两者写一个即可'}`)
  }
  const { catchall } = object.def
  const either = catchall ? z.object(shape).catchall(catchall as z.ZodType) : z.object(shape)
  const merged = either.transform((given, ctx) => {
    const read: Record<string, unknown> = { ...given }
    for (const [key, spelling] of Object.entries(spellings)) {
      const { [key]: other } = read
      delete read[key]
      if (other === undefined) continue
      const value = spelling.read ? spelling.read(other as never) : other
      const own = read[spelling.for]
      if (own !== undefined && JSON.stringify(own) !== JSON.stringify(value)) {
        const message = differ({ keys: [spelling.for, key] }, () => '')
        ctx.addIssue({ code: 'custom', path: [key], message })
      }
      read[spelling.for] = value
    }
    return read
  })
  // Only what another spelling may have given is read again: most values have their final form already.
  const again = new Set(Object.values(spellings).map((spelling) => spelling.for))
  const own = Object.fromEntries(Object.entries(object.shape).filter(([key]) => again.has(key)))
  // The object's own checks, which read its output.
  const checks = (object.def.checks ?? []) as z.core.$ZodCheck<Record<string, unknown>>[]
  const whole = z.looseObject(own).check(...checks)
  return merged.pipe(whole as unknown as z.ZodType<z.output<O>, Record<string, unknown>>) as unknown as z.ZodType<
    z.output<O>,
    Input<O, A>
  >
}
