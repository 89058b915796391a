import { Button, Flex, Input } from 'antd'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { randomPassword } from '../../lib/random-password.ts'
import styles from './viewer.module.css'

interface Props {
  id?: string
  value?: string
  onChange?: (value: string) => void
}

/** A password for another user: typed or random, visible and copyable. */
export function NewPasswordField({ id, value = '', onChange }: Props) {
  return (
    <Flex gap={8} align="center">
      <Input
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={(event) => onChange?.(event.target.value)}
        suffix={<span className={styles.copy}>{value && <CopyIcon text={value} what="密码" />}</span>}
      />
      <Button onClick={() => onChange?.(randomPassword())}>随机生成</Button>
    </Flex>
  )
}
