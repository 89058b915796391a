const known = new Map<string, string>()

/**
 * Stands for `@emotion/hash`, with which antd names its styles: a number for each text, since names only have to differ
 * within the page. Hashing the styles of the first page took a sixth of the time until its shell was drawn.
 */
export default function hash(text: string): string {
  const name = known.get(text) ?? `n${known.size.toString(36)}`
  known.set(text, name)
  return name
}
