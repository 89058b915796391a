import { App, Button, type InputRef } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { sentenceOf, subTagsOf } from '#contract/rule.ts'
import type { Crumb } from '../../components/PageHeader.tsx'
import { CrowdFormFields } from './CrowdFormFields.tsx'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasContext, type CutTag } from './canvas/canvas-context.ts'
import { TagDragging } from './canvas/TagDragging.tsx'
import { useCanvasValue } from './canvas/use-canvas-value.ts'
import { useDrops } from './canvas/use-drops.ts'
import { useHistoryKeys } from './canvas/use-history-keys.ts'
import { EditorBody, EditorPage } from './EditorLayout.tsx'
import { EditorTools } from './EditorTools.tsx'
import { countedOf, type LoadedCrowd } from './saving/load-crowd.ts'
import { StaleDialog } from './saving/StaleDialog.tsx'
import { useKeptWork } from './saving/use-kept-work.ts'
import { useLoadWhole } from './saving/use-load-whole.ts'
import { useOpenDocument } from './saving/use-open-document.ts'
import { type SavedCrowd, useSave } from './saving/use-save.ts'
import { useSubmit } from './saving/use-submit.ts'
import { isUnsaved } from './state/editor-state.ts'
import { keyOfTag } from './state/shown-tags.ts'
import { useCounts } from './state/use-counts.ts'
import { useEveryone } from './state/use-everyone.ts'
import { Total } from './Total.tsx'
import { ATTRIBUTES_TAB, TagTabs } from './tag-panel/TagTabs.tsx'

/** What contains the editor: a page of the console, or a frame in another site. */
export interface EditorHost {
  onSaved(crowd: SavedCrowd): void
  onCancel(): void
}

interface Props {
  /** null makes a new crowd. */
  crowd: LoadedCrowd | null
  advId: number
  /** Shown in SaaS; null hides it. */
  advName: string | null
  /** The folder of a new crowd unless another is chosen. */
  dirId: number | null
  /** workbench: with history crowds, and the canvas can be cleared. */
  entry: 'console' | 'workbench'
  crumbs: Crumb[]
  /** What is wrong with the crowd, above everything. */
  notice?: ReactNode
  host: EditorHost
  /** What to do where the advertiser has no tags yet. */
  emptyAction?: ReactNode
}

export function RuleEditor({ crowd, advId, advName, dirId, entry, crumbs, notice, host, emptyAction }: Props) {
  const document = useOpenDocument(crowd, advId, dirId)
  const { crowdId, state, dispatch, tags, draft } = document
  const { doc, cursor } = state
  const { rule, form } = doc
  const { shownTags, shownOf, addTags } = tags
  const { counts, error, retry } = useCounts(advId, rule, draft, crowd && countedOf(crowd.rule))
  const everyone = useEveryone(advId)
  const { saving, faults, emptyLeaves, submit } = useWork(crowd, document, host.onSaved)

  const [cutTag, setCutTag] = useState<CutTag | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const panel = useTagPanel()

  const { pick, onDragEnd } = useDrops(rule, cursor, dispatch, (shown) => addTags([shown]))
  const loadWhole = useLoadWhole((loaded, shown) => {
    addTags(shown)
    dispatch({ type: 'replaceRule', rule: loaded })
  })
  useHistoryKeys({
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    save: submit,
  })
  const canvas = useCanvasValue(state, dispatch, { counts, everyone, shownOf }, { emptyLeaves, cutTag })
  const used = useMemo(() => new Set(subTagsOf(rule).map(keyOfTag)), [rule])

  return (
    <EditorPage
      crumbs={crumbs}
      title={crowd ? '编辑人群' : '新建人群'}
      advName={advName}
      notice={notice}
      action={<Buttons isSaving={saving.isSaving} onCancel={() => host.onCancel()} onSave={submit} />}
    >
      <TagDragging onDragEnd={onDragEnd}>
        <EditorBody
          tags={
            <TagTabs
              advId={advId}
              crowdId={crowdId}
              used={used}
              isReadOnly={false}
              hasHistory={entry === 'workbench'}
              emptyAction={emptyAction}
              onPick={pick}
              onLoad={loadWhole}
              open={panel.open}
            />
          }
          form={
            <CrowdFormFields
              form={form}
              faults={faults}
              onFill={(change) => dispatch({ type: 'fill', form: change })}
            />
          }
          bar={
            <>
              <Total
                count={counts.of(rule)}
                everyone={everyone}
                countedAt={counts.countedAt}
                error={error}
                onRetry={retry}
              />
              <EditorTools
                state={state}
                dispatch={dispatch}
                mayClear={entry === 'workbench'}
                isHelpOpen={isHelpOpen}
                onHelp={setHelpOpen}
              />
            </>
          }
          canvas={
            <CanvasContext value={canvas}>
              <Canvas onCut={setCutTag} onHelp={() => setHelpOpen(true)} onSearch={panel.focusSearch} />
            </CanvasContext>
          }
          sentence={sentenceOf(rule, (tag) => shownOf(tag).name)}
        />
      </TagDragging>
      <StaleDialog
        conflict={saving.conflict}
        mine={doc}
        shownTags={shownTags}
        myCount={counts.of(rule).people}
        isSaving={saving.isSaving}
        onOverwrite={saving.overwrite}
        onTakeTheirs={saving.takeTheirs}
        onClose={saving.closeConflict}
      />
    </EditorPage>
  )
}

