import { FIRST_VIEWER } from '../features/viewer/service.ts'
import { command } from './command.ts'

const SHORTEST = 8

export const resetPassword = command({
  name: 'reset-password',
  summary: '为一个账号设置新密码，结束它的所有登录，撤销它的接口令牌',
  usage: '[用户名] [--password 新密码]',
  positionals: ['用户名?'],
  options: { password: { type: 'string' } },
  help: [`用户名              不写则为 ${FIRST_VIEWER}`, '--password 新密码   不写则生成一个，只显示这一次'],
  run: async ({ services }, { values, positionals }, { print }) => {
    if (values.password !== undefined && values.password.length < SHORTEST) {
      throw new Error(`密码至少 ${SHORTEST} 个字符`)
    }
    const username = positionals[0] ?? FIRST_VIEWER
    print(`成员 ${username} 的新密码：${await services.viewers.resetByName(username, values.password)}`)
  },
})
