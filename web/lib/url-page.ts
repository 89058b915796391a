import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/common.ts'

export interface Paged {
  page: number
  page_size: number
}

const positive = (text: string | null, most: number): number | null => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 && value <= most ? value : null
}

/**
 * The page that the URL names. `prefix` begins the keys of a list that stands above another one; `most` is the largest
 * page that its call answers.
 */
export const readPage = (params: URLSearchParams, prefix = '', most = PAGE_SIZE_MAX): Paged => ({
  page: positive(params.get(`${prefix}page`), Number.MAX_SAFE_INTEGER) ?? 1,
  page_size: positive(params.get(`${prefix}page_size`), most) ?? PAGE_SIZE,
})

/** The URL with this page; the first page and the usual size are left out. */
export function writePage(params: URLSearchParams, { page, page_size }: Paged, prefix = ''): URLSearchParams {
  const next = new URLSearchParams(params)
  const write = (name: string, value: number, usual: number) => {
    if (value === usual) next.delete(name)
    else next.set(name, String(value))
  }
  write(`${prefix}page`, page, 1)
  write(`${prefix}page_size`, page_size, PAGE_SIZE)
  return next
}
