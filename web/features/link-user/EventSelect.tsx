import { Checkbox, Select } from 'antd'
import type { LinkEvent } from '#contract/link-user.ts'
import { useNameSearch } from '../../lib/name-search.ts'
import styles from './link-user.module.css'
import { type ChosenEvents, choiceAmong, chosenAmong } from './list-state.ts'

/** Chooses events by their names; 全部 chooses all of them, or none. */
export function EventSelect(props: {
  events: readonly LinkEvent[]
  value: ChosenEvents
  onChange: (value: ChosenEvents) => void
}) {
  const { events, value, onChange } = props
  const search = useNameSearch()
  const all = events.map(({ id }) => id)
  const chosen = chosenAmong(all, value)
  const isChosen = new Set(chosen)
  const isAll = value === 'all' || (all.length > 0 && all.every((id) => isChosen.has(id)))
  const choose = (ids: readonly number[]) => onChange(choiceAmong(all, ids))
  return (
    <Select<number[]>
      mode="multiple"
      allowClear={!isAll}
      aria-label="事件"
      // All of them are said in a word; their names would not fit.
      placeholder={isAll ? <span className={styles.allEvents}>全部事件</span> : '请选择事件'}
      className={styles.events}
      value={isAll ? [] : [...chosen]}
      maxTagCount="responsive"
      options={events.map(({ id, name }) => ({ value: id, label: name }))}
      menuItemSelectedIcon={null}
      showSearch={{
        onSearch: search.onSearch,
        filterOption: (text, option) => search.isFound(String(option?.label ?? ''), text),
      }}
      onSelect={(id) => choose(isAll ? all.filter((one) => one !== id) : [...chosen, id])}
      onDeselect={(id) => choose(chosen.filter((one) => one !== id))}
      onClear={() => onChange([])}
      optionRender={({ value: id, label }) => (
        <Checkbox checked={isAll || isChosen.has(Number(id))} tabIndex={-1} className={styles.option}>
          {label}
        </Checkbox>
      )}
      popupRender={(menu) => (
        <>
          <div className={styles.allOption}>
            <Checkbox
              checked={isAll}
              indeterminate={!isAll && chosen.length > 0}
              onChange={() => onChange(isAll ? [] : 'all')}
            >
              全部
            </Checkbox>
          </div>
          {menu}
        </>
      )}
    />
  )
}
