import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ChosenCrowd } from '../../domain/crowd/CrowdSelect.tsx'
import { idsIn } from '../../lib/ids-in.ts'
import { withParams } from '../../lib/with-params.ts'

/** Crowds that the URL names by their ids under a key, at most `max`; never the crowd `without`. */
export function useUrlCrowds({ key, max, without }: { key: string; max: number; without: number }) {
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<readonly ChosenCrowd[]>([])
  const ids = [...new Set(idsIn(params.get(key)))].filter((id) => id !== without).slice(0, max)
  return {
    ids,
    /** The crowds with their names: those of an answer, or of the choice until it arrives. A link brings only ids. */
    named: (answered: readonly { id: number | null; name: string }[]): ChosenCrowd[] =>
      ids.map((id) => ({ id, name: [...answered, ...chosen].find((one) => one.id === id)?.name ?? `人群 ${id}` })),
    choose(to: readonly ChosenCrowd[]) {
      setChosen(to)
      const value = to.length === 0 ? null : to.map(({ id }) => id).join(',')
      setParams((now) => withParams(now, { [key]: value }), { replace: true })
    },
  }
}
