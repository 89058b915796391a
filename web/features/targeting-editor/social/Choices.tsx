import { Checkbox, Radio, Space, Tag } from 'antd'
import type { ReactNode } from 'react'
import { FIELDS } from '#contract/targeting/social/fields.ts'
import { type ChoiceField, type CodeOf, LABELS } from '#contract/targeting/social/labels.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { type Choice, choicesOf, unusedPlaces } from '#contract/targeting/social/shown.ts'
import text from '../../../components/text.module.css'
import { formatCount } from '../../../lib/format.ts'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useSocial } from './use-social.ts'

const UNLIMITED = '不限'
/** Stands for null in a group of radios. */
const NONE = ''

/** Dimensions whose null is 不限 and whose list is 自定义. */
type Dimension = {
  [F in keyof SocialForm & keyof typeof FIELDS]: null extends SocialForm[F]
    ? SocialForm[F] extends readonly unknown[] | null
      ? F
      : never
    : never
}[keyof SocialForm & keyof typeof FIELDS]

/** 不限, or 自定义 with what then stands below; a wide one begins under the label. */
export function Custom<F extends Dimension>({
  field,
  isWide = false,
  children,
}: {
  field: F
  isWide?: boolean
  children: ReactNode
}) {
  const { form, change } = useSocial()
  const isCustom = form[field] !== null
  return (
    <EditorField field={field}>
      <Radio.Group
        className={styles.asked ?? ''}
        aria-label={FIELDS[field].label}
        value={isCustom}
        options={[
          { value: false, label: UNLIMITED },
          { value: true, label: '自定义' },
        ]}
        onChange={({ target }) => change({ [field]: target.value ? [] : null } as Partial<SocialForm>)}
      />
      {isCustom && <div className={`${styles.custom} ${isWide ? styles.wide : ''}`}>{children}</div>}
    </EditorField>
  )
}

const labelOf = ({ label, note }: Choice): ReactNode =>
  note === '' ? (
    label
  ) : (
    <Space size={4}>
      {label}
      <Tag>{note}</Tag>
    </Space>
  )

type CodesField = { [F in ChoiceField]: F extends Dimension ? F : never }[ChoiceField]

/** Any number of a dimension's codes, at most `max`. */
export function ManyCodes<F extends CodesField>({ field, max }: { field: F; max?: number }) {
  const { form, change, isReadOnly } = useSocial()
  const chosen: readonly string[] = form[field] ?? []
  return (
    <Custom field={field}>
      <fieldset className={styles.choices} aria-label={`${FIELDS[field].label}的选项`}>
        {choicesOf(field, form).map((choice) => (
          <Checkbox
            key={choice.value}
            checked={chosen.includes(choice.value)}
            disabled={isReadOnly || (max !== undefined && chosen.length >= max && !chosen.includes(choice.value))}
            onChange={({ target }) => {
              const codes = target.checked ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value)
              change({ [field]: codes } as Partial<SocialForm>)
            }}
          >
            {labelOf(choice)}
          </Checkbox>
        ))}
      </fieldset>
    </Custom>
  )
}

/** 不限 or one code. */
export function OneCode({ field }: { field: 'gender' | 'excluded_dimension' }) {
  const { form, change } = useSocial()
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={form[field]?.[0] ?? NONE}
        options={[
          { value: NONE, label: field === 'gender' ? UNLIMITED : '不排除' },
          ...choicesOf(field, form).map((choice) => ({ value: choice.value, label: labelOf(choice) })),
        ]}
        onChange={({ target }) =>
          change({ [field]: target.value === NONE ? null : [target.value] } as Partial<SocialForm>)
        }
      />
    </EditorField>
  )
}

/** 不限, or one of the ways that opens other dimensions. */
export function Opener({ field, children }: { field: 'geo_location' | 'behavior' | 'interest'; children?: ReactNode }) {
  const { form, change } = useSocial()
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={form[field] ?? NONE}
        options={[{ value: NONE, label: UNLIMITED }, ...choicesOf(field, form)]}
        onChange={({ target }) =>
          change({ [field]: target.value === NONE ? null : target.value } as Partial<SocialForm>)
        }
      />
      {children}
    </EditorField>
  )
}

/** 不限, regions or places on the map. The platform takes one of the two, so the other one's choices are not saved. */
export function GeoLocation() {
  const { form } = useSocial()
  const unused = unusedPlaces(form)
  return (
    <Opener field="geo_location">
      {unused && (
        <p className={text.hint}>
          平台只接受一种方式：「{LABELS.geo_location[unused.way]}」里已选的 {formatCount(unused.count)}{' '}
          项不会保存，切换回去时还在。
        </p>
      )}
    </Opener>
  )
}

/** The ways of being at a place; at least one. */
export function LocationTypes() {
  const { form, change } = useSocial()
  const chosen: readonly CodeOf<'location_types'>[] = form.location_types
  return (
    <EditorField field="location_types">
      <Checkbox.Group
        aria-label={FIELDS.location_types.label}
        value={[...chosen]}
        options={choicesOf('location_types', form)}
        onChange={(codes) => change({ location_types: codes as CodeOf<'location_types'>[] })}
      />
    </EditorField>
  )
}
