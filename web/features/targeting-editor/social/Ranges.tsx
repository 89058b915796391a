import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, InputNumber, Select } from 'antd'
import { FIELDS } from '#contract/targeting/social/fields.ts'
import { AGE, COMMUNITY_PRICE } from '#contract/targeting/social/platform.ts'
import type { AgeRange, PriceRange } from '#contract/targeting/social/schema.ts'
import { IconButton } from '../../../components/IconButton.tsx'
import styles from '../editor.module.css'
import { Custom } from './Choices.tsx'
import { useSocial } from './use-social.ts'

const AGES = Array.from({ length: AGE.max - AGE.min + 1 }, (_, at) => ({
  value: AGE.min + at,
  label: AGE.min + at === AGE.max ? `${AGE.max} 岁及以上` : `${AGE.min + at} 岁`,
}))

interface RowsProps<R> {
  rows: readonly R[]
  most: number
  first: R
  noun: string
  isReadOnly: boolean
  onChange: (rows: R[]) => void
  children: (row: R, set: (part: Partial<R>) => void, at: number) => React.ReactNode
}

/** Rows that can be added and removed. */
function Rows<R>({ rows, most, first, noun, isReadOnly, onChange, children }: RowsProps<R>) {
  return (
    <Flex vertical gap={8} align="start">
      {rows.map((row, at) => (
        // A range has no identity but its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Flex key={at} gap={8} align="center" role="group" aria-label={`${noun} ${at + 1}`} data-focus-row>
          {children(row, (part) => onChange(rows.map((one, no) => (no === at ? { ...one, ...part } : one))), at)}
          {!isReadOnly && (
            <IconButton
              name={`移除${noun} ${at + 1}`}
              icon={<MinusCircleOutlined />}
              onClick={() => onChange(rows.filter((_, no) => no !== at))}
            />
          )}
        </Flex>
      ))}
      {!isReadOnly && (
        <Button
          size="small"
          icon={<PlusOutlined />}
          disabled={rows.length >= most}
          onClick={() => onChange([...rows, first])}
        >
          添加{noun}（{rows.length}/{most}）
        </Button>
      )}
    </Flex>
  )
}

/** Ranges of ages; each at least four years wide. */
export function AgeRanges() {
  const { form, change, isReadOnly } = useSocial()
  return (
    <Custom field="age">
      <Rows<AgeRange>
        rows={form.age ?? []}
        most={AGE.ranges}
        first={{ min: AGE.min, max: 30 }}
        noun="年龄段"
        isReadOnly={isReadOnly}
        onChange={(age) => change({ age })}
      >
        {({ min, max }, set) => (
          <>
            <Select
              aria-label="最小年龄"
              className={styles.age ?? ''}
              showSearch={{ optionFilterProp: 'label' }}
              value={min}
              options={AGES.slice(0, -1)}
              onChange={(value) => set({ min: value })}
            />
            至
            <Select
              aria-label="最大年龄"
              className={styles.age ?? ''}
              showSearch={{ optionFilterProp: 'label' }}
              value={max}
              options={AGES}
              onChange={(value) => set({ max: value })}
            />
          </>
        )}
      </Rows>
    </Custom>
  )
}

/** Prices of the communities that people live in. */
export function CommunityPrices() {
  const { form, change, isReadOnly } = useSocial()
  const field = 'residential_community_price'
  return (
    <Custom field={field}>
      <Rows<PriceRange>
        rows={form[field] ?? []}
        most={COMMUNITY_PRICE.ranges}
        first={{ min: 10_000, max: 50_000 }}
        noun="价格段"
        isReadOnly={isReadOnly}
        onChange={(prices) => change({ [field]: prices })}
      >
        {({ min, max }, set) => (
          <>
            <InputNumber
              aria-label="最低价格"
              min={COMMUNITY_PRICE.min}
              max={COMMUNITY_PRICE.max}
              precision={0}
              value={min}
              onChange={(value) => set({ min: value ?? COMMUNITY_PRICE.min })}
            />
            至
            <InputNumber
              aria-label="最高价格"
              min={COMMUNITY_PRICE.min}
              max={COMMUNITY_PRICE.max}
              precision={0}
              value={max}
              onChange={(value) => set({ max: value ?? COMMUNITY_PRICE.max })}
            />
            元/m²
          </>
        )}
      </Rows>
      {(form[field]?.length ?? 0) > 0 && (
        <small>
          {FIELDS[field].label}填 {COMMUNITY_PRICE.max} 表示不设上限
        </small>
      )}
    </Custom>
  )
}
