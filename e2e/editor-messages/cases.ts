import type { Page } from '@playwright/test'
import type { Outcome } from '#contract/outcome.ts'

/** A message that a viewer's own clicks lead to. */
export interface ClickCase<Field> {
  title: string
  /** At which field the message stands. */
  field: Field
  reason: Outcome
  /** Starts from an untouched form with the field's tab open. */
  act(page: Page): Promise<void>
  undo(page: Page): Promise<void>
}

/** A message that no control leads to. */
interface Prevented<Field> {
  reason: Outcome
  /** Sees on the page, which shows the form `edge`, that the control goes no further; or where a control like it is. */
  prevents: ((page: Page) => Promise<void>) | { like: Field }
}

/**
 * Messages of a form that the controls never make. It is put before the viewer as unsaved work of an earlier visit, which
 * is how an older console, or a rule that has become stricter, may leave one.
 */
export interface KeptCase<Field extends string, Form> {
  title: string
  form: Partial<Form>
  /** As far as the controls go. */
  edge: Partial<Form>
  says: { [F in Field]?: Prevented<Field> }
}
