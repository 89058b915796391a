import { Alert } from 'antd'
import text from '../../components/text.module.css'
import { Sentence } from '../../domain/outcome/Sentence.tsx'
import styles from './editor.module.css'
import { useEditing } from './editor-context.ts'
import { ReachPanel } from './reach/ReachPanel.tsx'

/** Words of one line beyond these are counted. */
const WORDS_SHOWN = 20

/** The reach, and the chosen targeting in words. A line leads to its field. */
export function Preview({ onOpen }: { onOpen: (tab: string, field: string) => void }) {
  const { editor, form } = useEditing()
  const lines = editor.useWords(form)
  return (
    <aside className={styles.preview} aria-label="预览">
      <ReachPanel />
      <h2>已选定向</h2>
      {editor.notes(form).map((note) => (
        <Alert key={note.code} type="info" title={<Sentence outcome={note} />} />
      ))}
      {lines.length === 0 && <p className={text.hint}>不限：面向所有人</p>}
      {editor.tabs
        .filter((tab) => lines.some((line) => line.tab === tab.key))
        .map((tab) => (
          <section key={tab.key} aria-label={`${tab.label}的已选内容`}>
            <h3>{tab.label}</h3>
            <dl>
              {lines
                .filter((line) => line.tab === tab.key)
                .map(({ field, label, words, isWithdrawn }) => (
                  <div key={field}>
                    <dt>
                      <button
                        type="button"
                        className={`${text.link} ${styles.jump}`}
                        onClick={() => onOpen(tab.key, field)}
                      >
                        {label}
                      </button>
                    </dt>
                    <dd>
                      {words.slice(0, WORDS_SHOWN).join('、')}
                      {words.length > WORDS_SHOWN && ` 等 ${words.length} 项`}
                      {isWithdrawn && <span className={text.small}> 平台已停用，不会发送</span>}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
    </aside>
  )
}
