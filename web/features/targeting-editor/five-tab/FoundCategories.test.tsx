import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { TagNode } from '#contract/targeting-tags.ts'
import { FoundCategories } from './FoundCategories.tsx'

const category = (value: string, label: string): TagNode => ({ value, label, num: null, children: [] })
const shown = (chosen: string[], isFull: boolean, categories = [category('4', '美食'), category('5', '美食探店')]) =>
  renderToStaticMarkup(
    <FoundCategories
      categories={categories}
      isStale={false}
      chosen={new Set(chosen)}
      isFull={isFull}
      isReadOnly={false}
      onToggle={() => {}}
    />,
  )
const boxes = (html: string) => html.match(/<input[^>]*>/g) ?? []

test('found categories can be chosen', () => {
  const html = shown([], false)
  expect(html).toContain('美食探店')
  expect(boxes(html).map((box) => box.includes('disabled'))).toEqual([false, false])
})

test('with 30 chosen only chosen categories can be changed', () => {
  const found = boxes(shown(['category 5'], true))
  expect(found.map((box) => box.includes('disabled'))).toEqual([true, false])
  expect(found.map((box) => box.includes('checked'))).toEqual([false, true])
})

test('a word without categories shows no list', () => expect(shown([], false, [])).toBe(''))
