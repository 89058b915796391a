import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { isNetworkCode } from '#contract/outcomes/network.ts'
import { networkReason } from '../network/network-reason.ts'
import { StartError } from '../start-error.ts'
import { type EngineErrorCode, engineError, isEngineError } from './engine-error.ts'

/** The longest time a start waits for the server. */
const ANSWERS_WITHIN_MS = 10_000

const REFUSALS: Partial<Record<EngineErrorCode, string>> = {
  sign_in_refused: '用户名或密码不正确',
  unknown_database: '没有这个库，请先建立它',
  access_denied: '这个用户没有所需的权限',
  read_only: '这个用户只能读',
}

/** Checks that a ClickHouse answers at `url` and accepts our user; otherwise throws a StartError. */
export async function mustBeClickHouse(url: string): Promise<void> {
  const client = createClient({ url, request_timeout: ANSWERS_WITHIN_MS, log: { level: ClickHouseLogLevel.OFF } })
  try {
    const answer = await client.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' })
    const [row] = await answer.json<{ version?: unknown }>()
    if (typeof row?.version === 'string') return
    throw new Error('no version')
  } catch (error) {
    throw refusalOf(engineError(error, 'server')) ?? new StartError(`CLICKHOUSE_URL 指定的 ${faultOf(error, url)}`)
  } finally {
    await client.close()
  }
}

/** The sentence for a server that answers but refuses us. */
export function refusalOf(error: unknown): StartError | undefined {
  const reason = isEngineError(error) ? REFUSALS[error.code] : undefined
  return reason === undefined ? undefined : new StartError(`CLICKHOUSE_URL 指定的 ClickHouse 不能使用：${reason}`)
}

function faultOf(error: unknown, url: string): string {
  if (error instanceof ClickHouseError) return `ClickHouse 不能使用：${networkReason(error)}`
  if (isUnreachable(error)) return `ClickHouse 没有响应：${networkReason(error)}`
  return `${new URL(url).host} 上不是 ClickHouse 的 HTTP 接口（它的端口通常是 8123）`
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof AggregateError ||
  isNetworkCode((error as NodeJS.ErrnoException | null)?.code) ||
  isEngineError(engineError(error, 'server'), 'timeout')
