import { App, Button, ConfigProvider, Form, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Outcome, outcome, sentenceOf } from '#contract/outcome.ts'
import { isReadOnly, savingCall } from '#contract/targeting/mode.ts'
import { openingWarning } from '#contract/targeting/opening.ts'
import { contentOf } from '../../components/form-content.ts'
import { type Crumb, PageHeader } from '../../components/PageHeader.tsx'
import { useConfirm } from '../../components/use-confirm.ts'
import { BaseInfo } from './BaseInfo.tsx'
import { type BaseFaults, baseFaultsOf } from './base-faults.ts'
import { EditorTabs, type TabAsked } from './EditorTabs.tsx'
import styles from './editor.module.css'
import { type Editing, EditingContext } from './editor-context.ts'
import type { EditorDefinition, FieldFault } from './editor-definition.ts'
import { Notices } from './Notices.tsx'
import type { OpenedPackage } from './opened-package.ts'
import { Preview } from './Preview.tsx'
import { useCrowds } from './pickers/use-crowds.ts'
import { type Draft, draftOfSaved } from './saving/draft.ts'
import { findDraft } from './saving/kept-draft.ts'
import { StaleDialog } from './saving/StaleDialog.tsx'
import { useKeptDraft } from './saving/use-kept-draft.ts'
import { useSave } from './saving/use-save.ts'
import { TemplateStart } from './TemplateStart.tsx'

interface Props<F> {
  editor: EditorDefinition<F>
  opened: OpenedPackage<F>
  crumbs: Crumb[]
  title: string
  onDone: () => void
  /** Above the form, such as what a copy left out. */
  notice?: ReactNode
}

const nameTaken = outcome('fault', { fault: 'nameTaken', words: {} })

