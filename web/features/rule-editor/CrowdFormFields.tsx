import { useQuery } from '@tanstack/react-query'
import { Cascader, DatePicker, Form, Input } from 'antd'
import dayjs from 'dayjs'
import { type AssetFolder, listAssetFolders, pathTo } from '#contract/folder.ts'
import { plainToday } from '../../lib/days.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './rule-editor.module.css'
import type { CrowdForm } from './state/editor-state.ts'
import type { FormFaults } from './state/form-rules.ts'

const DAY = 'YYYY-MM-DD'

interface Props {
  form: CrowdForm
  faults: FormFaults
  onFill(form: Partial<CrowdForm>): void
}

const keepsName = (input: string, path: AssetFolder[]) =>
  path.some((folder) => folder.name.toLowerCase().includes(input.trim().toLowerCase()))

/** Name, expiry and storage path of a crowd. */
export function CrowdFormFields({ form, faults, onFill }: Props) {
  const folders = useQuery({ ...queryOf(listAssetFolders), staleTime: 15_000 })
  const path = form.dirId === null || !folders.data ? [] : pathTo(folders.data, form.dirId)
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
        <Cascader
          id="crowd-folder"
          aria-label="存储路径"
          options={folders.data ?? []}
          fieldNames={{ label: 'name', value: 'id', children: 'subDirs' }}
          value={path}
          changeOnSelect
          allowClear={false}
          loading={folders.isPending}
          placeholder="请选择存储路径"
          showSearch={{ filter: keepsName }}
          notFoundContent={
            folders.error ? `文件夹加载失败：${folders.error.message || '请求失败'}` : '没有匹配的文件夹'
          }
          onChange={(ids) => onFill({ dirId: ids?.at(-1) ?? null })}
        />
      </Form.Item>
    </Form>
  )
}
