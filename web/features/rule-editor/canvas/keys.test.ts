import { expect, test } from 'vitest'
import { type Command, commandOf, type History, historyOf } from './keys.ts'

const press = (keys: string) => {
  const parts = keys.split(' ')
  return {
    key: parts.at(-1) as string,
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  }
}

const commands: [string, Command | null][] = [
  ['ArrowLeft', { type: 'step', to: 'left' }],
  ['Home', { type: 'step', to: 'first' }],
  ['Shift ArrowLeft', { type: 'move', to: 'left' }],
  ['Shift ArrowUp', { type: 'move', to: 'up' }],
  ['Shift End', { type: 'step', to: 'last' }],
  ['n', { type: 'op', op: 'n', before: false }],
  ['E', { type: 'op', op: 'e', before: false }],
  ['Shift U', { type: 'op', op: 'u', before: true }],
  ['Delete', { type: 'delete' }],
  ['a', { type: 'add' }],
  ['Shift +', { type: 'add' }],
  ['Ctrl x', { type: 'cut' }],
  ['Meta v', { type: 'paste' }],
  ['Shift ?', { type: 'help' }],
  ['Ctrl a', null],
  ['Alt ArrowLeft', null],
  ['q', null],
]
test.each(commands)('%s on the canvas', (keys, command) => {
  expect(commandOf(press(keys))).toEqual(command)
})

const histories: [string, History | null][] = [
  ['Ctrl z', 'undo'],
  ['Meta z', 'undo'],
  ['Ctrl Shift Z', 'redo'],
  ['Ctrl y', 'redo'],
  ['Ctrl s', 'save'],
  ['z', null],
]
test.each(histories)('%s anywhere', (keys, command) => {
  expect(historyOf(press(keys))).toBe(command)
})
