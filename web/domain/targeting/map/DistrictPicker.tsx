import { Checkbox, Input } from 'antd'
import { useMemo, useState } from 'react'
import { mayBePinyin } from '#contract/find-text.ts'
import { CLEARABLE } from '../../../components/clearable.tsx'
import text from '../../../components/text.module.css'
import { useReadings } from '../../../lib/readings.ts'
import { COUNTRY, type Crumb } from './crumbs.ts'
import styles from './place-field.module.css'
import { type DistrictEntry, isDistrictMeant, liesIn, whereabouts } from './places.ts'

/** More of them are found by a longer word. */
const SHOWN_MAX = 200

interface Props {
  entries: readonly DistrictEntry[]
  /** To the region that is open on the map. */
  path: readonly Crumb[]
  chosen: ReadonlySet<string>
  isReadOnly: boolean
  onToggle: (entry: DistrictEntry) => void
}

/** The platform's 商圈 in the region that is open, searched by characters or pinyin. */
export function DistrictPicker({ entries, path, chosen, isReadOnly, onToggle }: Props) {
  const [query, setQuery] = useState('')
  const readings = useReadings(mayBePinyin(query))
  const region = path.at(-1) ?? COUNTRY
  const isCountry = region.code === COUNTRY.code
  const inside = useMemo(() => entries.filter((entry) => liesIn(entry, path)), [entries, path])
  const found = useMemo(
    () =>
      query.trim() === ''
        ? isCountry
          ? []
          : inside
        : inside.filter((entry) => isDistrictMeant(entry, query, readings)),
    [inside, query, readings, isCountry],
  )
  return (
    <section aria-label={`${region.name}的商圈`} className={styles.districts}>
      <Input
        allowClear={CLEARABLE}
        value={query}
        aria-label="搜索商圈"
        placeholder={`在${isCountry ? '全国' : region.name}搜索商圈，可用拼音`}
        onChange={(event) => setQuery(event.target.value)}
      />
      {found.length === 0 ? (
        <p className={text.hint}>
          {query.trim() !== ''
            ? '没有符合的商圈'
            : isCountry
              ? '在地图上进入一个城市，或搜索商圈'
              : '平台在这里没有商圈'}
        </p>
      ) : (
        <ul className={styles.districtList} aria-label="可选的商圈">
          {found.slice(0, SHOWN_MAX).map((entry) => (
            <li key={entry.id}>
              <Checkbox checked={chosen.has(entry.id)} disabled={isReadOnly} onChange={() => onToggle(entry)}>
                {entry.name}
                <span className={text.small}> {whereabouts(entry)}</span>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {found.length > SHOWN_MAX && (
        <p className={text.hint}>另有 {found.length - SHOWN_MAX} 个，请加上城市搜索，如「上海 人民广场」</p>
      )}
      <p className={text.small}>平台没有公布商圈的坐标，图上的标记只表示它所在的地区。</p>
    </section>
  )
}
