import { DatePicker, Form, Input } from 'antd'
import dayjs from 'dayjs'
import { AssetFolderField } from '../../domain/crowd/AssetFolderField.tsx'
import { plainToday } from '../../lib/days.ts'
import styles from './rule-editor.module.css'
import type { CrowdForm } from './state/editor-state.ts'
import type { FormFaults } from './state/form-rules.ts'

const DAY = 'YYYY-MM-DD'

interface Props {
  form: CrowdForm
  faults: FormFaults
  onFill(form: Partial<CrowdForm>): void
}

/** Name, expiry and storage path of a crowd. */
export function CrowdFormFields({ form, faults, onFill }: Props) {
  const item = (field: keyof CrowdForm) =>
    faults[field] ? { validateStatus: 'error' as const, help: faults[field] } : {}
  return (
    <Form layout="inline" className={styles.form} component="div">
      <Form.Item label="名称" htmlFor="crowd-name" required {...item('name')} className={styles.nameField}>
        <Input
          id="crowd-name"
          value={form.name}
          placeholder="请输入定向包名称"
          autoComplete="off"
          count={{ show: true, max: 30, strategy: (text) => [...text].length }}
          aria-invalid={faults.name !== undefined}
          onChange={(event) => onFill({ name: event.target.value })}
        />
      </Form.Item>
      <Form.Item label="失效时间" htmlFor="crowd-day" required {...item('day')}>
        <DatePicker
          id="crowd-day"
          value={form.day ? dayjs(form.day) : null}
          format={DAY}
          placeholder="请选择失效时间"
          allowClear={false}
          className={styles.day}
          minDate={plainToday()}
          presets={[30, 90, 365].map((days) => ({ label: `${days} 天后`, value: plainToday().add(days, 'day') }))}
          onChange={(day) => onFill({ day: day ? day.format(DAY) : null })}
        />
      </Form.Item>
      <Form.Item label="存储路径" htmlFor="crowd-folder" required {...item('dirId')} className={styles.pathField}>
        <AssetFolderField id="crowd-folder" value={form.dirId} onChange={(dirId) => onFill({ dirId })} />
      </Form.Item>
    </Form>
  )
}
