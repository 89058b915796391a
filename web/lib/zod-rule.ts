import type { z } from 'zod'

/** A form rule that refuses with the message of the contract's schema, the same as the server. */
export const zodRule = (schema: z.ZodType) => ({
  async validator(_rule: unknown, value: unknown) {
    const result = schema.safeParse(value ?? '')
    if (!result.success) throw new Error(result.error.issues[0]?.message ?? '填写不正确')
  },
})
