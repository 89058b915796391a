import { useEffect, useRef, useState } from 'react'
import { Upload } from 'tus-js-client'
import { UPLOAD_PATH } from '#contract/import.ts'
import { reasonOfUpload, uploadIdOf } from '../../lib/resumable.ts'
import { type Sample, sampled, speedOf } from '../../lib/transfer-speed.ts'
import { refusalOfFile } from './upload-file.ts'

/** reconnecting: the line was lost, and it is tried again by itself. */
export type UploadPhase = 'idle' | 'sending' | 'reconnecting' | 'paused' | 'failed' | 'sent'

export interface UploadState {
  phase: UploadPhase
  name: string
  size: number
  sent: number
  /** Bytes a second. */
  speed: number | null
  upload_id: string | null
  error: string | null
}

const IDLE: UploadState = { phase: 'idle', name: '', size: 0, sent: 0, speed: null, upload_id: null, error: null }

/** A lost line costs at most one of these. */
const CHUNK_BYTES = 16 * 1024 ** 2
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

/** Stops sending. With `andForget` the server is asked to drop what it holds, which it does after a day anyway. */
const halt = (upload: Upload | null, andForget = false) => upload?.abort(andForget).catch(() => {})

/** Sends one file in pieces: it can be paused, and goes on where it was after the line or the page was lost. */
export function useUpload(started: Pick<UploadState, 'name' | 'size' | 'upload_id'> | null) {
  const [state, setState] = useState<UploadState>(() =>
    started ? { ...IDLE, ...started, sent: started.size, phase: 'sent' } : IDLE,
  )
  const running = useRef<Upload | null>(null)
  const samples = useRef<Sample[]>([])

  useEffect(() => () => void halt(running.current), [])

  const isSending = state.phase === 'sending' || state.phase === 'reconnecting'
  useEffect(() => {
    if (!isSending) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isSending])

  const begin = async (file: File) => {
    const refusal = refusalOfFile(file)
    await halt(running.current)
    running.current = null
    samples.current = []
    if (refusal) return setState({ ...IDLE, name: file.name, size: file.size, phase: 'failed', error: refusal })
    setState({ ...IDLE, name: file.name, size: file.size, phase: 'sending' })

    const upload: Upload = new Upload(file, {
      endpoint: UPLOAD_PATH,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      metadata: { filename: file.name, filetype: file.type },
      removeFingerprintOnSuccess: true,
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        const isPassing = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
        if (isPassing) setState((now) => ({ ...now, phase: 'reconnecting', speed: null }))
        return isPassing
      },
      onProgress: (sent) => {
        samples.current = sampled(samples.current, { at: performance.now(), sent })
        setState((now) => ({ ...now, phase: 'sending', sent, speed: speedOf(samples.current) }))
      },
      onError: (error) => setState((now) => ({ ...now, phase: 'failed', speed: null, error: reasonOfUpload(error) })),
      onSuccess: () => {
        setState((now) => ({
          ...now,
          phase: 'sent',
          sent: now.size,
          speed: null,
          upload_id: uploadIdOf(upload.url ?? ''),
        }))
      },
    })
    running.current = upload
    // The same file, begun before the page was closed, goes on where it was.
    // Where the browser remembers nothing, it begins anew.
    const [earlier] = await upload.findPreviousUploads().catch(() => [])
    if (earlier) upload.resumeFromPreviousUpload(earlier)
    if (running.current === upload) upload.start()
  }

  return {
    state,
    begin: (file: File) => void begin(file),
    pause: () => {
      void halt(running.current)
      setState((now) => ({ ...now, phase: 'paused', speed: null }))
    },
    resume: () => {
      samples.current = []
      setState((now) => ({ ...now, phase: 'sending', error: null }))
      running.current?.start()
    },
    /** Whether a failed upload can go on; one refused before it began cannot. */
    canResume: running.current !== null,
    clear: () => {
      const isUnfinished = state.phase !== 'sent'
      void halt(running.current, isUnfinished)
      running.current = null
      setState(IDLE)
    },
  }
}
