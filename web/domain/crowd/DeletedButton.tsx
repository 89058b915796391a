import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { later } from '../../components/later.tsx'
import { useDeletedMessage } from '../../components/use-deleted-message.tsx'
import type { DeletedProps } from './Deleted.tsx'

const DeletedDrawer = later(() => import('./DeletedDrawer.tsx').then((file) => file.DeletedDrawer))

/** Opens the list of recently deleted crowds. */
export function DeletedButton(props: DeletedProps) {
  const { closeDeleted } = useDeletedMessage()
  const [isOpen, setIsOpen] = useState(false)
  // Closed it stays mounted, so that it can slide out.
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      <Button
        icon={<HistoryOutlined />}
        onClick={() => {
          closeDeleted()
          setIsOpen(true)
          setWasOpened(true)
        }}
      >
        最近删除
      </Button>
      {wasOpened && <DeletedDrawer {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  )
}
