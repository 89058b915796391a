import { App, Button, Typography } from 'antd'
import space from './space.module.css'

/** How long the popup offers to undo a deletion, in seconds; after that 最近删除 does. */
const UNDO_SECONDS = 15

/** Announces a deletion and offers to undo it. */
export function useDeletedMessage() {
  const { message } = App.useApp()
  return (ids: readonly number[], said: string, what: string, undo: () => void) => {
    const key = `deleted ${ids.join()}`
    message.success({
      key,
      duration: UNDO_SECONDS,
      content: (
        <>
          <span>{said}</span>
          <Typography.Text type="secondary" className={space.remark}>
            {what}
          </Typography.Text>
          <Button
            type="link"
            size="small"
            onClick={() => {
              message.destroy(key)
              undo()
            }}
          >
            撤销
          </Button>
        </>
      ),
    })
  }
}
