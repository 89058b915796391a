import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { previewTurns } from './preview-turns.ts'

/** Previews that end when told to; `running` names those that have started. */
function previews(atOnce: number) {
  const inTurn = previewTurns(atOnce)
  const running: string[] = []
  const ends = new Map<string, () => void>()
  return {
    running,
    ask: (viewer_id: number, name: string, signal?: AbortSignal) =>
      inTurn(viewer_id, signal, async () => {
        running.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        running.splice(running.indexOf(name), 1)
        return name
      }),
    async end(name: string) {
      ends.get(name)?.()
      await tick()
    },
  }
}

test('a viewer’s previews run one by one in order, and no more than the limit run at once in all', async () => {
  const { ask, end, running } = previews(2)
  const all = [ask(1, 'a1'), ask(1, 'a2'), ask(2, 'b1'), ask(3, 'c1'), ask(1, 'a3')]
  await tick()
  expect(running).toEqual(['a1', 'b1'])
  await end('b1')
  expect(running).toEqual(['a1', 'c1'])
  await end('a1')
  expect(running).toEqual(['c1', 'a2'])
  await end('a2')
  expect(running).toEqual(['c1', 'a3'])
  await end('c1')
  await end('a3')
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('a caller that disconnects gives up its turn; too many waiting previews are refused', async () => {
  const { ask, end, running } = previews(1)
  const first = ask(1, 'first')
  const left = new AbortController()
  const gone = ask(1, 'gone', left.signal)
  left.abort(new Error('left'))
  await expect(gone).rejects.toThrow('left')
  const others = Array.from({ length: 10 }, (_, n) => ask(1, `other ${n}`))
  await expect(ask(1, 'one too many')).rejects.toMatchObject({ code: FAULTS.tooMany.code })
  await end('first')
  await first
  expect(running).toEqual(['other 0'])
  for (let n = 0; n < 10; n++) await end(`other ${n}`)
  expect(await Promise.all(others)).toHaveLength(10)
})
