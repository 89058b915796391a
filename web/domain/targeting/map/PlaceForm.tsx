import { Alert, Button, Flex, Input, InputNumber } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import type { RadiusBounds } from '#contract/targeting/place.ts'
import hints from '../../../components/text.module.css'
import type { Point } from './geometry.ts'
import styles from './place-field.module.css'
import { coordinatesIn, unswapped } from './places.ts'

/** More lines than places there can be; the rest of a paste is not read. */
const LINES_MAX = 5000

interface Props {
  radius: RadiusBounds
  /** Adds the place, or says why not. */
  onAdd: (point: Point, radius: number, name: string) => string | null
  /** Adds those of pasted lines that can be, and says what became of them. */
  onPaste: (lines: readonly string[], radius: number) => string
}

/** A place by its coordinates. */
export function PlaceForm({ radius, onAdd, onPaste }: Props) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [metres, setMetres] = useState(radius.min)
  const [said, setSaid] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const point = coordinatesIn(text)
  const meant = point && unswapped(point)
  const add = () => {
    const reason = point ? onAdd(point, metres, name) : '请输入经度和纬度，例如 116.397428,39.90923'
    setRefusal(reason)
    if (reason !== null) return
    setName('')
    setText('')
  }
  const paste = (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .slice(0, LINES_MAX)
    if (lines.length < 2) return
    event.preventDefault()
    setRefusal(null)
    setSaid(onPaste(lines, metres))
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <section aria-label="用坐标添加地点" className={styles.form}>
      <Flex gap={8} wrap>
        <Input
          className={styles.coordinates ?? ''}
          aria-label="经度,纬度"
          placeholder="经度,纬度（GCJ-02）"
          value={text}
          status={refusal === null ? '' : 'error'}
          aria-invalid={refusal !== null}
          autoComplete="off"
          onPaste={paste}
          onChange={(event) => {
            setText(event.target.value)
            setRefusal(null)
            setSaid(null)
          }}
          onPressEnter={onEnter}
        />
        <Input
          className={styles.newName ?? ''}
          aria-label="地点名称"
          placeholder="名称，可不填"
          maxLength={200}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          onPressEnter={onEnter}
        />
        <InputNumber
          aria-label="半径（米）"
          min={radius.min}
          max={radius.max}
          step={100}
          precision={0}
          value={metres}
          suffix="米"
          onChange={(value) => setMetres(value ?? radius.min)}
          onPressEnter={onEnter}
        />
        <Button onClick={add}>添加</Button>
      </Flex>
      <p className={hints.small}>
        半径 {radius.min} 到 {radius.max} 米。可以粘贴多行，每行一个：经度,纬度 名称。
      </p>
      {said !== null && <Alert type="info" showIcon title={said} className={styles.refusal ?? ''} />}
      {meant ? (
        <Alert
          type="warning"
          showIcon
          className={styles.refusal ?? ''}
          title="经度和纬度可能填反了"
          action={
            <Button
              size="small"
              onClick={() => {
                setText(`${meant.long},${meant.lat}`)
                setRefusal(null)
              }}
            >
              对调
            </Button>
          }
        />
      ) : (
        refusal !== null && <Alert type="error" showIcon title={refusal} className={styles.refusal ?? ''} />
      )}
    </section>
  )
}
