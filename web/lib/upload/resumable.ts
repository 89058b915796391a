import { DetailedError } from 'tus-js-client'
import { FAULTS } from '#contract/errors.ts'

/** The id is the last part of an upload's URL. */
export const uploadIdOf = (url: string): string => decodeURIComponent(url.replace(/[?#].*$/, '').replace(/^.*\//, ''))

/** The server's message for a failure, or the HTTP status. */
export function reasonOfUpload(error: Error): string {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return '与服务器的连接已断开，请检查网络后重试'
  try {
    const answer: unknown = JSON.parse(response.getBody())
    if (typeof answer === 'object' && answer && 'msg' in answer && typeof answer.msg === 'string') return answer.msg
  } catch {
    // Not our server's answer but, for example, a proxy's page: uses the status.
  }
  return response.getStatus() === 401 ? FAULTS.signedOut.msg : `上传失败（${response.getStatus()}），请重试`
}
