// Selected rows are checked like a tree's; the tree itself is drawn by other pages.
export { conductCheck } from '@rc-component/tree/es/utils/conductUtil'
export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil'

type Key = string | number

export const arrAdd = (keys: readonly Key[], key: Key): Key[] => (keys.includes(key) ? [...keys] : [...keys, key])
export const arrDel = (keys: readonly Key[] | undefined, key: Key): Key[] => (keys ?? []).filter((one) => one !== key)