const Buttons = (props: { isSaving: boolean; onCancel: () => void; onSave: () => void }) => (
  <>
    <Button onClick={props.onCancel}>取消</Button>
    <Button type="primary" loading={props.isSaving} onClick={props.onSave}>
      保存
    </Button>
  </>
)

/** The open tab of the tag panel, and the field that searches attribute tags. */
function useTagPanel() {
  const [tab, setTab] = useState(ATTRIBUTES_TAB)
  const search = useRef<InputRef>(null)
  return {
    open: { key: tab, onChange: setTab, searchRef: search },
    focusSearch: () => {
      setTab(ATTRIBUTES_TAB)
      // A hidden tab's field cannot take the focus.
      setTimeout(() => search.current?.focus())
    },
  }
}

/** Keeps unsaved work in the browser, and submits it. */
function useWork(
  crowd: LoadedCrowd | null,
  document: ReturnType<typeof useOpenDocument>,
  onSaved: (saved: SavedCrowd) => void,
) {
  const { crowdId, advId, state, dispatch, ver, draftId, tags } = document
  const { doc } = state
  const { finish } = useKeptWork({
    crowdId,
    advId,
    unsaved: isUnsaved(state),
    doc,
    ver,
    rId: draftId,
    shownTags: tags.shownTags,
  })
  const saving = useSaving(crowd, document, (saved) => finish(() => onSaved(saved)))
  return { saving, ...useSubmit(doc, saving.takenName, dispatch, () => saving.save(doc, ver)) }
}

/** Saving, with both solutions of a conflict. */
function useSaving(
  crowd: LoadedCrowd | null,
  { state, dispatch, setVer, tags, draft, advId }: ReturnType<typeof useOpenDocument>,
  onSaved: (saved: SavedCrowd) => void,
) {
  const { message } = App.useApp()
  const [takenName, setTakenName] = useState<string | null>(null)
  const { save, isSaving, conflict, closeConflict } = useSave({
    advId,
    crowd: crowd && { id: crowd.ruleCrowd.id, tagId: crowd.ruleCrowd.tagId },
    draft,
    onSaved: (saved) => {
      void message.success(crowd ? '修改成功' : '提交成功')
      onSaved(saved)
    },
    onNameTaken: () => setTakenName(state.doc.form.name),
  })

  function takeTheirs() {
    if (!conflict) return
    const { theirs } = conflict
    tags.addTags(theirs.shownTags.values())
    dispatch({ type: 'takeOver', doc: theirs.doc })
    setVer(theirs.ver)
    closeConflict()
    void message.info('已换成对方的版本，撤销可取回您的修改')
  }

  function overwrite() {
    if (!conflict) return
    setVer(conflict.theirs.ver)
    save(state.doc, conflict.theirs.ver)
  }

  return { save, isSaving, takenName, conflict, closeConflict, takeTheirs, overwrite }
}
