import { expect, test } from 'vitest'
import { chosenColumns, readColumn } from './crowd-export.ts'

test.each([
  ['one_id', { kind: 'fixed', column: 'one_id' }],
  ['events', { kind: 'fixed', column: 'events' }],
  ['identifier.IMEI', { kind: 'identifier', type: 'IMEI' }],
  ['attribute.12', { kind: 'attribute', id: 12 }],
  ['tags.3', { kind: 'tags', id: 3 }],
  ['', null],
  ['toString', null],
  ['identifier.toString', null],
  ['identifier.', null],
  ['attribute.0', null],
  ['attribute.012', null],
  ['attribute.1e3', null],
  ['attribute.99999999999', null],
  ['attribute.1.2', null],
  ['tags', null],
  ['fixed.1', null],
])('the key %j names the column %j', (key, column) => {
  expect(readColumn(key)).toEqual(column)
})

test.each([
  ['nothing chosen before', [], ['one_id', 'phone']],
  ['the order is that of the offer', ['attribute.1', 'phone'], ['phone', 'attribute.1']],
  ['what is no longer offered is left out', ['attribute.9', 'attribute.1'], ['attribute.1']],
  ['none of it is offered', ['attribute.9'], ['one_id', 'phone']],
])('columns of a dialog: %s', (_, before, chosen) => {
  expect(chosenColumns(['one_id', 'phone', 'attribute.1'], before)).toEqual(chosen)
})
