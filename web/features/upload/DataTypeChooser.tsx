import {
  AndroidOutlined,
  AppleOutlined,
  IdcardOutlined,
  LockFilled,
  MobileOutlined,
  QqOutlined,
  WifiOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import { IDENTIFIERS, type IdentifierSubject, IdentifierType } from '#contract/identifier.ts'
import { platformsTaking } from '#contract/platform.ts'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import styles from './upload.module.css'

const ICONS: Record<IdentifierSubject, ReactNode> = {
  IDFA: <AppleOutlined />,
  IMEI: <AndroidOutlined />,
  OAID: <IdcardOutlined />,
  MAC: <WifiOutlined />,
  MOBILE_PHONE: <MobileOutlined />,
  QQ: <QqOutlined />,
}

/** The subject's icon, with a lock if the values are hashed. */
function TypeIcon({ type }: { type: IdentifierType }) {
  const { subject, form } = IDENTIFIERS[type]
  return (
    <span className={styles.typeIcon} aria-hidden>
      {ICONS[subject]}
      {form !== 'plain' && <LockFilled className={styles.lock} />}
    </span>
  )
}

/** A type's icon, name, line format, and the platforms that accept it. */
export function TypeFacts({ type }: { type: IdentifierType }) {
  const { label, description } = IDENTIFIERS[type]
  return (
    <>
      <TypeIcon type={type} />
      <span className={styles.typeBody}>
        <span className={styles.typeHead}>
          <b>{label}</b>
          <span className={styles.marks}>
            {platformsTaking(type).map((platform) => (
              <PlatformMark key={platform} platform={platform} />
            ))}
          </span>
        </span>
        <span className={styles.typeHint}>{description}</span>
      </span>
    </>
  )
}

/** Chooses the type of the files' lines. */
export function DataTypeChooser(props: {
  value: IdentifierType | null
  isFaulty: boolean
  onChoose: (type: IdentifierType) => void
}) {
  const { value, isFaulty, onChoose } = props
  return (
    <div className={styles.types} role="radiogroup" aria-label="数据类型" aria-invalid={isFaulty}>
      {IdentifierType.options.map((type) => (
        <label key={type} className={styles.type}>
          <input
            type="radio"
            name="user_id_type"
            value={type}
            checked={value === type}
            aria-label={IDENTIFIERS[type].label}
            onChange={() => onChoose(type)}
          />
          <TypeFacts type={type} />
        </label>
      ))}
    </div>
  )
}
