import { createContext, type Ref } from 'react'

// What the router's links ask of a document that the router itself made, with pages fetched ahead; ours is a plain file.
export const FrameworkContext = createContext(undefined)
export const PrefetchPageLinks = () => null
export const usePrefetchBehavior = () => [false, null, {}]
export const mergeRefs = <Node>(given: Ref<Node>, _prefetched: null): Ref<Node> => given
