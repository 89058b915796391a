import { selectAdvertiser } from './crowds.ts'
import { editorOf } from './editor-page.ts'
import { somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

test('a large tree loads categories first, and tags as they are opened or searched', async ({ page, admin }) => {
  const { adv_id } = await anAdvertiserOf(admin, `大标签树${SUFFIX}`, somePeople(200))
  await selectAdvertiser(page, adv_id)
  const asked: string[] = []
  // The server treats this small tree as a large one, and each category says that it holds a hundred tags more.
  await page.route(/\/api\/tree\?/, async (route) => {
    const url = new URL(route.request().url())
    const of = url.searchParams
    asked.push([...['category_id', 'keyword', 'most'].filter((name) => of.has(name)), of.get('tag_type')].join(' '))
    if (!of.has('most')) return route.continue()
    of.set('most', '0')
    const response = await route.fetch({ url: url.href })
    const json = await response.json()
    for (const category of json.data.data) if (category.group.length === 0) category.tags += 100
    await route.fulfill({ response, json })
  })
  await page.goto('/cowd-manage/cowd-assets/edit/0')
  const editor = editorOf(page)
  const sex = page.getByRole('treeitem', { name: /^性别 102 个标签/ })
  await expect(sex).toBeVisible()
  await expect(editor.tag('女')).toHaveCount(0)
  expect(new Set(asked)).not.toContain('1')
  await sex.click()
  await expect(page.getByRole('treeitem', { name: /^性别 2 个标签/ })).toBeVisible()
  await expect(editor.tag('女')).toBeVisible()
  expect(asked).toContain('category_id 1')

  await editor.search.fill('女')
  await expect(page.getByText('找到 1 个')).toBeVisible()
  expect(asked).toContain('keyword 1')
  await expect(editor.tag('男')).toHaveCount(0)
  await editor.search.fill('nan')
  await expect(editor.tag('男')).toBeVisible()
  await editor.search.fill('xb')
  await expect(editor.tag('女')).toBeVisible()
  await expect(editor.tag('男')).toBeVisible()
  // Nor does a search by pinyin load the whole tree.
  expect(asked).not.toContain('1')
  await editor.search.fill('没有这样的标签')
  await expect(page.getByText(/没有匹配「没有这样的标签」/)).toBeVisible()
})
