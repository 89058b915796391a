import { Checkbox, Input, Radio } from 'antd'
import { useState } from 'react'
import { FIELDS } from '#contract/targeting/five-tab/fields.ts'
import type { ChoiceField, CodeOf } from '#contract/targeting/five-tab/labels.ts'
import type { FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import { choicesOf } from '#contract/targeting/five-tab/shown.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import text from '../../../components/text.module.css'
import { useNameSearch } from '../../../lib/name-search.ts'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useFiveTab } from './use-five-tab.ts'

/** More choices than these can be searched. */
const SEEN_AT_ONCE = 20

export const UNLIMITED = '不限'
/** Stands for an empty list in a group of radios. */
const NONE = ''

/** Fields that hold a list of codes, and those that hold one code. */
export type ListField = { [F in ChoiceField]: FiveTabForm[F] extends readonly string[] ? F : never }[ChoiceField]
type CodeField = Exclude<ChoiceField, ListField | 'landing_type'>

/** Any number of choices; none means 不限 unless the field asks for one. */
export function ManyChoices<F extends ListField>(props: {
  field: F
  isAsked?: boolean
  /** What is written beside a choice. */
  noteOf?: (code: CodeOf<F>) => string | null
  /** What is to be known before choosing. */
  hint?: string | null
}) {
  const { field, isAsked = false, noteOf, hint = null } = props
  const { platform, form, change } = useFiveTab()
  const [query, setQuery] = useState('')
  const { onSearch, isFound } = useNameSearch()
  const value: readonly string[] = form[field]
  const choices = choicesOf(platform, field, form)
  const label = FIELDS[field as keyof typeof FIELDS].label
  const found = choices.filter((choice) => query === '' || isFound(choice.label, query))
  const set = (codes: readonly string[]) => change({ [field]: codes } as Partial<FiveTabForm>)
  return (
    <EditorField field={field}>
      {hint !== null && <p className={text.small}>{hint}</p>}
      <fieldset className={styles.choices} aria-label={label}>
        {choices.length > SEEN_AT_ONCE && (
          <Input
            allowClear={CLEARABLE}
            className={styles.find ?? ''}
            value={query}
            maxLength={50}
            aria-label={`搜索${label}`}
            placeholder={`搜索${label}，可用拼音`}
            onChange={({ target }) => {
              setQuery(target.value)
              onSearch(target.value)
            }}
          />
        )}
        {!isAsked && (
          <Checkbox checked={value.length === 0} onChange={() => set([])}>
            {UNLIMITED}
          </Checkbox>
        )}
        {found.map((choice) => (
          <Checkbox
            key={choice.value}
            checked={value.includes(choice.value)}
            onChange={({ target }) =>
              set(target.checked ? [...value, choice.value] : value.filter((code) => code !== choice.value))
            }
          >
            {choice.label}
            <Note text={noteOf?.(choice.value as CodeOf<F>)} />
          </Checkbox>
        ))}
        {found.length === 0 && <span className={text.hint}>没有匹配的{label}</span>}
      </fieldset>
    </EditorField>
  )
}

const Note = ({ text: note }: { text: string | null | undefined }) =>
  note ? <span className={text.small}> {note}</span> : null

/** At most one choice of a list; `onChoose` takes the place of the plain change. */
export function OneOfList<F extends ListField>(props: {
  field: F
  isAsked?: boolean
  onChoose?: (code: CodeOf<F> | null) => void
}) {
  const { field, isAsked = false, onChoose } = props
  const { platform, form, change } = useFiveTab()
  const choices = choicesOf(platform, field, form)
  const set = (code: string) =>
    onChoose
      ? onChoose(code === NONE ? null : (code as CodeOf<F>))
      : change({ [field]: code === NONE ? [] : [code] } as Partial<FiveTabForm>)
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field as keyof typeof FIELDS].label}
        value={form[field][0] ?? NONE}
        options={[...(isAsked ? [] : [{ value: NONE, label: UNLIMITED }]), ...choices]}
        onChange={({ target }) => set(target.value as string)}
      />
    </EditorField>
  )
}

/** Exactly one of a field's codes. */
export function OneChoice({ field }: { field: CodeField }) {
  const { platform, form, change } = useFiveTab()
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={form[field]}
        options={choicesOf(platform, field, form)}
        onChange={({ target }) => change({ [field]: target.value } as Partial<FiveTabForm>)}
      />
    </EditorField>
  )
}

type ByField = 'career_by' | 'device_brand_by' | 'launch_price_by'

/** 不限, or choices of a field that then opens. */
export function ByCustom({ field }: { field: ByField }) {
  const { form, change } = useFiveTab()
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={form[field][0] ?? NONE}
        options={[
          { value: NONE, label: UNLIMITED },
          { value: 'CUSTOM', label: '自定义' },
        ]}
        onChange={({ target }) => change({ [field]: target.value === NONE ? [] : ['CUSTOM'] })}
      />
    </EditorField>
  )
}

type FlagField = 'exclude_limited_region' | 'aweme_fan_by' | 'auto_extend_enabled'

/** One of two states, each with its own word. */
export function TwoStates({ field, words: [off, on] }: { field: FlagField; words: [off: string, on: string] }) {
  const { form, change } = useFiveTab()
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={form[field]}
        options={[
          { value: 0, label: off },
          { value: 1, label: on },
        ]}
        onChange={({ target }) => change({ [field]: target.value })}
      />
    </EditorField>
  )
}
