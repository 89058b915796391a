import { OPS, type RuleOp } from '#contract/rule.ts'
import styles from './canvas.module.css'

export const OP_CHOICES = ['n', 'u', 'e'] as const

/** What an operator means between parts, and for a rule that is added to those above it. */
const MEANING: Record<RuleOp, string> = { n: '同时满足', u: '满足任一', e: '前者去掉后者' }
export const WITH_ABOVE: Record<RuleOp, string> = { n: '与以上同时满足', u: '与以上满足任一', e: '从以上去掉' }

const itemsOf = (meaning: Record<RuleOp, string>) =>
  OP_CHOICES.map((op) => ({
    key: op,
    label: (
      <>
        <span className={`${styles[`op_${op}`]} ${styles.choice}`}>{OPS[op]}</span>
        <span className={styles.meaning}>{meaning[op]}</span>
      </>
    ),
  }))

/** Menus of 交, 并 and 差: to change an operator, and to add a rule by it. */
export const OP_ITEMS = itemsOf(MEANING)
export const ADD_ITEMS = itemsOf(WITH_ABOVE)
