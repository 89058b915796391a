import { useQuery } from '@tanstack/react-query'
import { App, Breadcrumb, Flex, Segmented, Select } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PLACES_MAX } from '#contract/targeting/common.ts'
import type { Place, RadiusBounds } from '#contract/targeting/place.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { later } from '../../../components/later.tsx'
import { QueryState } from '../../../components/QueryState.tsx'
import text from '../../../components/text.module.css'
import { useNameSearch } from '../../../lib/name-search.ts'
import { COUNTRY, type Crumb } from './crumbs.ts'
import { DistrictPicker } from './DistrictPicker.tsx'
import type { Point } from './geometry.ts'
import { featureAt, outlineOf, partOf, regionsAround } from './outlines.ts'
import { PlaceForm } from './PlaceForm.tsx'
import { PlaceList } from './PlaceList.tsx'
import styles from './place-field.module.css'
import { circleAt, districtEntries, marksOf, movedTo, pastedPlaces, placesFull, refusalOf } from './places.ts'

/** Around a point while the map of its regions cannot be loaded. */
const UNKNOWN: readonly Crumb[] = [COUNTRY]

const PlaceMap = later(() => import('./PlaceMap.tsx').then((file) => file.PlaceMap))

type Mode = 'open' | 'add'

interface Props {
  places: readonly Place[]
  onChange: (places: Place[]) => void
  radius: RadiusBounds
  /** The platform's 商圈 in their regions; null where it has none. */
  districts: readonly TagNode[] | null
  isReadOnly: boolean
}

/** Places on a map of China: circles by a click or by coordinates, and the platform's 商圈. */
export function PlaceField({ places, onChange, radius, districts, isReadOnly }: Props) {
  const { message } = App.useApp()
  const [path, setPath] = useState<readonly Crumb[]>([COUNTRY])
  const [mode, setMode] = useState<Mode>('open')
  const [chosen, setChosen] = useState<number | null>(null)
  const [located, setLocated] = useState<{ point: Point; radius: number } | null>(null)
  // Names of regions arrive later than a click; what was chosen meanwhile stays.
  const latest = useRef(places)
  useEffect(() => {
    latest.current = places
  }, [places])
  const set = (next: Place[]) => {
    latest.current = next
    onChange(next)
  }

  const region = path.at(-1) ?? COUNTRY
  const outline = useQuery({
    queryKey: ['outline', path.map(({ code }) => code)],
    queryFn: () => openedOutline(path),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inPlace: true },
  })

  const entries = useMemo(() => districtEntries(districts ?? []), [districts])
  const entryOf = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries])
  const ids = useMemo(
    () => new Set(places.flatMap((place) => (place.kind === 'business_district' ? [place.id] : []))),
    [places],
  )
  const marks = useMemo(
    () =>
      outline.data
        ? marksOf(
            outline.data,
            path,
            entries.filter(({ id }) => ids.has(id)),
          )
        : [],
    [outline.data, path, entries, ids],
  )

  const open = (to: readonly Crumb[]) => {
    setPath(to)
    setLocated(null)
  }
  const refuse = (reason: string) => void message.warning({ key: 'place', content: reason })

  /** Adds a circle, or says why not. */
  const add = (point: Point, metres: number, name = ''): string | null => {
    const refusal = refusalOf(point, latest.current)
    if (refusal !== null) return refusal
    void regionsAround(point)
      .catch(() => UNKNOWN)
      .then((around) => {
        if (refusalOf(point, latest.current) !== null) return
        // Only the country is around it, and it is not for want of the map.
        if (around.length === 1 && around !== UNKNOWN) refuse('这个地点不在任何省市内，请核对坐标')
        set([...latest.current, circleAt(point, metres, around, name)])
        setChosen(latest.current.length - 1)
      })
    return null
  }
  const paste = (lines: readonly string[], metres: number): string => {
    const { taken, repeated, outside, unread, over } = pastedPlaces(lines, latest.current)
    void Promise.all(
      taken.map(async ({ point, name }) =>
        circleAt(point, metres, await regionsAround(point).catch(() => UNKNOWN), name),
      ),
    ).then((circles) => set([...latest.current, ...circles].slice(0, PLACES_MAX)))
    const left = [
      [repeated, '重复'],
      [outside, '不在中国范围内'],
      [unread, '无法识别'],
      [over, '超出上限'],
    ] as const
    const words = left.flatMap(([count, why]) => (count > 0 ? [`${count} 个${why}`] : []))
    return `已添加 ${taken.length} 个地点${words.length > 0 ? `；${words.join('，')}，没有添加` : ''}`
  }
  const move = (index: number, point: Point) => {
    const refusal = refusalOf(point, [])
    const place = latest.current[index]
    if (place?.kind !== 'circle') return
    if (refusal !== null) {
      // The map shows it where it was again.
      set([...latest.current])
      return refuse(refusal)
    }
    set(latest.current.map((one) => (one === place ? { ...place, ...point } : one)))
    void regionsAround(point)
      .catch(() => [COUNTRY])
      .then((around) => {
        const now = latest.current[index]
        if (now?.kind !== 'circle' || now.long !== point.long || now.lat !== point.lat) return
        set(latest.current.map((one) => (one === now ? movedTo(now, point, around) : one)))
      })
  }
  const locate = (index: number) => {
    const place = places[index]
    if (!place) return
    setChosen(index)
    if (place.kind === 'circle') {
      const point = { long: place.long, lat: place.lat }
      void regionsAround(point)
        .catch(() => [COUNTRY])
        .then((around) => {
          setPath(around)
          setLocated({ point, radius: place.radius })
        })
      return
    }
    const around = entryOf.get(place.id)?.around ?? []
    void pathThrough(around.map(({ label }) => label)).then(open, () => undefined)
  }
  const clicked = (point: Point) => {
    const feature = outline.data && featureAt(outline.data, point)
    const isLast = outline.data?.features.length === 1 && !outline.data.features[0]?.hasMore && path.length > 1
    if (mode === 'open' && feature && !isLast) return open([...path, { code: feature.code, name: feature.name }])
    if (mode === 'open' || isReadOnly) return
    const refusal = add(point, radius.min)
    if (refusal !== null) refuse(refusal)
  }

  const isGone = (place: Place) => place.kind === 'business_district' && districts !== null && !entryOf.has(place.id)
  return (
    <div className={styles.field}>
      <div className={styles.left}>
        <Flex justify="space-between" align="center" gap={8} wrap>
          <Breadcrumb
            items={path.map((crumb, at) => ({
              key: crumb.code,
              title:
                at === path.length - 1 ? (
                  crumb.name
                ) : (
                  <button type="button" className={text.link} onClick={() => open(path.slice(0, at + 1))}>
                    {crumb.name}
                  </button>
                ),
            }))}
          />
          <Flex gap={8}>
            <RegionSelect outline={outline.data} onOpen={(crumb) => open([...path, crumb])} />
            {!isReadOnly && (
              <Segmented<Mode>
                aria-label="点击地图时"
                value={mode}
                onChange={setMode}
                options={[
                  { value: 'open', label: '进入地区' },
                  { value: 'add', label: '添加地点' },
                ]}
              />
            )}
          </Flex>
        </Flex>
        <QueryState query={outline} errorTitle="地图加载失败">
          {(answer) => (
            <PlaceMap
              code={region.code}
              name={region.name}
              outline={answer}
              places={places}
              marks={marks}
              chosen={chosen}
              located={located}
              isReadOnly={isReadOnly}
              onClick={clicked}
              onChoose={setChosen}
              onMove={move}
            />
          )}
        </QueryState>
        {!isReadOnly && <PlaceForm radius={radius} onAdd={add} onPaste={paste} />}
      </div>
      <div className={styles.right}>
        <PlaceList
          places={places}
          radius={radius}
          chosen={chosen}
          isReadOnly={isReadOnly}
          aroundOf={(id) =>
            entryOf
              .get(id)
              ?.around.map(({ label }) => label)
              .join(' ') ?? null
          }
          isGone={isGone}
          onChoose={setChosen}
          onChange={(index, place) => set(places.map((one, at) => (at === index ? place : one)))}
          onMove={move}
          onLocate={locate}
          onRemove={(indexes) => {
            setChosen(null)
            set(places.filter((_, at) => !indexes.includes(at)))
          }}
        />
        {districts !== null && (
          <DistrictPicker
            entries={entries}
            path={path}
            chosen={ids}
            isReadOnly={isReadOnly}
            onToggle={({ id, name }) => {
              setChosen(null)
              if (ids.has(id)) return set(places.filter((one) => one.kind === 'circle' || one.id !== id))
              if (places.length >= PLACES_MAX) return refuse(placesFull)
              set([...places, { kind: 'business_district', id, name }])
            }}
          />
        )}
      </div>
    </div>
  )
}

