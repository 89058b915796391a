import { Avatar, Button, Checkbox, Input, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { FIELDS } from '#contract/targeting/five-tab/fields.ts'
import { FANS_MAX, type Fan } from '#contract/targeting/five-tab/schema.ts'
import type { Creator, TagNode } from '#contract/targeting-tags.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import { QueryState } from '../../../components/QueryState.tsx'
import text from '../../../components/text.module.css'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import { ChosenList } from '../../../domain/targeting/choice/ChosenList.tsx'
import choice from '../../../domain/targeting/choice/choice.module.css'
import { TreePicker } from '../../../domain/targeting/choice/TreePicker.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useAtMost } from '../pickers/use-at-most.ts'
import { type Filtering, useNodes, useSearch, useTree } from '../use-dictionary.ts'
import { FoundCategories } from './FoundCategories.tsx'
import { keyOf } from './fan-key.ts'
import { doneIn, useCreators } from './use-fans.ts'
import { useFiveTab } from './use-five-tab.ts'

type Account = Extract<Fan, { type: 'account' }>

const accountOf = (creator: Creator): Fan => ({
  type: 'account',
  label_id: creator.label_id,
  author_name: creator.author_name,
  aweme_id: creator.aweme_id,
  // Drawn pictures are long; the platform gives them again when the package is opened.
  ...(creator.avatar.startsWith('data:') ? {} : { avatar: creator.avatar }),
  cover_num_str: creator.cover_num_str,
  category_name: creator.category_name,
})

/** Creators and categories of creators whose fans a package aims at, 30 at most together. */
export function FanPicker() {
  const { form, change } = useFiveTab()
  const [from, setFrom] = useState<'category' | 'account'>('category')
  const [asked, setAsked] = useState<Asked | null>(null)
  // The tree that had the focus is gone then.
  const [isFromTree, setFromTree] = useState(false)
  const done = doneIn(form)
  const categories = useTree('AWEME', done)
  const nodes = useNodes(categories.data?.AWEME)
  const chosen = form.user_aweme_fan
  const fitting = useAtMost(FIELDS.user_aweme_fan.label, FANS_MAX)
  const set = (fans: readonly Fan[]) => change({ user_aweme_fan: fitting(fans, chosen, keyOf) })
  const accounts = chosen.filter((fan): fan is Account => fan.type === 'account')
  const creatorOf = useCreators(accounts)
  const isFull = chosen.length >= FANS_MAX

  const itemOf = (fan: Fan) => {
    const key = keyOf(fan)
    if (fan.type === 'category') {
      const node = nodes.get(fan.value)
      const isGone = categories.data !== undefined && !node
      return { key, name: node?.label ?? fan.label ?? fan.value, isGone, note: <Small>分类</Small> }
    }
    const creator = creatorOf(fan.label_id)
    return {
      key,
      name: creator?.author_name ?? fan.author_name ?? fan.label_id,
      isGone: creator === null,
      icon: <Avatar size={24} src={creator?.avatar || fan.avatar || undefined} alt="" />,
      note: <Small>{creator ? `粉丝 ${creator.total_fans_num_str}` : ''}</Small>,
    }
  }
  const openCreators = (next: Asked) => {
    setAsked(next)
    setFrom('account')
    setFromTree(true)
  }
  return (
    <EditorField field="user_aweme_fan" isWide>
      <div className={choice.picker}>
        <div className={choice.source}>
          <Segmented
            aria-label="达人的种类"
            value={from}
            options={[
              { value: 'category', label: '达人分类' },
              { value: 'account', label: '抖音达人' },
            ]}
            onChange={(next: 'category' | 'account') => {
              setFrom(next)
              setFromTree(false)
            }}
          />
          {from === 'category' ? (
            <QueryState query={categories} errorTitle="达人分类加载失败">
              {(answer) => (
                <>
                  <AgeNote from={answer} />
                  <TreePicker
                    name="达人分类"
                    tree={answer.AWEME ?? []}
                    chosen={chosen.flatMap((fan) => (fan.type === 'category' ? [fan.value] : []))}
                    onChange={(values) =>
                      set([
                        ...values.map(
                          (value): Fan => ({ type: 'category', value, label: nodes.get(value)?.label ?? value }),
                        ),
                        ...accounts,
                      ])
                    }
                    onOpen={(node) => openCreators({ by: 'category_id', node })}
                  />
                  <p className={text.hint}>点分类的名称，或选中后按 Enter，可查看其中的达人。</p>
                </>
              )}
            </QueryState>
          ) : (
            <Creators
              done={done}
              asked={asked}
              onAsk={setAsked}
              hasFocus={isFromTree}
              chosen={new Set(chosen.map(keyOf))}
              isFull={isFull}
              onToggle={(fan) => {
                const others = chosen.filter((one) => keyOf(one) !== keyOf(fan))
                set(others.length < chosen.length ? others : [...chosen, fan])
              }}
            />
          )}
        </div>
        <ChosenList
          title="已选达人"
          max={FANS_MAX}
          items={chosen.map(itemOf)}
          onRemove={(keys) => set(chosen.filter((fan) => !keys.includes(keyOf(fan))))}
        />
      </div>
    </EditorField>
  )
}

const Small = ({ children }: { children: string }) => <span className={text.small}>{children}</span>

/** Whose creators are listed, unless a word is searched. */
type Asked = { by: 'category_id'; node: TagNode } | { by: 'aweme_id'; creator: Creator }

interface CreatorsProps {
  done: Filtering
  asked: Asked | null
  onAsk: (asked: Asked | null) => void
  /** When it opens. */
  hasFocus: boolean
  /** Keys of what is chosen. */
  chosen: ReadonlySet<string>
  isFull: boolean
  onToggle: (fan: Fan) => void
}

/** Creators and categories by a word, or creators of a category, or like another one. */
function Creators({ done, asked, onAsk, hasFocus, chosen, isFull, onToggle }: CreatorsProps) {
  const { isReadOnly } = useFiveTab()
  const [typed, setTyped] = useState('')
  const word = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const question: Filtering[number] | null = word
    ? { field: 'query_word', values: [word] }
    : asked?.by === 'category_id'
      ? { field: 'category_id', values: [asked.node.value] }
      : asked
        ? { field: 'aweme_id', values: [asked.creator.aweme_id] }
        : null
  const found = useSearch('AWEME_AUTHOR', [...(question ? [question] : []), ...done], question !== null)
  const rows = found.data?.AWEME_AUTHOR?.authors ?? []
  const categories = word ? (found.data?.AWEME_AUTHOR?.categories ?? []) : []
  const about =
    asked?.by === 'category_id'
      ? `「${asked.node.label}」分类的达人`
      : asked && `与「${asked.creator.author_name}」相似的达人`
  return (
    <>
      <Input
        allowClear={CLEARABLE}
        value={typed}
        autoFocus={hasFocus}
        maxLength={50}
        aria-label="搜索抖音达人"
        placeholder="搜索达人名称或抖音号"
        onChange={(event) => setTyped(event.target.value)}
      />
      {!word && about && (
        <div className={text.small}>
          {about}
          <Button type="link" size="small" onClick={() => onAsk(null)}>
            清除
          </Button>
        </div>
      )}
      {question === null ? (
        <p className={text.hint}>输入名称或抖音号搜索，或在达人分类中点一个分类。</p>
      ) : found.error ? (
        <LoadError error={found.error} title="达人搜索失败" onRetry={found.refetch} />
      ) : found.data === undefined ? (
        <Skeleton active avatar title={false} paragraph={{ rows: 4 }} />
      ) : rows.length === 0 && categories.length === 0 ? (
        <p className={text.hint}>平台没有符合的达人</p>
      ) : (
        <>
          <FoundCategories
            categories={categories}
            isStale={found.isPlaceholderData}
            chosen={chosen}
            isFull={isFull}
            isReadOnly={isReadOnly}
            onToggle={onToggle}
          />
          <ul className={styles.creators} aria-label="可选的抖音达人" aria-busy={found.isPlaceholderData}>
            {rows.map((creator) => {
              const fan = accountOf(creator)
              const isChosen = chosen.has(keyOf(fan))
              return (
                <li key={creator.label_id}>
                  <Checkbox
                    checked={isChosen}
                    disabled={isReadOnly || (isFull && !isChosen)}
                    aria-label={creator.author_name}
                    onChange={() => onToggle(fan)}
                  >
                    <span className={styles.creator}>
                      <Avatar size={32} src={creator.avatar || undefined} alt="" />
                      <span className={text.shrinks}>
                        <span className={text.cut}>{creator.author_name}</span>
                        <span className={text.small}>
                          粉丝 {creator.total_fans_num_str}，覆盖 {creator.cover_num_str}
                        </span>
                      </span>
                    </span>
                  </Checkbox>
                  <Button
                    type="link"
                    size="small"
                    onClick={() => {
                      setTyped('')
                      onAsk({ by: 'aweme_id', creator })
                    }}
                  >
                    相似达人
                  </Button>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </>
  )
}
