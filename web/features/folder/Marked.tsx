import styles from './folder.module.css'

/** A text with the matches of a search highlighted. */
export function Marked({ text, keyword }: { text: string; keyword: string }) {
  const wanted = keyword.trim().toLowerCase()
  const at = wanted ? text.toLowerCase().indexOf(wanted) : -1
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
