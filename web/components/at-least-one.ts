/**
 * A form rule for a group of checkboxes, one of which must be checked. (antd's `required` names the group required, which
 * only single inputs may be.)
 */
export const atLeastOne = (message: string) => ({
  async validator(_rule: unknown, chosen: readonly unknown[] | undefined) {
    if (!chosen?.length) throw new Error(message)
  },
})
