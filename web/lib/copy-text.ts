/** Copies a text; false if it failed. Over plain http there is no clipboard API, only the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.style.position = 'fixed'
    field.style.opacity = '0'
    // Inside an open dialog, which traps the focus.
    const host = document.activeElement?.closest('[role="dialog"]') ?? document.body
    host.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}
