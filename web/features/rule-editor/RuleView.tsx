import { DragDropProvider } from '@dnd-kit/react'
import { Button, Tabs, Tag } from 'antd'
import { type ReactNode, useMemo, useReducer, useState } from 'react'
import { sentenceOf, subTagsOf } from '#contract/rule.ts'
import { dragSettings } from '../../components/drag-settings.ts'
import { type Crumb, PageHeader } from '../../components/PageHeader.tsx'
import { CrowdFacts } from './CrowdFacts.tsx'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasContext } from './canvas/canvas-context.ts'
import { KeysHelp } from './canvas/KeysHelp.tsx'
import { RuleInWords } from './RuleInWords.tsx'
import styles from './rule-editor.module.css'
import { countedOf, documentOf, type LoadedCrowd } from './saving/load-crowd.ts'
import { countsFor } from './state/counts.ts'
import { openEditor, reduce } from './state/editor-state.ts'
import { keyOfTag, shownIn, shownTagsOf } from './state/shown-tags.ts'
import { useEveryone } from './state/use-everyone.ts'
import { Total } from './Total.tsx'
import { HistoryPanel, TagPanel } from './tag-panel/TagPanel.tsx'

interface Props {
  crowd: LoadedCrowd
  advName: string | null
  entry: 'console' | 'workbench'
  crumbs: Crumb[]
  /** How the crowd stands: more items for the list of its facts. */
  facts?: ReactNode
  /** What stands in its way, above everything. */
  notice?: ReactNode
  onBack(): void
}

const noFaults: ReadonlySet<string> = new Set()

/** A crowd as it is, in the editor's own layout, to be read and walked through but not changed. */
export function RuleView({ crowd, advName, entry, crumbs, facts, notice, onBack }: Props) {
  const [state, dispatch] = useReducer(reduce, crowd, (loaded) => openEditor(documentOf(loaded)))
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { rule, form } = state.doc
  const shownTags = useMemo(() => shownTagsOf(crowd.rule), [crowd])
  const counts = useMemo(() => countsFor(rule, countedOf(crowd.rule)), [rule, crowd])
  const everyone = useEveryone(crowd.people.adv_id)
  const canvas = useMemo(
    () => ({
      rule,
      spot: state.spot,
      folded: state.folded,
      counts,
      everyone,
      shownOf: (tag: Parameters<typeof shownIn>[1]) => shownIn(shownTags, tag),
      faulty: noFaults,
      held: null,
      isReadOnly: true,
      dispatch,
    }),
    [rule, state.spot, state.folded, counts, everyone, shownTags],
  )
  const used = useMemo(() => new Set(subTagsOf(rule).map(keyOfTag)), [rule])
  const panel = { advId: crowd.people.adv_id, used, isReadOnly: true }
  return (
    <div className={styles.page}>
      <PageHeader
        crumbs={crumbs}
        title="查看定向包"
        extra={advName && <Tag>{advName}</Tag>}
        action={<Button onClick={onBack}>返回</Button>}
      />
      {notice}
      <DragDropProvider {...dragSettings}>
        <div className={styles.body}>
          <section className={styles.tags} aria-label="标签">
            <Tabs
              items={[
                { key: '1', label: '属性标签', children: <TagPanel {...panel} tagType={1} /> },
                { key: '2', label: '事件标签', children: <TagPanel {...panel} tagType={2} /> },
                ...(entry === 'workbench'
                  ? [
                      {
                        key: '3',
                        label: '历史人群',
                        children: <HistoryPanel {...panel} crowdId={crowd.people.id} />,
                      },
                    ]
                  : []),
              ]}
            />
          </section>
          <section className={styles.work} aria-label="人群规则">
            <CrowdFacts form={form} more={facts} />
            <div className={styles.bar}>
              <Total count={counts.of(rule)} everyone={everyone} countedAt={counts.countedAt} />
              <span className={styles.tools}>
                <KeysHelp isOpen={isHelpOpen} onOpen={setHelpOpen} />
              </span>
            </div>
            <CanvasContext value={canvas}>
              <Canvas onHold={() => {}} onSearch={() => {}} onHelp={() => setHelpOpen(true)} />
            </CanvasContext>
            <RuleInWords>{sentenceOf(rule, (tag) => shownIn(shownTags, tag).name)}</RuleInWords>
          </section>
        </div>
      </DragDropProvider>
    </div>
  )
}
