import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/common.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, type TagType } from '#contract/tag.ts'

/** What the tags table shows; the URL holds all of it. */
export interface TagListState {
  tag_type: TagType | null
  category_id: number | null
  keyword: string
  page: number
  page_size: number
  /** The tag whose definition is open; set by links from the search. */
  tag_id: number | null
}

const asId = (text: string | null): number | null => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null)

export function readTagState(params: URLSearchParams): TagListState {
  const type = params.get('tag_type')
  const size = asId(params.get('page_size'))
  return {
    tag_type: [ATTRIBUTE_TAG, EVENT_TAG].find((one) => String(one) === type) ?? null,
    category_id: asId(params.get('category_id')),
    keyword: params.get('keyword') ?? '',
    page: asId(params.get('page')) ?? 1,
    page_size: size && size <= PAGE_SIZE_MAX ? size : PAGE_SIZE,
    tag_id: asId(params.get('tag_id')),
  }
}

export function writeTagState(state: TagListState): URLSearchParams {
  const params = new URLSearchParams()
  const put = (name: keyof TagListState, isDefault: boolean) => isDefault || params.set(name, String(state[name]))
  put('tag_type', state.tag_type === null)
  put('category_id', state.category_id === null)
  put('keyword', state.keyword === '')
  put('page', state.page === 1)
  put('page_size', state.page_size === PAGE_SIZE)
  put('tag_id', state.tag_id === null)
  return params
}
