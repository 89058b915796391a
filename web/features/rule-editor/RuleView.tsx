import { DragDropProvider } from '@dnd-kit/react'
import { type ReactNode, useMemo, useReducer, useState } from 'react'
import { sentenceOf, subTagsOf } from '#contract/rule.ts'
import { dragSettings } from '../../components/drag-settings.ts'
import type { Crumb } from '../../components/PageHeader.tsx'
import { CrowdFacts } from './CrowdFacts.tsx'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasContext } from './canvas/canvas-context.ts'
import { KeysHelp } from './canvas/KeysHelp.tsx'
import { useCanvasValue } from './canvas/use-canvas-value.ts'
import { EditorBody, EditorPage } from './EditorLayout.tsx'
import styles from './rule-editor.module.css'
import { countedOf, documentOf, type LoadedCrowd } from './saving/load-crowd.ts'
import { countsFor, wholeCountOf } from './state/counts.ts'
import { openEditor, reduce } from './state/editor-state.ts'
import { keyOfTag, shownTagsOf } from './state/shown-tags.ts'
import { useEveryone } from './state/use-everyone.ts'
import { useShownTags } from './state/use-shown-tags.ts'
import { Total } from './Total.tsx'
import { TagTabs } from './tag-panel/TagTabs.tsx'

interface Props {
  crowd: LoadedCrowd
  advName: string | null
  entry: 'console' | 'workbench'
  crumbs: Crumb[]
  /** The crowd's state: more items for the list of its facts. */
  facts?: ReactNode
  /** What is wrong with it, above everything. */
  notice?: ReactNode
  /** What can be done with it, and the way back. */
  actions: ReactNode
}

const nothing = () => {}

/** A crowd's rule in the editor's layout, read-only. */
export function RuleView({ crowd, advName, entry, crumbs, facts, notice, actions }: Props) {
  const [state, dispatch] = useReducer(reduce, crowd, (loaded) => openEditor(documentOf(loaded)))
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { rule } = state.doc
  const { shownOf } = useShownTags(() => shownTagsOf(crowd.rule))
  const counts = useMemo(() => countsFor(rule, countedOf(crowd.rule)), [rule, crowd])
  const everyone = useEveryone(crowd.ruleCrowd.adv_id)
  const canvas = useCanvasValue(state, dispatch, { advId: crowd.ruleCrowd.adv_id, counts, everyone, shownOf })
  const used = useMemo(() => new Set(subTagsOf(rule).map(keyOfTag)), [rule])
  return (
    <EditorPage
      crumbs={crumbs}
      title={crowd.ruleCrowd.name}
      here="查看定向包"
      advName={advName}
      notice={notice}
      action={actions}
    >
      {/* Tags and canvas are drag sources and targets also where dragging is off. */}
      <DragDropProvider {...dragSettings}>
        <EditorBody
          tags={
            <TagTabs
              advId={crowd.ruleCrowd.adv_id}
              crowdId={crowd.ruleCrowd.id}
              used={used}
              isReadOnly
              hasHistory={entry === 'workbench'}
            />
          }
          form={<CrowdFacts form={documentOf(crowd).form} more={facts} />}
          bar={
            <>
              <Total count={wholeCountOf(rule, counts, crowd)} everyone={everyone} />
              <span className={styles.tools}>
                <KeysHelp isOpen={isHelpOpen} onOpen={setHelpOpen} />
              </span>
            </>
          }
          canvas={
            <CanvasContext value={canvas}>
              <Canvas onCut={nothing} onAdd={nothing} onSearch={nothing} onHelp={() => setHelpOpen(true)} />
            </CanvasContext>
          }
          sentence={sentenceOf(rule, (tag) => shownOf(tag).name)}
        />
      </DragDropProvider>
    </EditorPage>
  )
}
