import { HolderOutlined } from '@ant-design/icons'
import { useDraggable } from '@dnd-kit/react'
import styles from './canvas.module.css'
import type { BoxLoad } from './dragging.ts'

/** The handle by which a box is dragged before or after another. */
export function BoxGrip({ node, name }: { node: string; name: string }) {
  const load: BoxLoad = { box: node }
  const { ref } = useDraggable({ id: `grip:${node}`, data: load })
  return (
    <button
      ref={ref}
      type="button"
      tabIndex={-1}
      className={`${styles.icon} ${styles.grip}`}
      data-tip="拖动以移到别的规则之前或之后（Shift 加方向键）"
      aria-label={`移动${name}`}
    >
      <HolderOutlined />
    </button>
  )
}
