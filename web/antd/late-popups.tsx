import { Fragment, type ReactElement, useEffect, useMemo, useState } from 'react'
import { type AfterPage, useWanted } from '../components/later.tsx'

type UsePopups<Config, Api> = (config?: Config) => readonly [Api, ReactElement]
type Calls<Api> = { [Name in keyof Api]: (...given: unknown[]) => unknown }

/**
 * antd's hook of popups, whose code is fetched for the first of them; what is said meanwhile is said when it has arrived.
 * Without a network the page stays as it is: nothing stands around the popups that could show a failure.
 */
export function latePopups<Config, Api extends object>(
  code: AfterPage<UsePopups<Config, Api>>,
  names: readonly (keyof Api)[],
): UsePopups<Config, Api> {
  return (config) => {
    const [times, setTimes] = useState(0)
    const { api, onReady } = useMemo(() => waiting(names, () => setTimes((before) => before + 1)), [])
    const usePopups = useWanted(code, times)
    return [
      api,
      <Fragment key="popups">{usePopups && <Popups use={usePopups} config={config} onReady={onReady} />}</Fragment>,
    ]
  }
}

function Popups<Config, Api extends object>(props: {
  use: UsePopups<Config, Api>
  config: Config | undefined
  onReady: (api: Api) => void
}) {
  const { use: usePopups, config, onReady } = props
  const [api, holder] = usePopups(config)
  useEffect(() => onReady(api), [api, onReady])
  return holder
}

/** An api whose calls wait for the real one. */
function waiting<Api extends object>(names: readonly (keyof Api)[], onWanted: () => void) {
  let onReady: (api: Api) => void = () => {}
  const arrived = new Promise<Api>((resolve) => {
    onReady = resolve
  })
  const say = (name: keyof Api, given: unknown[]) => {
    onWanted()
    // A popup can be closed by a call, and waited for; the promise of it must not wait.
    const popup = arrived.then((api) => ({
      close: (api as Calls<Api>)[name](...given) as PromiseLike<boolean> & (() => void),
    }))
    return Object.assign(() => void popup.then(({ close }) => close()), {
      // biome-ignore lint/suspicious/noThenProperty: antd's popups can be awaited.
      then: (...next: Parameters<PromiseLike<boolean>['then']>) => popup.then(({ close }) => close).then(...next),
    })
  }
  const api = Object.fromEntries(names.map((name) => [name, (...given: unknown[]) => say(name, given)])) as Api
  return { api, onReady }
}
