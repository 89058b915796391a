import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers, in bytes, fit one packet anyway. */
const THRESHOLD = 1400
/** Of 11: 1.4 MB of tags become 139 KB in 10 ms of processor time; the best takes 1.9 s for 98 KB. */
const BROTLI_QUALITY = 4

/** Compresses answers with brotli or gzip where the caller takes them. Files that are compressed already stay as they are. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip', 'identity'],
    threshold: THRESHOLD,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    // Bodies of calls are taken as they are: nobody sends them compressed, and unpacking them would need bounds.
    globalDecompression: false,
  })
}
