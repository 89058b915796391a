import { QuestionCircleOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import styles from '../rule-editor.module.css'
import { KEYS } from './keys.ts'

/** The editor's keyboard shortcuts, opened by a button or by ?. */
export function KeysHelp({ isOpen, onOpen }: { isOpen: boolean; onOpen(open: boolean): void }) {
  return (
    <Popover
      open={isOpen}
      onOpenChange={onOpen}
      trigger="click"
      placement="bottomRight"
      title="键盘操作"
      content={
        <dl className={styles.keys}>
          {KEYS.map(({ keys, effect }) => (
            <div key={effect}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      }
    >
      <Button type="text" icon={<QuestionCircleOutlined />} aria-label="键盘操作" aria-expanded={isOpen} />
    </Popover>
  )
}
