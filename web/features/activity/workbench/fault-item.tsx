import type { FormItemProps } from 'antd'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import text from '../../../components/text.module.css'

/** What a form's field shows of what is wrong with it. */
export const faultItem = (reason: AnyOutcome | null): Pick<FormItemProps, 'validateStatus' | 'help'> =>
  reason === null ? {} : { validateStatus: 'error', help: <span role="alert">{sentenceOf(reason)}</span> }

/** The same of what is only pointed out. The colour of warnings is too pale for words. */
export const noticeItem = (words: string | null): Pick<FormItemProps, 'validateStatus' | 'help'> =>
  words === null ? {} : { validateStatus: 'warning', help: <span className={text.secondary}>{words}</span> }
