import { AimOutlined, CloseOutlined } from '@ant-design/icons'
import { Button, Flex, Input, InputNumber, Slider, Tag } from 'antd'
import { memo, useEffect, useEffectEvent } from 'react'
import { PLACES_MAX } from '#contract/targeting/common.ts'
import type { Place, RadiusBounds } from '#contract/targeting/place.ts'
import { IconButton } from '../../../components/IconButton.tsx'
import text from '../../../components/text.module.css'
import { useRowsInSight } from '../../../lib/rows-in-sight.ts'
import { useSteady } from '../../../lib/steady.ts'
import choice from '../choice/choice.module.css'
import type { Point } from './geometry.ts'
import styles from './place-field.module.css'
import type { Circle } from './places.ts'
import { placeName } from './places.ts'

interface Props {
  places: readonly Place[]
  radius: RadiusBounds
  chosen: number | null
  isReadOnly: boolean
  /** The regions around a 商圈; null for one that the platform has no more, and before it answered. */
  aroundOf: (id: string) => string | null
  isGone: (place: Place) => boolean
  onChoose: (index: number | null) => void
  onChange: (index: number, place: Place) => void
  /** Moves a circle, or says why not. */
  onMove: (index: number, point: Point) => void
  onLocate: (index: number) => void
  onRemove: (indexes: readonly number[]) => void
}

/** Pixels of a row that is closed. */
const ROW = 44

/** The chosen places, of which those in sight are drawn; the open one has its name, radius and coordinates to change. */
export function PlaceList(props: Props) {
  const { places, chosen, isReadOnly, isGone, onChoose, onLocate, onRemove } = props
  const { list, left, ...sight } = useRowsInSight({ count: places.length, height: ROW })
  const show = useEffectEvent(sight.show)
  useEffect(() => {
    if (chosen !== null) show(chosen)
  }, [chosen])
  const toggle = useSteady((index: number) => onChoose(index === chosen ? null : index))
  const locate = useSteady(onLocate)
  const removeOne = useSteady((index: number) => onRemove([index]))
  const gone = places.flatMap((place, index) => (isGone(place) ? [index] : []))
  return (
    <section className={choice.chosen} aria-label="已选地点" data-focus-row>
      <Flex justify="space-between" align="center" className={choice.chosenHead}>
        <span>
          已选地点 {places.length}/{PLACES_MAX}
        </span>
        {!isReadOnly && places.length > 0 && (
          <Button type="link" size="small" onClick={() => onRemove(places.map((_, index) => index))}>
            清空
          </Button>
        )}
      </Flex>
      {gone.length > 0 && !isReadOnly && (
        <div className={choice.goneNote}>
          {gone.length} 项已下线，平台不再接受
          <Button type="link" size="small" onClick={() => onRemove(gone)}>
            全部移除
          </Button>
        </div>
      )}
      {places.length === 0 && <p className={text.hint}>还没有选择</p>}
      <div ref={list} className={styles.list}>
        <ul style={{ paddingBottom: left }} onFocus={sight.onFocus}>
          {sight.rows.map(({ index, key, row }) => {
            const place = places[index]
            if (!place) return null
            const isOpen = index === chosen
            const words =
              place.kind === 'circle'
                ? `周边 ${place.radius / 1000} 公里`
                : ['商圈', props.aroundOf(place.id)].filter(Boolean).join(' · ')
            return (
              <li key={key} {...row} className={styles.row} data-open={isOpen} data-focus-row>
                <PlaceHead
                  index={index}
                  name={place.name}
                  words={words}
                  isOpen={place.kind === 'circle' ? isOpen : undefined}
                  isGone={isGone(place)}
                  isReadOnly={isReadOnly}
                  onToggle={toggle}
                  onLocate={locate}
                  onRemove={removeOne}
                />
                {isOpen && place.kind === 'circle' && <CircleForm {...props} place={place} index={index} />}
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

interface HeadProps {
  index: number
  name: string
  words: string
  /** Whether its form is open; nothing for a place without one. */
  isOpen: boolean | undefined
  isGone: boolean
  isReadOnly: boolean
  onToggle: (index: number) => void
  onLocate: (index: number) => void
  onRemove: (index: number) => void
}

/** A place's row, drawn again only if it changed. */
const PlaceHead = memo(({ index, name, words, isOpen, isGone, isReadOnly, ...on }: HeadProps) => (
  <Flex align="center" gap={4}>
    <button
      type="button"
      className={styles.name}
      aria-expanded={isOpen}
      disabled={false}
      onClick={() => on.onToggle(index)}
    >
      <span className={text.cut}>{name || '未命名地点'}</span>
      <span className={text.small}>{words}</span>
    </button>
    {isGone && <Tag>已下线</Tag>}
    <IconButton
      size="small"
      name={`定位「${name}」`}
      hint="定位"
      icon={<AimOutlined />}
      onClick={() => on.onLocate(index)}
    />
    {!isReadOnly && (
      <IconButton
        size="small"
        name={`移除「${name}」`}
        hint="移除"
        icon={<CloseOutlined />}
        onClick={() => on.onRemove(index)}
      />
    )}
  </Flex>
))

function CircleForm({ place, index, radius, onChange, onMove }: Props & { place: Circle; index: number }) {
  const setRadius = (metres: number | null) => onChange(index, { ...place, radius: metres ?? radius.min })
  const coordinate = (axis: 'long' | 'lat', label: string) => (
    <span className={styles.labelled}>
      {label}
      <InputNumber
        aria-label={label}
        size="small"
        controls={false}
        value={place[axis]}
        precision={6}
        step={0.001}
        changeOnWheel={false}
        // Half a number is not where anybody wants the place.
        onBlur={(event) => {
          const value = Number(event.target.value)
          if (event.target.value !== '' && Number.isFinite(value) && value !== place[axis])
            onMove(index, { long: place.long, lat: place.lat, [axis]: value })
        }}
      />
    </span>
  )
  return (
    <div className={styles.circle}>
      <span className={styles.labelled}>
        名称
        <Input
          aria-label="地点名称"
          size="small"
          maxLength={200}
          value={place.name}
          onChange={(event) => onChange(index, { ...place, name: event.target.value })}
          // The platform wants one.
          onBlur={() => place.name.trim() === '' && onChange(index, { ...place, name: placeName(place) })}
        />
      </span>
      <div className={styles.radius}>
        <Slider
          min={radius.min}
          max={radius.max}
          step={100}
          value={place.radius}
          ariaLabelForHandle="半径"
          tooltip={{ formatter: (metres) => `${metres ?? 0} 米` }}
          onChange={setRadius}
        />
        <InputNumber
          size="small"
          aria-label="半径（米）"
          min={radius.min}
          max={radius.max}
          step={100}
          precision={0}
          suffix="米"
          value={place.radius}
          onChange={setRadius}
        />
      </div>
      <Flex gap={8}>
        {coordinate('long', '经度')}
        {coordinate('lat', '纬度')}
      </Flex>
    </div>
  )
}
