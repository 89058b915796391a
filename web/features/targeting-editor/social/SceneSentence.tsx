import { Select } from 'antd'
import { type CodeOf, codesOf, LABELS } from '#contract/targeting/social/labels.ts'
import { ALL_SCENES } from '#contract/targeting/social/platform.ts'
import { SCENE_SENTENCE } from '#contract/targeting/social/scene.ts'
import { choicesOf } from '#contract/targeting/social/shown.ts'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useSocial } from './use-social.ts'

/** One sentence with two choices: in which scenes and within which time the behaviours were. */
export function SceneSentence() {
  const { form, change } = useSocial()
  const { before, between, after, scenePlaceholder, windowPlaceholder } = SCENE_SENTENCE
  return (
    <EditorField field="behavior_scene">
      <div className={styles.sentence}>
        {before}
        <Select
          mode="multiple"
          aria-label="行为场景"
          className={styles.scenes ?? ''}
          placeholder={scenePlaceholder}
          value={form.behavior_scene}
          options={choicesOf('behavior_scene', form).map(({ value, label }) => ({
            value,
            // The sentence goes on with 场景.
            label: value === ALL_SCENES ? '全部' : label,
          }))}
          onChange={(behavior_scene) => change({ behavior_scene })}
        />
        {between}
        <Select<CodeOf<'behavior_time_window'>>
          aria-label="行为时间"
          className={styles.window ?? ''}
          placeholder={windowPlaceholder}
          value={form.behavior_time_window}
          options={codesOf('behavior_time_window').map((value) => ({
            value,
            label: LABELS.behavior_time_window[value],
          }))}
          onChange={(behavior_time_window) => change({ behavior_time_window })}
        />
        {after}
      </div>
    </EditorField>
  )
}
