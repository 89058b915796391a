import protobuf from 'protobufjs'
import { describe, expect, test } from 'vitest'
import { dmpLine, dmpText } from './pack.ts'

// The platform's published definition, read by reflection: a decoder independent of our writer.
const { root } = protobuf.parse(`
  syntax = "proto2";
  package toutiao.dmp;
  message IdItem {
    enum DataType { IMEI = 0; IDFA = 1; UID = 2; IMEI_MD5 = 4; IDFA_MD5 = 5; MOBILE_HASH_SHA256 = 6; OAID = 7; OAID_MD5 = 8; }
    optional uint32 timestamp = 1;
    required DataType dataType = 2;
    required string id = 3;
    repeated string tags = 4;
  }
  message DmpData { repeated IdItem idList = 1; }
`)
const DmpData = root.lookupType('toutiao.dmp.DmpData')
const read = (line: string) =>
  (
    DmpData.toObject(DmpData.decode(Buffer.from(line, 'base64'))) as {
      idList: { dataType: number; id: string }[]
    }
  ).idList

const hash = (at: number) => at.toString(16).padStart(32, '0')

describe('a file for the video engine', () => {
  test('holds each identifier with its type, as the published definition reads it', () => {
    const line = dmpLine(4, [hash(1), hash(2)])
    expect(line.endsWith('\n')).toBe(true)
    expect(read(line)).toEqual([
      { dataType: 4, id: hash(1) },
      { dataType: 4, id: hash(2) },
    ])
  })

  test('has at most 10 000 identifiers per line, whatever the batches, and loses none', async () => {
    const all = Array.from({ length: 25_001 }, (_, at) => hash(at))
    async function* batches() {
      yield all.slice(0, 1)
      yield []
      yield all.slice(1, 24_000)
      yield all.slice(24_000)
    }
    const lines: string[] = []
    for await (const line of dmpText(6, batches())) lines.push(line)
    expect(lines.map((line) => read(line).length)).toEqual([10_000, 10_000, 5001])
    expect(lines.flatMap((line) => read(line).map(({ id }) => id))).toEqual(all)
  })

  test('without identifiers is empty', async () => {
    async function* none() {}
    expect(await dmpText(4, none()).next()).toMatchObject({ done: true })
  })
})
