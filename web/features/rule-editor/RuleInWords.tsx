import styles from './rule-editor.module.css'

/** The sentence below the canvas; a long one scrolls, by keyboard too. */
export function RuleInWords({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles.words} tabIndex={0} aria-label="规则说明">
      {children}
    </section>
  )
}
