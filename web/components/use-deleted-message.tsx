import { App, Button } from 'antd'
import space from './space.module.css'
import text from './text.module.css'

/** How long the popup offers to undo a deletion, in seconds; after that 最近删除 does. */
const UNDO_SECONDS = 15

/** The popups that are shown. */
const told = new Set<string>()

/** Announces a deletion and offers to undo it, until 最近删除 is opened. */
export function useDeletedMessage() {
  const { message } = App.useApp()

  function tellDeleted(ids: readonly number[], said: string, what: string, undo: () => void) {
    const key = `deleted ${ids.join()}`
    told.add(key)
    let isUndone = false
    message.success({
      key,
      duration: UNDO_SECONDS,
      onClose: () => void told.delete(key),
      content: (
        <>
          <span>{said}</span>
          <span className={`${text.secondary} ${space.remark}`}>{what}</span>
          <Button
            type="link"
            size="small"
            onClick={() => {
              message.destroy(key)
              // The popup leaves slowly enough for a double click.
              if (!isUndone) undo()
              isUndone = true
            }}
          >
            撤销
          </Button>
        </>
      ),
    })
  }

  /** Closes these popups: 最近删除 offers the same, and they would cover its title. */
  function closeDeleted() {
    for (const key of told) message.destroy(key)
  }

  return { tellDeleted, closeDeleted }
}
