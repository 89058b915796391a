import { SearchOutlined } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { useEffect, useState } from 'react'
import { later } from '../../components/later.tsx'
import styles from './TopBar.module.css'

const Palette = later(() => import('./KnownPalette.tsx').then((file) => file.KnownPalette))

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the search: a box in the top bar, or Ctrl K (⌘ K) anywhere. */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className={styles.search}
      >
        <Flex align="center" gap={8} className={styles.searchFace}>
          <SearchOutlined />
          <span className={styles.word}>搜索</span>
          <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        </Flex>
      </Button>
      {wasOpened && <Palette isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
