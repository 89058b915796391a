import protobuf from 'protobufjs/minimal.js'

/** At most this many identifiers per line; a file with one giant line is known to fail. */
const LINE_MOST = 10_000
// The platform's definition: DmpData { repeated IdItem idList = 1 }, IdItem { optional uint32 timestamp = 1;
// required DataType dataType = 2; required string id = 3; repeated string tags = 4 }. The timestamp defaults to the
// upload's.
const ID_LIST = (1 << 3) | 2
const DATA_TYPE = 2 << 3
const ID = (3 << 3) | 2

/** One line of a file: a serialised DmpData in base64, with its newline. */
export function dmpLine(dataType: number, ids: readonly string[]): string {
  const writer = protobuf.Writer.create()
  for (const id of ids) writer.uint32(ID_LIST).fork().uint32(DATA_TYPE).uint32(dataType).uint32(ID).string(id).ldelim()
  const bytes = writer.finish()
  return `${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}\n`
}

/** The text of a part's file. Batches may have any size. */
export async function* dmpText(dataType: number, batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let waiting: string[] = []
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; ) {
      const room = LINE_MOST - waiting.length
      waiting = waiting.concat(batch.slice(at, at + room))
      at += room
      if (waiting.length === LINE_MOST) {
        yield dmpLine(dataType, waiting)
        waiting = []
      }
    }
  }
  if (waiting.length) yield dmpLine(dataType, waiting)
}
