import { type ReactNode, useRef } from 'react'
import styles from './fields.module.css'

/** Lets one file be chosen in the browser's own dialog; `button` opens it. */
export function FileChoice(props: {
  label: string
  accept: readonly string[]
  onFile: (file: File) => void
  button: (open: () => void) => ReactNode
}) {
  const { label, accept, onFile, button } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {button(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        className={styles.file}
        aria-label={label}
        accept={accept.join(',')}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
