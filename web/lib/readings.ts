import { useQuery } from '@tanstack/react-query'

/** How a Chinese character can be read, in letters without tones; nothing for other characters. */
export type Readings = (character: string) => readonly string[]

/** Loads the table of readings, about 100 KB compressed, when somebody searches. */
export async function loadReadings(): Promise<Readings> {
  const { polyphonic } = await import('pinyin-pro')
  const known = new Map<string, readonly string[]>()
  return (character) => {
    const ready = known.get(character)
    if (ready) return ready
    const readings = isChinese(character)
      ? (polyphonic(character, { type: 'array', toneType: 'none', v: true })[0] ?? []).flatMap(typedAs)
      : []
    known.set(character, readings)
    return readings
  }
}

const isChinese = (character: string) => /\p{Script=Han}/u.test(character)
/** 女 is typed nv, and by some nu. */
const typedAs = (reading: string) => (reading.includes('v') ? [reading, reading.replace('v', 'u')] : [reading])

/** The readings once they are wanted and loaded. Without them a search goes by characters alone. */
export function useReadings(isWanted: boolean): Readings | null {
  const { data } = useQuery({
    queryKey: ['readings of characters'],
    queryFn: async () => ({ readings: await loadReadings() }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    meta: { silent: 'optional' },
  })
  return data?.readings ?? null
}
