import { Drawer } from 'antd'
import { Deleted, type DeletedProps } from './Deleted.tsx'

export const DeletedDrawer = (props: DeletedProps & { isOpen: boolean; onClose: () => void }) => (
  <Drawer open={props.isOpen} size={800} title={`最近删除的${props.noun}`} onClose={props.onClose} destroyOnHidden>
    <Deleted {...props} />
  </Drawer>
)
