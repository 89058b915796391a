import { Checkbox, Radio } from 'antd'
import { FIELDS } from '#contract/targeting/social/fields.ts'
import { CONVERSIONS_MAX } from '#contract/targeting/social/platform.ts'
import type { SocialForm } from '#contract/targeting/social/schema.ts'
import { choicesOf } from '#contract/targeting/social/shown.ts'
import text from '../../../components/text.module.css'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useSocial } from './use-social.ts'

const field = 'conversion_behavior_list'

/** Which conversions count: those of the ad's own goal, or at most two of a list. */
export function Conversions() {
  const { form, change, isReadOnly } = useSocial()
  const chosen = form[field]
  const set = (codes: SocialForm[typeof field]) => change({ [field]: codes })
  return (
    <EditorField field={field}>
      <Radio.Group
        aria-label={FIELDS[field].label}
        value={chosen !== null}
        options={[
          { value: false, label: '按广告的优化目标' },
          { value: true, label: '自定义' },
        ]}
        onChange={({ target }) => set(target.value ? [] : null)}
      />
      {chosen !== null && (
        <div className={styles.custom}>
          <p className={text.hint}>
            已选 {chosen.length}/{CONVERSIONS_MAX}
          </p>
          <fieldset className={styles.choices} aria-label="转化行为的选项">
            {choicesOf(field, form).map(({ value, label }) => (
              <Checkbox
                key={value}
                checked={chosen.includes(value)}
                disabled={isReadOnly || (chosen.length >= CONVERSIONS_MAX && !chosen.includes(value))}
                onChange={({ target }) =>
                  set(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              >
                {label}
              </Checkbox>
            ))}
          </fieldset>
        </div>
      )}
    </EditorField>
  )
}
