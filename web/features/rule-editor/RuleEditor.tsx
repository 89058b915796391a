import { DragDropProvider } from '@dnd-kit/react'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, type InputRef, Tabs, Tag } from 'antd'
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { emptyLeavesOf, findNode, sentenceOf, subTagsOf } from '#contract/rule.ts'
import { dragSettings } from '../../components/drag-settings.ts'
import { type Crumb, PageHeader } from '../../components/PageHeader.tsx'
import { useConfirm } from '../../components/use-confirm.ts'
import { today } from '../../lib/zone.ts'
import { CrowdFormFields } from './CrowdFormFields.tsx'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasContext, type HeldTag } from './canvas/canvas-context.ts'
import { DragGhost } from './canvas/DragGhost.tsx'
import { useDrops } from './canvas/use-drops.ts'
import { useHistoryKeys } from './canvas/use-history-keys.ts'
import { EditorTools } from './EditorTools.tsx'
import { RuleInWords } from './RuleInWords.tsx'
import styles from './rule-editor.module.css'
import { draftOf } from './saving/draft.ts'
import { findWork } from './saving/kept-work.ts'
import { countedOf, documentOf, type LoadedCrowd, loadCrowd } from './saving/load-crowd.ts'
import { StaleDialog } from './saving/StaleDialog.tsx'
import { useKeptWork } from './saving/use-kept-work.ts'
import { type SavedCrowd, useSave } from './saving/use-save.ts'
import { type CrowdForm, emptyDocument, isUnsaved, openEditor, reduce } from './state/editor-state.ts'
import { type FormFaults, faultsOf } from './state/form-rules.ts'
import { keyOfTag, learn, type ShownTag, type ShownTags, shownIn, shownTagsOf } from './state/shown-tags.ts'
import { useCounts } from './state/use-counts.ts'
import { useEveryone } from './state/use-everyone.ts'
import { Total } from './Total.tsx'
import { HistoryPanel, TagPanel } from './tag-panel/TagPanel.tsx'

/** Where the editor stands: a page of the console, or a frame of the workbench that acts for it. */
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
  /** The folder that a new crowd goes into unless another is chosen. */
  dirId: number | null
  /** workbench: with history crowds, and the canvas can be cleared. */
  entry: 'console' | 'workbench'
  crumbs: Crumb[]
  /** What stands in the crowd's way, above everything. */
  notice?: ReactNode
  host: EditorHost
  /** What to do where the advertiser has no tags yet. */
  emptyAction?: ReactNode
}

