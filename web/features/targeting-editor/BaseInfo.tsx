import { Flex, Form, Input } from 'antd'
import { AssetFolderField } from '../../domain/crowd/AssetFolderField.tsx'
import { Sentence } from '../../domain/outcome/Sentence.tsx'
import { ExpiryField } from '../../domain/targeting/ExpiryField.tsx'
import type { BaseFaults } from './base-faults.ts'
import styles from './editor.module.css'
import type { BaseField } from './editor-definition.ts'
import type { Draft } from './saving/draft.ts'

type Base = Omit<Draft<unknown>, 'form'>

interface Props {
  draft: Base
  /** The package type in words. */
  type: string | null
  faults: BaseFaults
  accountName: string
  onChange: (part: Partial<Base>) => void
}

/** Name, expiry and storage path of a package; its account and type, which stay as they were chosen. */
export function BaseInfo({ draft, type, faults, accountName, onChange }: Props) {
  const item = (field: BaseField) => {
    const fault = faults[field]
    return fault ? { validateStatus: 'error' as const, help: <Sentence outcome={fault} /> } : {}
  }
  return (
    <section className={styles.base} aria-label="基本信息">
      <Flex wrap gap="0 20px">
        <Form.Item
          label="名称"
          htmlFor="package-name"
          required
          className={styles.name ?? ''}
          {...item('targeting_name')}
        >
          <Input
            id="package-name"
            value={draft.targeting_name}
            placeholder="请输入定向包名称"
            autoComplete="off"
            count={{ show: true, max: 30, strategy: (text) => [...text].length }}
            aria-invalid={faults.targeting_name !== undefined}
            onChange={(event) => onChange({ targeting_name: event.target.value })}
          />
        </Form.Item>
        <Form.Item label="失效时间" htmlFor="package-day" required {...item('invalid_time')}>
          <ExpiryField
            id="package-day"
            value={draft.invalid_time}
            onChange={(invalid_time) => onChange({ invalid_time })}
          />
        </Form.Item>
        <Form.Item
          label="存储路径"
          htmlFor="package-folder"
          required
          className={styles.folder ?? ''}
          {...item('dir_id')}
        >
          <AssetFolderField id="package-folder" value={draft.dir_id} onChange={(dir_id) => onChange({ dir_id })} />
        </Form.Item>
      </Flex>
      <dl className={styles.facts}>
        <div>
          <dt>平台账户</dt>
          <dd>{accountName}</dd>
        </div>
        {type !== null && (
          <div>
            <dt>定向包类型</dt>
            <dd>{type}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
