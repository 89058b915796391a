import { useMemo } from 'react'
import { findRegion, findText } from '#contract/find-text.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { QueryState } from '../../../components/QueryState.tsx'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import { ChosenList } from '../../../domain/targeting/choice/ChosenList.tsx'
import choice from '../../../domain/targeting/choice/choice.module.css'
import { TreePicker } from '../../../domain/targeting/choice/TreePicker.tsx'
import { regionNamesIn } from '../../../domain/targeting/region-names.ts'
import { useEditing } from '../editor-context.ts'
import { useNodes, useTree } from '../use-dictionary.ts'
import { useAtMost } from './use-at-most.ts'

/** A choice by its number, with the name that it has outside of its tree, as at the time of choosing. */
export interface ChosenNode {
  id: string
  name?: string | undefined
}

interface Props {
  type: 'REGION' | 'INTENTION'
  /** What is chosen, such as 地域. */
  name: string
  /** What of the tree is offered; chosen ones outside of it keep their names. */
  pruned?: (tree: readonly TagNode[]) => TagNode[]
  max?: number
  chosen: readonly ChosenNode[]
  onChange: (chosen: { id: string; name: string }[]) => void
}

/** A tree of the platform, and what is chosen of it. */
export function TreeChooser({ type, name, pruned, max, chosen, onChange }: Props) {
  const { isReadOnly } = useEditing()
  const tree = useTree(type)
  const all = tree.data?.[type]
  const nodes = useNodes(all)
  const regions = useMemo(() => (type === 'REGION' ? regionNamesIn(all ?? []) : null), [type, all])
  const offered = useMemo(() => (pruned ? pruned(all ?? []) : (all ?? [])), [all, pruned])
  const names = new Map(chosen.map((one) => [one.id, one.name]))
  const nameOf = (id: string) => regions?.get(id) ?? nodes.get(id)?.label ?? names.get(id) ?? id
  const ids = chosen.map(({ id }) => id)
  const fitting = useAtMost(name, max)
  const set = (next: readonly string[]) =>
    onChange(fitting(next, ids, (id) => id).map((id) => ({ id, name: nameOf(id) })))
  const list = (
    <ChosenList
      title={`已选${name}`}
      {...(max !== undefined && { max })}
      items={ids.map((id) => ({ key: id, name: nameOf(id), isGone: all !== undefined && !nodes.has(id) }))}
      onRemove={(keys) => set(ids.filter((id) => !keys.includes(id)))}
    />
  )
  // What is chosen can be read without the tree.
  if (isReadOnly && tree.error && !all) return list
  return (
    <div className={choice.picker}>
      <div className={choice.source}>
        <QueryState query={tree} errorTitle={`${name}加载失败`}>
          {(answer) => (
            <>
              <AgeNote from={answer} />
              <TreePicker
                name={name}
                tree={offered}
                chosen={ids}
                onChange={set}
                find={type === 'REGION' ? findRegion : findText}
              />
            </>
          )}
        </QueryState>
      </div>
      {list}
    </div>
  )
}