/** The regions in the one that is open, by name: the way in for the keyboard. */
function RegionSelect(props: {
  outline: Awaited<ReturnType<typeof outlineOf>> | undefined
  onOpen: (to: Crumb) => void
}) {
  const { onSearch, isFound } = useNameSearch()
  const features = props.outline?.features ?? []
  if (features.length < 2) return null
  return (
    <Select<string>
      className={styles.regions ?? ''}
      aria-label="下级地区"
      placeholder="下级地区"
      value={null as unknown as string}
      disabled={false}
      showSearch={{
        onSearch,
        filterOption: (typed, option) => isFound(String(option?.label), typed),
      }}
      options={features.map(({ code, name }) => ({ value: code, label: name }))}
      onChange={(code) => {
        const name = features.find((one) => one.code === code)?.name
        if (name !== undefined) props.onOpen({ code, name })
      }}
    />
  )
}

/** The last region of a path, out of the one around it where it has no file. */
async function openedOutline(path: readonly Crumb[]) {
  const { code } = path.at(-1) ?? COUNTRY
  const before = path.at(-2)
  if (!before) return outlineOf(code)
  const around = await outlineOf(before.code)
  return around.features.find((one) => one.code === code)?.hasMore ? outlineOf(code) : partOf(around, code)
}

/** The regions with these names, from the country inwards, as far as the map has them. */
async function pathThrough(names: readonly string[]): Promise<Crumb[]> {
  const path: Crumb[] = [COUNTRY]
  for (const name of names) {
    const outline = await outlineOf(path.at(-1)?.code ?? COUNTRY.code)
    const feature = outline.features.find((one) => one.name === name)
    if (!feature) return path
    path.push({ code: feature.code, name })
    if (!feature.hasMore) return path
  }
  return path
}
