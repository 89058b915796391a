import { ReloadOutlined } from '@ant-design/icons'
import { Flex, Input, Segmented, Skeleton, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { platformInfo } from '#contract/platform.ts'
import { CROWD_LABELS, type CrowdLabel, type CrowdRow } from '#contract/targeting/five-tab/crowd-row.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import { IconButton } from '../../../components/IconButton.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import text from '../../../components/text.module.css'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import { ChosenList } from '../../../domain/targeting/choice/ChosenList.tsx'
import choice from '../../../domain/targeting/choice/choice.module.css'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { formatAsOf } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useEditing } from '../editor-context.ts'
import { CrowdRows } from './CrowdRows.tsx'
import { useAtMost } from './use-at-most.ts'
import { type CrowdKind, useCrowds, useCrowdsReread } from './use-crowds.ts'

const KINDS = [
  { value: '', label: '全部' },
  { value: '1', label: '自定义' },
  { value: '0', label: '平台精选' },
] as const satisfies readonly { value: CrowdKind; label: string }[]

interface Props {
  /** What the crowds are chosen as, such as 定向人群. */
  noun: string
  max: number
  chosen: readonly string[]
  /** The rows of the chosen crowds at the time of choosing. */
  rows: readonly CrowdRow[]
  /** Whether the platform has curated crowds beside the account's own. */
  hasKinds: boolean
  /** How a crowd stands here: what is written beside it, and whether it can be chosen. */
  stateOf: (row: CrowdRow) => { label: CrowdLabel | null; isDisabled: boolean }
  onChange: (ids: string[], rows: CrowdRow[]) => void
}

/** The crowds that a package aims at or leaves out. */
export function CrowdPicker({ noun, max, chosen, rows: kept, hasKinds, stateOf, onChange }: Props) {
  const { editor, accountId, lostCrowds, isReadOnly } = useEditing()
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<CrowdKind>('')
  const crowds = useCrowds(accountId, useDebounced(typed.trim(), SEARCH_DELAY_MS), kind)
  const reread = useCrowdsReread(accountId)
  const rows = useMemo(() => crowds.data?.pages.flatMap(({ list }) => list) ?? [], [crowds.data])
  const fitting = useAtMost(noun, max)
  const set = (ids: readonly string[], more: readonly CrowdRow[] = []) => {
    const known = new Map([...kept, ...more].map((row) => [row.retargeting_tags_id, row]))
    const next = fitting(ids, chosen, (id) => id)
    onChange(
      next,
      next.flatMap((id) => known.get(id) ?? []),
    )
  }
  const toggle = (row: CrowdRow, isChosen: boolean) => {
    const { retargeting_tags_id: id } = row
    return isChosen ? set(chosen.filter((one) => one !== id)) : set([...chosen, id], [row])
  }

  return (
    <>
      <AgeNote from={crowds.data?.pages[0]} />
      <div className={choice.picker}>
        <div className={choice.source}>
          <Flex gap={8}>
            <Input
              allowClear={CLEARABLE}
              value={typed}
              maxLength={100}
              aria-label={`搜索${noun}`}
              placeholder="搜索人群名称"
              onChange={(event) => setTyped(event.target.value)}
            />
            {!isReadOnly && (
              <IconButton
                name={`刷新${noun}`}
                hint={`从平台重新读取，${formatAsOf(crowds.data?.pages[0]?.read_at)}`}
                icon={<ReloadOutlined spin={reread.isPending} />}
                onClick={reread.now}
              />
            )}
          </Flex>
          {hasKinds && <Segmented aria-label={`${noun}的种类`} value={kind} options={[...KINDS]} onChange={setKind} />}
          {crowds.error ? (
            <LoadError error={crowds.error} title="人群加载失败" onRetry={crowds.refetch} />
          ) : crowds.data === undefined ? (
            <Skeleton active title={false} paragraph={{ rows: 6 }} />
          ) : rows.length === 0 ? (
            <>
              <p className={text.hint}>{typed || kind ? '没有符合的人群' : '自定义人群列表暂无数据'}</p>
              {!typed && !kind && !isReadOnly && (
                <HowToFill canPush={platformInfo(editor.platform).audiences !== null} />
              )}
            </>
          ) : (
            <CrowdRows
              label={`可选的${noun}`}
              rows={rows}
              total={crowds.data.pages[0]?.total_num ?? rows.length}
              chosen={chosen}
              isReadOnly={isReadOnly}
              stateOf={stateOf}
              onToggle={toggle}
              pages={crowds}
            />
          )}
        </div>
        <ChosenList
          title={`已选${noun}`}
          max={max}
          items={chosen.map((id) => {
            const row = kept.find((one) => one.retargeting_tags_id === id)
            const label = row && stateOf(row).label
            const isGone = lostCrowds.includes(id)
            return { key: id, name: row?.name ?? id, isGone, ...(label && { note: <Tag>{CROWD_LABELS[label]}</Tag> }) }
          })}
          onRemove={(ids) => set(chosen.filter((one) => !ids.includes(one)))}
        />
      </div>
    </>
  )
}

const HowToFill = ({ canPush }: { canPush: boolean }) => (
  <p className={text.hint}>
    {canPush ? (
      <>
        先在
        <a href={paths.customCrowd()} target="_blank" rel="noreferrer" className={text.underlined}>
          自定义人群
        </a>
        里把人群推送到这个账户，平台处理完后刷新。
      </>
    ) : (
      '先在平台上把人群推送到这个账户，再刷新。'
    )}
  </p>
)
