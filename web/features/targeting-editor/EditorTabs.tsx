import { Form, Tabs } from 'antd'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import styles from './editor.module.css'
import { type Editing, EditingContext } from './editor-context.ts'
import { fieldId } from './parts/EditorField.tsx'
import { TabLabel, type TabState } from './TabLabel.tsx'

/** A tab to be opened, with the field to be brought into view; a new object each time it is asked for. */
export interface TabAsked {
  tab: string
  field?: string | undefined
}

interface Props {
  editing: Editing
  asked: TabAsked
  stateOf: (tab: string) => TabState
}

/** What takes the focus in a field: the chosen one of radio buttons, else its first control. */
const FOCUSABLE =
  'input:not([type="radio"], :disabled), input[type="radio"]:checked:enabled, button:enabled, [tabindex="0"]'
const LABELS = { flex: '104px' }

/**
 * The tabs of an editor, and which is open. A press marks its tab at once, and the fields follow as soon as they are
 * drawn; fields that nobody sees follow the form in the same way.
 */
export function EditorTabs({ editing, asked, stateOf }: Props) {
  const { editor } = editing
  const [tab, setTab] = useState(asked.tab)
  const [seen, setSeen] = useState(asked)
  if (seen !== asked) {
    setSeen(asked)
    setTab(asked.tab)
  }
  const drawn = useDeferredValue(tab)
  const later = useDeferredValue(editing)
  // The field stands in the page once its tab is drawn, and antd shows the tab just after that.
  useEffect(() => {
    if (asked.field === undefined || asked.tab !== drawn) return
    const field = document.getElementById(fieldId(asked.field))
    const frame = requestAnimationFrame(() => {
      field?.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true })
      field?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
  }, [asked, drawn])
  return (
    <Form component="div" layout="horizontal" labelCol={LABELS} labelWrap className={styles.tabs ?? ''}>
      <Tabs
        tabPlacement="start"
        activeKey={tab}
        onChange={setTab}
        items={editor.tabs.map(({ key, label }) => ({
          key,
          label: <TabLabel label={label} state={stateOf(key)} />,
          children: (
            <EditingContext value={key === tab ? editing : later}>
              <OnceOpened isOpen={key === drawn}>
                <div className={styles.fields}>
                  <editor.TabFields tab={key} />
                </div>
              </OnceOpened>
            </EditingContext>
          ),
        }))}
      />
    </Form>
  )
}

/** From the first time that it is open. */
function OnceOpened({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return isOpen || wasOpen ? children : null
}
