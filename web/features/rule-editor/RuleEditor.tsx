import { App, Button } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { sentenceOf, subTagsOf } from '#contract/rule.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import type { Crumb } from '../../components/PageHeader.tsx'
import { CrowdFormFields } from './CrowdFormFields.tsx'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasContext, type CutTag } from './canvas/canvas-context.ts'
import { TagDragging } from './canvas/TagDragging.tsx'
import { useCanvasValue } from './canvas/use-canvas-value.ts'
import { useDrops } from './canvas/use-drops.ts'
import { useHistoryKeys } from './canvas/use-history-keys.ts'
import { EditorBody, EditorPage } from './EditorLayout.tsx'
import { EditorTools, type OpenedTool } from './EditorTools.tsx'
import { SavedDifference } from './SavedDifference.tsx'
import { countedOf, type LoadedCrowd } from './saving/load-crowd.ts'
import { SaveAsDialog } from './saving/SaveAsDialog.tsx'
import { StaleDialog } from './saving/StaleDialog.tsx'
import { useKeptWork } from './saving/use-kept-work.ts'
import { useLoadWhole } from './saving/use-load-whole.ts'
import { useOpenDocument } from './saving/use-open-document.ts'
import { type SavedCrowd, useSave } from './saving/use-save.ts'
import { useSaveAs } from './saving/use-save-as.ts'
import { useSubmit } from './saving/use-submit.ts'
import { wholeCountOf } from './state/counts.ts'
import { isUnsaved } from './state/editor-state.ts'
import { keyOfTag } from './state/shown-tags.ts'
import { useCounts } from './state/use-counts.ts'
import { useEveryone } from './state/use-everyone.ts'
import { Total } from './Total.tsx'
import { type SearchHandle, TagTabs } from './tag-panel/TagTabs.tsx'

/** What contains the editor: a page of the console, a frame in another site, or a drawer. */
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
  /** workbench: the canvas can be cleared. */
  entry: 'console' | 'workbench'
  /** null inside of a drawer, which has a title. */
  crumbs: Crumb[] | null
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
  const { saving, copying, faults, emptyLeaves, submit, askName } = useWork(crowd, document, host.onSaved)

  const [cutTag, setCutTag] = useState<CutTag | null>(null)
  const [opened, setOpened] = useState<OpenedTool>(null)
  const search = useRef<SearchHandle>(null)

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
  const canvas = useCanvasValue(state, dispatch, { advId, counts, everyone, shownOf }, { emptyLeaves, cutTag })
  const used = useMemo(() => new Set(subTagsOf(rule).map(keyOfTag)), [rule])

  return (
    <EditorPage
      crumbs={crumbs}
      title={crowd ? '编辑组合定向包' : '新建组合定向包'}
      advName={advName}
      notice={notice}
      action={
        <Buttons
          advId={advId}
          isSaving={saving.isSaving}
          onCancel={() => host.onCancel()}
          onSaveAs={crowd && askName}
          onSave={submit}
        />
      }
    >
      <TagDragging rule={rule} onDragEnd={onDragEnd}>
        <EditorBody
          tags={
            <TagTabs
              advId={advId}
              crowdId={crowdId}
              used={used}
              isReadOnly={false}
              hasHistory
              emptyAction={emptyAction}
              onPick={pick}
              onLoad={loadWhole}
              search={search}
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
              <Total count={wholeCountOf(rule, counts, crowd)} everyone={everyone} error={error} onRetry={retry} />
              <EditorTools
                state={state}
                dispatch={dispatch}
                mayClear={entry === 'workbench'}
                opened={opened}
                onOpen={setOpened}
              />
            </>
          }
          canvas={
            <CanvasContext value={canvas}>
              <Canvas
                onCut={setCutTag}
                onAdd={() => setOpened('add')}
                onHelp={() => setOpened('help')}
                onSearch={() => search.current?.focus()}
              />
            </CanvasContext>
          }
          sentence={sentenceOf(rule, (tag) => shownOf(tag).name)}
          difference={crowd && rule !== state.base.rule && <SavedDifference crowdId={crowd.ruleCrowd.id} rule={rule} />}
        />
      </TagDragging>
      {crowd && copying.isAsking && (
        <SaveAsDialog
          name={crowd.ruleCrowd.name}
          isBusy={copying.isSaving}
          onSave={copying.save}
          onCancel={copying.cancel}
        />
      )}
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

const Buttons = (props: {
  advId: number
  isSaving: boolean
  onCancel: () => void
  /** null for a new crowd. */
  onSaveAs: (() => void) | null
  onSave: () => void
}) => (
  <>
    <Button onClick={props.onCancel}>取消</Button>
    {props.onSaveAs && (
      <ChangeButton changes={props.advId} onClick={props.onSaveAs}>
        另存为
      </ChangeButton>
    )}
    <ChangeButton changes={props.advId} type="primary" loading={props.isSaving} onClick={props.onSave}>
      保存
    </ChangeButton>
  </>
)

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
  const leave = (saved: SavedCrowd) => finish(() => onSaved(saved))
  const saving = useSaving(crowd, document, leave)
  const copying = useSaveAs(advId, doc, leave)
  const { isComplete, ...submitting } = useSubmit(doc, saving.takenName, dispatch, () => saving.save(doc, ver))
  return { saving, copying, ...submitting, askName: () => isComplete() && copying.ask() }
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
