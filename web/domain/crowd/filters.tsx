import type { ReactNode } from 'react'
import type { CreatedKind } from '#contract/rule-crowd.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { FieldFace } from '../../components/FieldFace.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { readSpan, writeSpan } from '../../lib/span.ts'
import styles from './crowd-list.module.css'
import type * as filterFields from './filter-fields.tsx'
import { asId, type Filter } from './list-state.ts'

/** Filters for lists of crowds; a list has those that its table names. */

const FIELDS = afterPage(() => import('./filter-fields.tsx'))

/** A field, or what it looks like until its code has arrived. */
function LateField({ face, draw }: { face: ReactNode; draw: (fields: typeof filterFields) => ReactNode }) {
  const fields = useAfterPage(FIELDS)
  return fields ? draw(fields) : face
}

const listIn = (text: string): string[] => text.split(',').filter(Boolean)

const textField =
  (label: string, width: number, digits = false): Filter<string>['field'] =>
  ({ value, onChange }) => (
    <LateField
      face={<FieldFace text={value || label} isValue={value !== ''} width={width} />}
      draw={({ FilterText }) => (
        <FilterText label={label} width={width} digits={digits} value={value} onChange={onChange} />
      )}
    />
  )

const textFilter = (label: string, width: number): Filter<string> => ({
  empty: '',
  read: (text) => text,
  write: (value) => value,
  field: textField(label, width),
})

export const nameFilter = textFilter('名称', 180)

/** RPS filters creators by their names, SaaS by their ids. */
export const creatorNameFilter: Filter<string> = { ...textFilter('创建人', 140), shownIn: 'rps' }

/** Offers who made crowds of this kind, or packages. */
export const creatorsFilter = (kind: CreatedKind): Filter<number[]> => ({
  empty: [],
  read: (text) => listIn(text).flatMap((id) => asId(id) ?? []),
  write: (value) => value.join(','),
  shownIn: 'saas',
  field: ({ value, onChange }) => (
    <LateField
      face={<FieldFace isChoice text="创建人" className={styles.creator} />}
      draw={({ CreatorsField }) => <CreatorsField value={value} onChange={onChange} kind={kind} />}
    />
  ),
})

/** `statuses`: labels by value, in the order shown. */
export function statusFilter<Status extends string>(statuses: Record<Status, string>): Filter<Status[]> {
  const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text)
  const options = Object.keys(statuses)
    .filter(isStatus)
    .map((value) => ({ value, label: statuses[value] }))
  return {
    empty: [],
    read: (text) => listIn(text).filter(isStatus),
    write: (value) => value.join(','),
    field: ({ value, onChange }) => (
      <LateField
        face={<FieldFace isChoice text="状态" className={styles.status} />}
        draw={({ StatusField }) => <StatusField value={value} onChange={onChange} options={options} />}
      />
    ),
  }
}

export const createdFilter: Filter<[number, number] | null> = {
  empty: null,
  read: readSpan,
  write: writeSpan,
  field: ({ value, onChange }) => <DateRange label="创建时间" value={value} onChange={onChange} />,
}

/** All of the viewer's advertisers. */
export const ALL = 'all'

/** null: the advertiser of the top bar. */
export const advertiserFilter: Filter<number | typeof ALL | null> = {
  empty: null,
  read: (text) => (text === ALL ? ALL : asId(text)),
  write: (value) => (value === null ? '' : String(value)),
  shownIn: 'saas',
  field: ({ value, onChange, advertisers, advId }) => (
    <LateField
      face={
        <FieldFace
          isChoice
          isValue
          text={advertisers.find((one) => one.id === (value ?? advId))?.name ?? '全部广告主'}
          className={styles.advertiser}
        />
      }
      draw={({ AdvertiserSelect }) => (
        <AdvertiserSelect
          label="广告主"
          value={value ?? advId ?? ALL}
          onChange={(chosen) => onChange(chosen === advId ? null : chosen)}
          known={advertisers}
          extra={[{ value: ALL, label: '全部广告主' }]}
          className={styles.advertiser}
        />
      )}
    />
  ),
}

/** The advertiser whose crowds a list asks for: the filter's, or that of the top bar; undefined for all of them. */
export function listedAdvertiser(chosen: number | typeof ALL | null, advId: number | undefined): number | undefined {
  return chosen === ALL ? undefined : (chosen ?? advId)
}

/** The same for an address of the list. */
export const advertiserListedAt = (params: URLSearchParams, advId: number | undefined): number | undefined =>
  listedAdvertiser(advertiserFilter.read(params.get('adv_id') ?? ''), advId)

/** Kept as text: a platform's ids can exceed a safe integer. */
export const idFilter = (label: string): Filter<string> => ({
  empty: '',
  read: (text) => /^\d{1,30}$/.exec(text)?.[0] ?? '',
  write: (value) => value,
  field: textField(label, 110, true),
})
export const tagIdFilter = idFilter('标签ID')
