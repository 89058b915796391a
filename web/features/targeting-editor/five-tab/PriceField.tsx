import { Button, Flex, InputNumber, Slider } from 'antd'
import { useRef } from 'react'
import { PRICE, priceTyped, priceWords, QUICK_PRICES } from '#contract/targeting/five-tab/price.ts'
import text from '../../../components/text.module.css'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useFiveTab } from './use-five-tab.ts'

const MARKS = { [PRICE.min]: '0', 2000: '2000', 4000: '4000', 6000: '6000', 8000: '8000', [PRICE.max]: '不限' }
const ENDS = { low: '最低价格', high: '最高价格' } as const

/** The range of a phone's price, by slider, in boxes or with one click; the upper end means no upper bound. */
export function PriceField() {
  const { form, change, isReadOnly } = useFiveTab()
  const [low, high] = form.launch_price
  return (
    <EditorField field="launch_price">
      <Slider
        range
        min={PRICE.min}
        max={PRICE.max}
        step={PRICE.step}
        marks={MARKS}
        value={[low, high]}
        className={styles.price ?? ''}
        tooltip={{ formatter: (yuan) => (yuan === PRICE.max ? '不限' : `${yuan ?? 0} 元`) }}
        ariaLabelForHandle={[ENDS.low, ENDS.high]}
        onChange={([from = low, to = high]) => change({ launch_price: [from, to] })}
      />
      <Flex gap={8} align="center" wrap>
        <PriceBox end="low" />
        至
        <PriceBox end="high" />
        <span>元</span>
        <span className={text.secondary}>
          {priceWords(form.launch_price)}（每 {PRICE.step} 元一档）
        </span>
      </Flex>
      {!isReadOnly && (
        <Flex gap={8} wrap className={styles.custom ?? ''}>
          {QUICK_PRICES.map(({ label, range }) => (
            <Button key={label} size="small" onClick={() => change({ launch_price: [...range] })}>
              {label}
            </Button>
          ))}
        </Flex>
      )}
    </EditorField>
  )
}

/** One end of the range as a number; an empty box is the end of the slider. */
function PriceBox({ end }: { end: keyof typeof ENDS }) {
  const { form, change } = useFiveTab()
  const [low, high] = form.launch_price
  // Half a number is not the price that is meant: what is typed counts when the box is left, or at Enter.
  const typed = useRef<number | null>(undefined)
  const take = () => {
    if (typed.current === undefined) return
    const yuan = typed.current ?? (end === 'low' ? PRICE.min : PRICE.max)
    typed.current = undefined
    change({ launch_price: priceTyped(form.launch_price, end, yuan) })
  }
  return (
    <InputNumber<number>
      aria-label={`${ENDS[end]}（元）`}
      className={styles.priceBox ?? ''}
      step={PRICE.step}
      changeOnWheel={false}
      value={end === 'low' ? low : high}
      onChange={(yuan) => {
        typed.current = yuan
      }}
      onStep={take}
      onBlur={take}
      onPressEnter={(event) => {
        event.preventDefault()
        take()
      }}
    />
  )
}
