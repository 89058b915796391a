import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

/** Words of earlier screens, with those that replaced them. */
const REPLACED: Record<string, string> = {
  规则人群: '组合定向包',
  新建定向包: '新建组合定向包',
  不是任何已知的数据类型: '无法识别为支持的标识类型',
  格式不正确的行: '无效行',
  '暂停，请重试': '已暂停，点击继续',
  文件预览失败: '文件按 GBK 读取（可改）',
  受限指标: 'the names of the metrics',
  用户管理: '成员管理',
  新建用户: '新建成员',
  上级目录: '上级文件夹',
}

test.each(Object.entries(REPLACED))('no page says %s', (word) => {
  const files = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules/**', '**/*.test.*'] })
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes(word))).toEqual([])
})
