import { Switch } from 'antd'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import text from '../../components/text.module.css'
import { isHashType } from './hash-rules.ts'
import styles from './upload.module.css'

/** While on, raw values never leave the browser. Shown only for hashed types. */
export function HashSwitch(props: { type: IdentifierType | null; value: boolean; onChange: (on: boolean) => void }) {
  const { type, value, onChange } = props
  if (!type || !isHashType(type)) return null
  return (
    <div className={styles.hashing}>
      <Switch checked={value} onChange={onChange} aria-label="在浏览器内加密" />
      <span>在浏览器内加密</span>
      <span className={text.hint}>
        {value
          ? `明文先在本机转为「${IDENTIFIERS[type].label}」再上传，已加密的行保持不变；无效行留在本机，只发送行号与原因`
          : '文件按原样上传，其中应全部是已加密的值'}
      </span>
    </div>
  )
}
