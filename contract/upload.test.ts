import { expect, test } from 'vitest'
import { outcome } from './outcome.ts'
import { fileFault, rawFileFault } from './upload.ts'

const one = { name: '导出.csv', size: 3300 }

test('a file of the same name and size is listed already', () => {
  const listed = outcome('upload_listed_already', { name: one.name })
  expect(fileFault(one, [one])).toEqual(listed)
  expect(rawFileFault(one, [one])).toEqual(listed)
  expect(fileFault(one, [{ ...one, size: 3301 }])).toBeNull()
})

test('hashes of two files of one name may be of one size', () => {
  expect(fileFault(one, [one], true)).toBeNull()
})
