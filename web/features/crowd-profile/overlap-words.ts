import { NAME_MAX } from '#contract/common.ts'

interface Named {
  id: number
  name: string
}

const SUFFIX = '-部分'

/** Which people a part holds: 在 A、B 里，不在 C 里. */
export function partWords(ids: readonly number[], crowds: readonly Named[]): string {
  const said = (isIn: boolean) =>
    crowds.flatMap(({ id, name }) => (ids.includes(id) === isIn ? [`「${name}」`] : [])).join('')
  const [inside, outside] = [said(true), said(false)]
  return `${`在${inside}里`}${outside === '' ? '' : `，不在${outside}里`}`
}

/** A name to start from for a crowd of the part, within the limit of names. */
export function partName(ids: readonly number[], crowds: readonly Named[]): string {
  const names = crowds.flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])).join('_')
  return [...names].slice(0, NAME_MAX - SUFFIX.length).join('') + SUFFIX
}
