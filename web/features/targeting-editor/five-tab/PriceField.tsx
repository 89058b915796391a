import { Button, Flex, Slider } from 'antd'
import { PRICE, priceWords, QUICK_PRICES } from '#contract/targeting/five-tab/price.ts'
import styles from '../editor.module.css'
import { EditorField } from '../parts/EditorField.tsx'
import { useFiveTab } from './use-five-tab.ts'

const MARKS = { [PRICE.min]: '0', 2000: '2000', 4000: '4000', 6000: '6000', 8000: '8000', [PRICE.max]: '不限' }

/** The range of a phone's price; the upper end means no upper bound. */
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
        ariaLabelForHandle={['最低价格', '最高价格']}
        onChange={([from = low, to = high]) => change({ launch_price: [from, to] })}
      />
      <Flex gap={8} align="center" wrap>
        <span>{priceWords(form.launch_price)}</span>
        {!isReadOnly &&
          QUICK_PRICES.map(({ label, range }) => (
            <Button key={label} size="small" onClick={() => change({ launch_price: [...range] })}>
              {label}
            </Button>
          ))}
      </Flex>
    </EditorField>
  )
}
