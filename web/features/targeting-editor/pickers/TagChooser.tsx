import { Segmented } from 'antd'
import { useState } from 'react'
import { QueryState } from '../../../components/QueryState.tsx'
import text from '../../../components/text.module.css'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import { ChosenList } from '../../../domain/targeting/choice/ChosenList.tsx'
import choice from '../../../domain/targeting/choice/choice.module.css'
import { TreePicker } from '../../../domain/targeting/choice/TreePicker.tsx'
import { type Filtering, type KeywordType, useKeywordNames, useLabels, useNodes, useTree } from '../use-dictionary.ts'
import { KeywordList } from './KeywordList.tsx'
import { useAtMost } from './use-at-most.ts'

const KINDS = { category: '类目', keyword: '关键词' } as const
type Kind = keyof typeof KINDS

/** A chosen category or keyword, with its name at the time of choosing. */
export interface ChosenTag {
  kind: Kind
  id: string
  name?: string | undefined
}

const keyOf = ({ kind, id }: ChosenTag) => `${kind} ${id}`

interface Props {
  /** What is chosen, such as 行为. */
  name: string
  tree: 'BEHAVIOR' | 'INTEREST'
  keywords: KeywordType
  /** The platform knows keywords by their text; a chosen one's id is its text. */
  keywordsAreTexts?: boolean
  /** Of what the trees and counts are. */
  window?: Filtering
  max: number
  chosen: readonly ChosenTag[]
  onChange: (chosen: ChosenTag[]) => void
}

const NO_WINDOW: Filtering = []

/** Behaviours or interests: categories in a tree, and keywords that the platform searches. */
export function TagChooser(props: Props) {
  const { name, tree, keywords, keywordsAreTexts = false, window = NO_WINDOW, max, chosen, onChange } = props
  const [from, setFrom] = useState<Kind>('category')
  const categories = useTree(tree, window)
  const nodes = useNodes(categories.data?.[tree])
  const of = (kind: Kind) => chosen.filter((tag) => tag.kind === kind)
  const fitting = useAtMost(name, max)
  /** The tag that was chosen last, which keywords are suggested for. */
  const [last, setLast] = useState<string | null>(null)
  const set = (tags: readonly ChosenTag[]) => {
    const added = tags.find((tag) => !chosen.some((one) => keyOf(one) === keyOf(tag)))
    if (added) setLast(keyOf(added))
    onChange(fitting(tags, chosen, keyOf))
  }

  const words = of('keyword').map(({ id }) => id)
  const keywordName = useKeywordNames(keywords, words, keywordsAreTexts)
  const categoryName = useLabels(categories.data?.[tree])
  const currentName = ({ kind, id }: ChosenTag) => (kind === 'category' ? categoryName(id) : keywordName(id))

  return (
    <div className={choice.picker}>
      <div className={choice.source}>
        <Segmented
          aria-label={`${name}的种类`}
          value={from}
          options={(Object.keys(KINDS) as Kind[]).map((value) => ({ value, label: KINDS[value] }))}
          onChange={setFrom}
        />
        {from === 'category' ? (
          <QueryState query={categories} errorTitle={`${name}类目加载失败`}>
            {(answer) => (
              <>
                <AgeNote from={answer} />
                <TreePicker
                  name={`${name}类目`}
                  tree={answer[tree] ?? []}
                  chosen={of('category').map(({ id }) => id)}
                  onChange={(ids) =>
                    set([
                      ...ids.map((id): ChosenTag => ({ kind: 'category', id, name: nodes.get(id)?.label ?? id })),
                      ...of('keyword'),
                    ])
                  }
                />
              </>
            )}
          </QueryState>
        ) : (
          <KeywordList
            type={keywords}
            name={name}
            window={window}
            chosen={new Set(words)}
            near={chosen.find((tag) => keyOf(tag) === last) ?? chosen.at(-1) ?? null}
            areTexts={keywordsAreTexts}
            onToggle={({ value, label }) => {
              const tag: ChosenTag = { kind: 'keyword', id: value, name: label }
              const others = chosen.filter((one) => keyOf(one) !== keyOf(tag))
              set(others.length < chosen.length ? others : [...chosen, tag])
            }}
          />
        )}
      </div>
      <ChosenList
        title={`已选${name}`}
        max={max}
        items={chosen.map((tag) => ({
          key: keyOf(tag),
          name: currentName(tag) ?? tag.name ?? tag.id,
          isGone: currentName(tag) === null,
          note: <span className={text.small}>{KINDS[tag.kind]}</span>,
        }))}
        onRemove={(keys) => set(chosen.filter((tag) => !keys.includes(keyOf(tag))))}
      />
    </div>
  )
}