export function RuleEditor({ crowd, advId, advName, dirId, entry, crumbs, notice, host, emptyAction }: Props) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const client = useQueryClient()
  const crowdId = crowd?.people.id ?? 0

  const [start] = useState(() => {
    const base = crowd ? documentOf(crowd) : emptyDocument({ dirId })
    const kept = findWork(crowdId, advId)
    return { base, kept, ver: kept ? kept.ver : (crowd?.people.ver ?? null) }
  })
  const [state, dispatch] = useReducer(reduce, start, ({ base, kept }) => openEditor(base, kept?.doc))
  const { doc, spot } = state
  const { rule, form } = doc
  const [ver, setVer] = useState(start.ver)
  const [shownTags, setShownTags] = useState<ShownTags>(() =>
    learn(crowd ? shownTagsOf(crowd.rule) : new Map(), start.kept?.shownTags ?? []),
  )
  const [held, setHeld] = useState<HeldTag | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  /** Faults are shown once saving was tried. */
  const [isTried, setTried] = useState(false)
  const [takenName, setTakenName] = useState<string | null>(null)
  const [grab, setGrab] = useState({ x: 0, y: 0 })
  const [tab, setTab] = useState('1')
  const search = useRef<InputRef>(null)

  // Its id comes with the first count, and what is kept of the work has to name it.
  const [, setDraftId] = useState(start.kept?.rId ?? null)
  const [draft] = useState(() => draftOf(advId, crowd?.people.rId ?? null, start.kept?.rId ?? null, setDraftId))
  const { counts, error, retry } = useCounts(advId, rule, draft, crowd && countedOf(crowd.rule))
  const everyone = useEveryone(advId)

  const unsaved = isUnsaved(state)
  const { finish } = useKeptWork({ crowdId, advId, unsaved, doc, ver, rId: draft.id(), shownTags })
  const restored = start.kept !== null
  useEffect(() => {
    if (restored) void message.info({ key: 'restored', content: '已恢复上次未保存的修改，撤销可回到原来的内容' })
  }, [restored, message])

  const { save, isSaving, conflict, closeConflict } = useSave({
    advId,
    crowd: crowd && { id: crowd.people.id, tagId: crowd.people.tagId },
    draft,
    onSaved: (saved) => {
      void message.success(crowd ? '修改成功' : '提交成功')
      finish(() => host.onSaved(saved))
    },
    onNameTaken: () => setTakenName(form.name),
  })

  const faults: FormFaults = {
    ...(isTried ? faultsOf(form, today()) : {}),
    ...(takenName === form.name ? { name: '同级目录下不允许重名' } : {}),
  }
  const faulty = useMemo(() => new Set(isTried ? emptyLeavesOf(rule) : []), [isTried, rule])

  function submit() {
    setTried(true)
    const wrong = faultsOf(form, today())
    const empty = emptyLeavesOf(rule)
    if (empty[0]) {
      dispatch({ do: 'focus', spot: { node: empty[0] } })
      void message.warning({ key: 'refused', content: '人群标签不能为空' })
    }
    const first = (['name', 'day', 'dirId'] as const).map((field) => wrong[field]).find(Boolean)
    if (first && !empty[0]) void message.warning({ key: 'refused', content: first })
    if (!first && !empty[0]) save(doc, ver)
  }

  const { pick, onDragEnd } = useDrops(rule, spot, dispatch, (shown) => setShownTags((known) => learn(known, [shown])))

  function loadWhole(shown: ShownTag) {
    confirm({
      title: `载入「${shown.name}」的规则？`,
      content: '画布上现有的规则将被它覆盖。载入后可以撤销。',
      okText: '载入',
      onOk: async () => {
        const loaded = await loadCrowd(client, shown.id).catch((failure: Error) => {
          void message.error(failure.message)
          return null
        })
        if (!loaded?.rule.def) return
        const more = shownTagsOf(loaded.rule)
        setShownTags((known) => learn(known, more.values()))
        dispatch({ do: 'replaceRule', rule: loaded.rule.def })
      },
    })
  }

  function takeTheirs() {
    if (!conflict) return
    const { theirs } = conflict
    setShownTags((known) => learn(known, theirs.shownTags.values()))
    dispatch({ do: 'takeOver', doc: theirs.doc })
    setVer(theirs.ver)
    closeConflict()
    void message.info('已换成对方的版本，撤销可取回您的修改')
  }

  function overwrite() {
    if (!conflict) return
    setVer(conflict.theirs.ver)
    save(doc, conflict.theirs.ver)
  }

  const cancel = () => host.onCancel()
  useHistoryKeys({
    undo: () => dispatch({ do: 'undo' }),
    redo: () => dispatch({ do: 'redo' }),
    save: submit,
  })

  const shownOf = useCallback((tag: Parameters<typeof shownIn>[1]) => shownIn(shownTags, tag), [shownTags])
  const canvas = useMemo(
    () => ({
      rule,
      spot,
      folded: state.folded,
      counts,
      everyone,
      shownOf,
      faulty,
      held: held && findNode(rule, held.leaf)?.subTags.some((t) => keyOfTag(t) === keyOfTag(held.tag)) ? held : null,
      isReadOnly: false,
      dispatch,
    }),
    [rule, spot, state.folded, counts, everyone, shownOf, faulty, held],
  )
  const used = useMemo(() => new Set(subTagsOf(rule).map(keyOfTag)), [rule])
  const panel = { advId, used, isReadOnly: false, onPick: pick }
  const title = crowd ? '编辑人群' : '新建人群'

  return (
    <div className={styles.page}>
      <PageHeader
        crumbs={crumbs}
        title={title}
        extra={advName && <Tag>{advName}</Tag>}
        action={
          <>
            <Button onClick={cancel}>取消</Button>
            <Button type="primary" loading={isSaving} onClick={submit}>
              保存
            </Button>
          </>
        }
      />
      {notice}
      <DragDropProvider
        {...dragSettings}
        onDragStart={({ operation }) => {
          const box = operation.source?.element?.getBoundingClientRect()
          const { x, y } = operation.position.initial
          if (box) setGrab({ x: x - box.left, y: y - box.top })
        }}
        onDragEnd={onDragEnd}
      >
        <div className={styles.body}>
          <section className={styles.tags} aria-label="标签">
            <Tabs
              activeKey={tab}
              onChange={setTab}
              items={[
                {
                  key: '1',
                  label: '属性标签',
                  children: <TagPanel {...panel} tagType={1} searchRef={search} emptyAction={emptyAction} />,
                },
                {
                  key: '2',
                  label: '事件标签',
                  children: <TagPanel {...panel} tagType={2} emptyAction={emptyAction} />,
                },
                ...(entry === 'workbench'
                  ? [
                      {
                        key: '3',
                        label: '历史人群',
                        children: <HistoryPanel {...panel} crowdId={crowdId} onLoad={loadWhole} />,
                      },
                    ]
                  : []),
              ]}
            />
          </section>
          <section className={styles.work} aria-label="人群规则">
            <CrowdFormFields
              form={form}
              faults={faults}
              onFill={(change: Partial<CrowdForm>) => dispatch({ do: 'fill', form: change })}
            />
            <div className={styles.bar}>
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
            </div>
            <CanvasContext value={canvas}>
              <Canvas
                onHold={setHeld}
                onHelp={() => setHelpOpen(true)}
                onSearch={() => {
                  if (tab !== '1') setTab('1')
                  setTimeout(() => search.current?.focus())
                }}
              />
            </CanvasContext>
            <RuleInWords>{sentenceOf(rule, (tag) => shownOf(tag).name)}</RuleInWords>
          </section>
        </div>
        <DragGhost grab={grab} />
      </DragDropProvider>
      <StaleDialog
        conflict={conflict}
        mine={doc}
        shownTags={shownTags}
        myCount={counts.of(rule).people}
        isSaving={isSaving}
        onOverwrite={overwrite}
        onTakeTheirs={takeTheirs}
        onClose={closeConflict}
      />
    </div>
  )
}