/** The editor of a platform's packages: its tabs, and beside them the reach and the chosen targeting in words. */
export function TargetingEditor<F>({ editor, opened, crumbs, title, onDone, notice }: Props<F>) {
  const { mode, account } = opened
  const isRead = isReadOnly(mode)
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [kept] = useState(() => (isRead ? null : findDraft(editor, opened.at)))
  const [draft, setDraft] = useState(kept?.draft ?? opened.draft)
  const [ver, setVer] = useState(kept?.ver ?? opened.ver)
  /** What the package held at first; anything else is unsaved. */
  const [original, setOriginal] = useState(opened.draft)
  const [givenUp, setGivenUp] = useState<Draft<F> | null>(kept?.givenUp ?? null)
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ form: F; fault: FieldFault } | null>(null)
  const [asked, open] = useState<TabAsked>(() => ({
    tab: openingWarning(opened.status, mode) ? editor.crowdTab : (editor.tabs[0]?.key ?? ''),
  }))
  const crowds = useCrowds(account.id)

  const isChanged = contentOf(draft) !== contentOf(original)
  const isUnsaved = !isRead && (mode !== 'edit' || isChanged || givenUp !== null)
  const { finish } = useKeptDraft({ at: opened.at, ver, draft, givenUp, isUnsaved })
  const saving = useSave({
    editor,
    accountId: account.id,
    id: savingCall(mode) === 'update' ? opened.id : null,
    onSaved: () => finish(onDone),
    onRefused: (fault) => {
      setRefused({ form: draft.form, fault })
      show(fault, editor.firstFault([fault])?.reason ?? fault.reason)
    },
  })
  const warn = (content: string) => void message.warning({ key: 'refused', content })
  const show = ({ tab, field }: { tab: string; field?: string | undefined }, reason: Outcome) => {
    open({ tab, field })
    warn(sentenceOf(reason))
  }

  const { form } = draft
  const typeOf = (one: F) => {
    const { landing_type } = editor.savedTargeting(one)
    return typeof landing_type === 'string' ? landing_type : null
  }
  const wrong = editor.faults(form, { hasNoCrowds: crowds.data?.pages[0]?.total_num === 0 })
  const base = baseFaultsOf(editor, draft, opened)
  const restricted = new Set(editor.words(form).map((line) => line.tab))
  const stateOf = (key: string) =>
    wrong.some((fault) => fault.tab === key) ? 'wrong' : restricted.has(key) ? 'done' : 'untouched'

  const submit = (version: number | null) => {
    setTried(true)
    const [firstBase] = Object.values(base)
    if (firstBase) return warn(sentenceOf(firstBase))
    const first = editor.firstFault(wrong)
    if (!first) return void saving.save(draft, version)
    show(wrong.find((fault) => fault.tab === first.tab) ?? first, first.reason)
  }
  const told = refused && refused.form === form ? [...wrong, refused.fault] : wrong
  const shownBase: BaseFaults = {
    ...(isTried ? base : {}),
    ...(saving.takenName === draft.targeting_name && { targeting_name: nameTaken }),
  }
  const editing: Editing<F> = {
    editor,
    accountId: account.id,
    form,
    change: (part) => setDraft((now) => ({ ...now, form: editor.changed(now.form, part) })),
    faults: isTried ? told : [],
    isReadOnly: isRead,
    lostCrowds: opened.lostCrowds,
  }

  return (
    <EditingContext value={editing as Editing}>
      <ConfigProvider componentDisabled={isRead}>
        <div className={styles.page}>
          <PageHeader crumbs={crumbs} title={title} />
          <Notices
            opened={opened}
            isRestored={kept !== null && draft === kept.draft && givenUp === null}
            isOutdated={kept !== null && kept.ver !== opened.ver && ver === kept.ver}
            isGivenUp={givenUp !== null}
            onTakeBack={() => {
              if (givenUp) setDraft(givenUp)
              // What was changed in the other version meanwhile stays available in its turn.
              setGivenUp(isChanged ? draft : null)
            }}
            onDiscard={() =>
              confirm({
                title: '放弃恢复的修改？',
                content: '放弃后回到打开时的内容，不能再找回。',
                okText: '放弃修改',
                cancelText: '继续编辑',
                isDanger: true,
                isSafeFirst: true,
                onOk: () => {
                  setDraft(opened.draft)
                  setVer(opened.ver)
                },
              })
            }
          />
          {notice}
          {mode === 'create' && (
            <TemplateStart
              platform={editor.platform}
              advId={opened.advId}
              isFilled={contentOf(form) !== contentOf(editor.withType(editor.emptyForm(), typeOf(form)))}
              onTargeting={(targeting) =>
                setDraft((now) => ({ ...now, form: editor.withType(editor.formOf(targeting), typeOf(now.form)) }))
              }
            />
          )}
          <Form component="div" layout="vertical" requiredMark={false}>
            <BaseInfo
              draft={draft}
              type={editor.typeWords(form)}
              faults={shownBase}
              accountName={account.name}
              onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
            />
          </Form>
          <div className={styles.body}>
            <EditorTabs editing={editing as Editing} asked={asked} stateOf={stateOf} />
            <ConfigProvider componentDisabled={false}>
              <Preview onOpen={(tab, field) => open({ tab, field })} />
            </ConfigProvider>
          </div>
          <ConfigProvider componentDisabled={false}>
            <footer className={styles.footer}>
              {isRead ? (
                <Button type="primary" onClick={onDone}>
                  返回
                </Button>
              ) : (
                <>
                  <Button onClick={onDone}>取消</Button>
                  <Button type="primary" loading={saving.isSaving} onClick={() => submit(ver)}>
                    确定
                  </Button>
                </>
              )}
            </footer>
            <Modal
              open={saving.isGone}
              title="此定向包已被删除"
              okText="另存为新定向包"
              cancelText="继续编辑"
              mask={{ closable: false }}
              onOk={() => void saving.saveAsNew(draft)}
              onCancel={saving.closeGone}
            >
              其他人删除了它，这里的内容还在，可以另存为新的定向包。
            </Modal>
            <StaleDialog
              editor={editor}
              accountId={account.id}
              conflict={saving.conflict}
              mine={draft}
              isSaving={saving.isSaving}
              onClose={saving.closeConflict}
              onOverwrite={() => {
                if (!saving.conflict) return
                setVer(saving.conflict.theirs.ver)
                submit(saving.conflict.theirs.ver)
              }}
              onTakeTheirs={() => {
                if (!saving.conflict) return
                const theirs = draftOfSaved(editor, saving.conflict.theirs)
                if (isChanged || givenUp === null) setGivenUp(draft)
                setDraft(theirs)
                setOriginal(theirs)
                setVer(saving.conflict.theirs.ver)
                saving.closeConflict()
              }}
            />
          </ConfigProvider>
        </div>
      </ConfigProvider>
    </EditingContext>
  )
}
