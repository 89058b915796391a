import type { Command } from '../server/commands/command.ts'

const CALL = 'npm run renqun --'

export function overview(commands: Command[]): string {
  const widest = Math.max(...commands.map(({ name }) => name.length))
  return [
    '人群（Renqun）命令行',
    '',
    `用法：${CALL} <命令> [参数]`,
    '',
    '命令：',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(widest)}   ${summary}`),
    '',
    `${CALL} <命令> --help 显示命令的参数。服务正在运行时，命令由它执行；否则命令自己打开 DATA_DIR。`,
  ].join('\n')
}

export function helpOf(command: Command): string {
  return [
    command.summary,
    '',
    `用法：${CALL} ${command.name} ${command.usage}`,
    ...(command.help?.length ? ['', ...command.help.map((line) => `  ${line}`)] : []),
  ].join('\n')
}
