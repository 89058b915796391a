import { expect, test } from 'vitest'
import { outcome } from './outcome.ts'
import { fileFault, rawFileFault, UPLOAD_FILE_MAX } from './upload.ts'

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

test.each(['txt', 'text', 'csv', 'zip', 'ZIP'])('files that end in %s can be chosen', (ending) => {
  expect(fileFault({ name: `人群.${ending}`, size: 1 }, [])).toBeNull()
})

test.each(['人群.xlsx', '人群.gz', 'csv'])('%s is no file to upload', (name) => {
  expect(fileFault({ name, size: 1 }, [])).toEqual(outcome('upload_type_refused'))
})

test('an empty file is refused', () => {
  expect(fileFault({ name: '人群.csv', size: 0 }, [])).toEqual(outcome('upload_empty'))
})

test('a file of 50M fits, a larger one does not', () => {
  expect(UPLOAD_FILE_MAX).toBe(50 * 1024 ** 2)
  expect(fileFault({ name: '人群.csv', size: UPLOAD_FILE_MAX }, [])).toBeNull()
  expect(fileFault({ name: '人群.csv', size: UPLOAD_FILE_MAX + 1 }, [])).toEqual(
    outcome('upload_too_large', { mb: 50 }),
  )
})
